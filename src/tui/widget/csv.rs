//! Rows of comma-separated values as in RFC 4180, for spreadsheets.

/// Returns a line without its end.
pub fn row<'a>(cells: impl IntoIterator<Item = &'a str>) -> String {
    let cells: Vec<String> = cells.into_iter().map(quoted).collect();
    cells.join(",")
}

/// Returns rows as lines, each with its end.
pub fn table<'a, R: IntoIterator<Item = &'a str>>(rows: impl IntoIterator<Item = R>) -> String {
    rows.into_iter().map(|cells| row(cells) + "\n").collect()
}

/// Quotes a cell. One that a spreadsheet would take for a formula gets an apostrophe first, because
/// names may come from anyone.
fn quoted(cell: &str) -> String {
    let cell = if cell.starts_with(['=', '+', '-', '@']) {
        format!("'{cell}")
    } else {
        cell.to_owned()
    };
    if cell.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell
    }
}
