//! Reads the XML of office files as elements and text. A document type, which no office program
//! writes, ends it, so that no entities are ever defined.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

pub(super) enum XmlNode {
    Start(Element),
    End(String),
    Text(String),
}

/// The start of an element. Its name has no namespace prefix.
pub(super) struct Element {
    pub(super) name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(known, _)| known == name)
            .map(|(_, value)| value.as_str())
    }
}

/// Iterates to the end of the XML, or to where it is cut off or malformed.
pub(super) struct XmlNodes<'a> {
    reader: Reader<&'a [u8]>,
    /// The name of an empty element, whose end is the next node.
    end: Option<String>,
    /// Set if the XML is malformed or has a document type.
    pub(super) is_broken: bool,
}

impl<'a> XmlNodes<'a> {
    pub(super) fn of(text: &'a str) -> Self {
        let mut reader = Reader::from_str(text);
        reader.config_mut().allow_dangling_amp = true;
        Self {
            reader,
            end: None,
            is_broken: false,
        }
    }
}

impl Iterator for XmlNodes<'_> {
    type Item = XmlNode;

    fn next(&mut self) -> Option<XmlNode> {
        if let Some(end) = self.end.take() {
            return Some(XmlNode::End(end));
        }
        loop {
            match self.reader.read_event() {
                Ok(Event::Start(start)) => return Some(XmlNode::Start(element(&start))),
                Ok(Event::Empty(start)) => {
                    let element = element(&start);
                    self.end = Some(element.name.clone());
                    return Some(XmlNode::Start(element));
                }
                Ok(Event::End(end)) => {
                    return Some(XmlNode::End(end.local_name().into_inner().to_owned()));
                }
                Ok(Event::Text(text)) => {
                    return Some(XmlNode::Text(text.xml10_content().into_owned()));
                }
                Ok(Event::CData(text)) => {
                    return Some(XmlNode::Text(text.xml10_content().into_owned()));
                }
                Ok(Event::GeneralRef(reference)) => {
                    let known = match reference.as_ref() {
                        "amp" => Some('&'),
                        "lt" => Some('<'),
                        "gt" => Some('>'),
                        "quot" => Some('"'),
                        "apos" => Some('\''),
                        _ => reference.resolve_char_ref().ok().flatten(),
                    };
                    return Some(XmlNode::Text(
                        known.map_or_else(|| format!("&{};", reference.as_ref()), String::from),
                    ));
                }
                Ok(Event::Eof) => return None,
                Ok(Event::DocType(_)) | Err(_) => {
                    self.is_broken = true;
                    return None;
                }
                Ok(_) => {}
            }
        }
    }
}

fn element(start: &BytesStart<'_>) -> Element {
    /// The most attributes of an element to read.
    const MOST: usize = 32;
    let mut attributes = start.attributes();
    let attributes = attributes
        .with_checks(false)
        .flatten()
        .take(MOST)
        .map(|attribute| {
            let value = attribute
                .normalized_value(XmlVersion::Explicit1_0)
                .unwrap_or_default()
                .into_owned();
            (attribute.key.local_name().into_inner().to_owned(), value)
        });
    Element {
        name: start.local_name().into_inner().to_owned(),
        attributes: attributes.collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(xml: &str) -> (String, bool) {
        let mut nodes = XmlNodes::of(xml);
        let text = nodes.by_ref().filter_map(|node| {
            if let XmlNode::Text(text) = node {
                Some(text)
            } else {
                None
            }
        });
        (text.collect(), nodes.is_broken)
    }

    #[test]
    fn entities_are_never_defined() {
        assert_eq!(texts("<a>&lt;&#65;&x;</a>"), ("<A&x;".to_owned(), false));
        let bomb = "<!DOCTYPE a [<!ENTITY x \"ha\"><!ENTITY y \"&x;&x;\">]><a>&y;</a>";
        assert_eq!(texts(bomb), (String::new(), true));
    }
}
