//! The text of a file for others: in Markdown, in HTML, as a command. Plain text in, plain text
//! out.

use url::Url;

/// A link, or the picture itself.
pub fn markdown(name: &str, address: &str, is_picture: bool) -> String {
    let mut text = String::new();
    for letter in name.chars() {
        if matches!(letter, '\\' | '[' | ']' | '*' | '_' | '`' | '<' | '>') {
            text.push('\\');
        }
        text.push(letter);
    }
    format!(
        "{}[{text}](<{}>)",
        if is_picture { "!" } else { "" },
        address.replace('<', "%3C").replace('>', "%3E")
    )
}

/// A link, or the picture itself.
pub fn html(name: &str, address: &str, is_picture: bool) -> String {
    let (name, address) = (escaped(name), escaped(address));
    if is_picture {
        format!("<img src=\"{address}\" alt=\"{name}\">")
    } else {
        format!("<a href=\"{address}\">{name}</a>")
    }
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}

/// A command that requests one resource from the API. The shell that runs it inserts the token.
pub fn curl(resource: &Url) -> String {
    let resource = resource.as_str().replace('\'', "%27");
    format!("curl --header \"Authorization: Bearer $FILEDECK_TOKEN\" '{resource}'")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_stay_names() {
        let address = "https://acme.example/a%20(1).png?x=1&y=2";
        assert_eq!(
            markdown("a [1]_*.png", address, true),
            format!(r"![a \[1\]\_\*.png](<{address}>)")
        );
        assert_eq!(
            html("\"><script>", address, false),
            "<a href=\"https://acme.example/a%20(1).png?x=1&amp;y=2\">&quot;&gt;&lt;script&gt;</a>"
        );
        assert_eq!(
            html("a", address, true),
            "<img src=\"https://acme.example/a%20(1).png?x=1&amp;y=2\" alt=\"a\">"
        );
    }

    #[test]
    fn a_command_names_the_token_and_does_not_hold_it() {
        let resource = "https://api.example/files/v3/files/it's".parse().unwrap();
        let command = "curl --header \"Authorization: Bearer $FILEDECK_TOKEN\" 'https://api.example/files/v3/files/it%27s'";
        assert_eq!(curl(&resource), command);
    }
}
