//! The XML of responses.

use quick_xml::Reader;
use quick_xml::events::Event;

/// An element without child elements.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct XmlLeaf {
    /// The name of the parent element, and its number among all elements.
    pub(super) within: (String, usize),
    pub(super) name: String,
    pub(super) text: String,
}

/// Returns all leaves in document order; `None` if the XML is broken.
pub(super) fn leaves(xml: &[u8]) -> Option<Vec<XmlLeaf>> {
    let mut reader = Reader::from_str(std::str::from_utf8(xml).ok()?);
    let (mut leaves, mut open, mut elements) = (Vec::new(), Vec::<(String, usize)>::new(), 0);
    // The text of the innermost element, as long as it has no child element.
    let mut text = None;
    loop {
        match reader.read_event().ok()? {
            Event::Start(start) => {
                elements += 1;
                open.push((start.local_name().into_inner().to_owned(), elements));
                text = Some(String::new());
            }
            Event::Text(more) => {
                if let Some(text) = &mut text {
                    text.push_str(&more.xml10_content());
                }
            }
            Event::End(_) => {
                let (name, _) = open.pop()?;
                if let (Some(text), Some(within)) = (text.take(), open.last()) {
                    leaves.push(XmlLeaf {
                        within: within.clone(),
                        name,
                        text,
                    });
                }
            }
            Event::DocType(_) => return None,
            Event::Eof => return open.is_empty().then_some(leaves),
            _ => {}
        }
    }
}

pub(super) fn text(xml: &[u8], name: &str) -> Option<String> {
    leaves(xml)?
        .into_iter()
        .find(|leaf| leaf.name == name)
        .map(|leaf| leaf.text)
}
