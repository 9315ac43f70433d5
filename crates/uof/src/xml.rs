//! Reads XML element by element, with limits. Must not expand entities but the five of XML, nor accept a document type,
//! so that no document can grow while it is read.

use quick_xml::events::{BytesStart, Event};
use quick_xml::{Reader, XmlVersion};
use std::borrow::Cow;

/// The largest document that is read, in bytes: a list of all market descriptions has about 2 MiB.
pub const BYTES_MAX: usize = 16 * 1024 * 1024;
/// How deep elements may be nested; the feed's own are 6 deep.
pub const DEPTH_MAX: usize = 16;
/// Attributes of an element; the feed's own have at most 40.
pub const ATTRIBUTES_MAX: usize = 96;

/// Most elements have at most so many attributes.
const FEW: usize = 8;

/// Why a document cannot be read.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum XmlError {
    /// Longer than [`BYTES_MAX`].
    #[error("the document is too long")]
    TooLong,
    /// Deeper than [`DEPTH_MAX`].
    #[error("elements are nested too deeply")]
    TooDeep,
    /// More than [`ATTRIBUTES_MAX`].
    #[error("an element has too many attributes")]
    TooManyAttributes,
    /// A document type, which may define entities.
    #[error("the document has a document type")]
    DocumentType,
    /// Not well-formed, or not UTF-8.
    #[error("the document is not well-formed")]
    Malformed,
}

/// An element with its attributes.
#[derive(Debug)]
pub struct Element<'a>(BytesStart<'a>);

impl Element<'_> {
    /// Its name without a prefix.
    pub fn name(&self) -> &str {
        self.0.local_name().into_inner()
    }

    /// Calls `take` with the name and the value of each attribute.
    ///
    /// # Errors
    /// An attribute is malformed or occurs twice, an entity is unknown, or there are too many attributes.
    pub fn attributes(&self, mut take: impl FnMut(&str, Cow<'_, str>)) -> Result<(), XmlError> {
        // The library would allocate for each element to find a name that occurs twice.
        let (mut names, mut more) = ([""; FEW], Vec::new());
        for (at, attribute) in self.0.attributes().with_checks(false).enumerate() {
            let attribute = attribute.map_err(|_| XmlError::Malformed)?;
            let name = attribute.key.into_inner();
            if names.iter().take(at).chain(&more).any(|held| *held == name) {
                return Err(XmlError::Malformed);
            }
            match names.get_mut(at) {
                Some(place) => *place = name,
                None if at < ATTRIBUTES_MAX => more.push(name),
                None => return Err(XmlError::TooManyAttributes),
            }
            let value = attribute.normalized_value(XmlVersion::Explicit1_0).map_err(|_| XmlError::Malformed)?;
            take(attribute.key.local_name().into_inner(), value);
        }
        Ok(())
    }
}

/// What comes next in a document.
#[derive(Debug)]
pub enum Step<'a> {
    /// An element begins.
    Open(Element<'a>),
    /// The latest open element ends.
    Close,
    /// The document ends.
    End,
}

/// A document being read.
#[derive(Debug)]
pub struct Document<'a> {
    reader: Reader<&'a [u8]>,
    depth: usize,
    /// Whether the latest element was empty, so that it ends next.
    is_empty: bool,
}

impl<'a> Document<'a> {
    /// Begins to read a document.
    ///
    /// # Errors
    /// It is too long or not UTF-8.
    pub fn new(bytes: &'a [u8]) -> Result<Document<'a>, XmlError> {
        if bytes.len() > BYTES_MAX {
            return Err(XmlError::TooLong);
        }
        let text = std::str::from_utf8(bytes).map_err(|_| XmlError::Malformed)?;
        Ok(Document { reader: Reader::from_str(text), depth: 0, is_empty: false })
    }

    /// The next beginning or end of an element. Texts and comments are skipped.
    ///
    /// # Errors
    /// The document is malformed, too deep, or has a document type.
    pub fn step(&mut self) -> Result<Step<'a>, XmlError> {
        if std::mem::take(&mut self.is_empty) {
            self.depth = self.depth.saturating_sub(1);
            return Ok(Step::Close);
        }
        loop {
            let event = self.reader.read_event().map_err(|_| XmlError::Malformed)?;
            self.is_empty = matches!(event, Event::Empty(_));
            match event {
                Event::Start(element) | Event::Empty(element) => {
                    self.depth = self.depth.saturating_add(1);
                    return if self.depth > DEPTH_MAX {
                        Err(XmlError::TooDeep)
                    } else {
                        Ok(Step::Open(Element(element)))
                    };
                }
                Event::End(_) => {
                    self.depth = self.depth.saturating_sub(1);
                    return Ok(Step::Close);
                }
                Event::DocType(_) => return Err(XmlError::DocumentType),
                Event::Eof if self.depth > 0 => return Err(XmlError::Malformed),
                Event::Eof => return Ok(Step::End),
                _ => {}
            }
        }
    }

    /// The root element.
    ///
    /// # Errors
    /// The document is malformed or has none.
    pub fn root(&mut self) -> Result<Element<'a>, XmlError> {
        match self.step()? {
            Step::Open(element) => Ok(element),
            Step::Close | Step::End => Err(XmlError::Malformed),
        }
    }

    /// The next child of the element that is being read; `None` at its end.
    /// Children must be read to their end, or skipped with [`Document::skip`].
    ///
    /// # Errors
    /// See [`Document::step`].
    pub fn child(&mut self) -> Result<Option<Element<'a>>, XmlError> {
        match self.step()? {
            Step::Open(element) => Ok(Some(element)),
            Step::Close => Ok(None),
            Step::End => Err(XmlError::Malformed),
        }
    }

    /// Skips the rest of the element that was opened last.
    ///
    /// # Errors
    /// See [`Document::step`].
    pub fn skip(&mut self) -> Result<(), XmlError> {
        let end = self.depth.saturating_sub(1);
        while self.depth > end {
            if matches!(self.step()?, Step::End) {
                return Err(XmlError::Malformed);
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, XmlError> {
        let mut document = Document::new(text.as_bytes())?;
        let mut seen = Vec::new();
        loop {
            match document.step()? {
                Step::Open(element) => {
                    let mut line = element.name().to_owned();
                    element.attributes(|name, value| line += &format!(" {name}={value}"))?;
                    seen.push(line);
                }
                Step::Close => seen.push("/".to_owned()),
                Step::End => return Ok(seen),
            }
        }
    }

    #[test]
    fn elements_come_with_their_attributes() {
        let text = "<?xml version=\"1.0\"?>\n<a x='1' y=\"&lt;&#65;&amp;\"><!-- <c/> --><b/>text<n:d z=''/></a>";
        assert_eq!(read(text).unwrap(), ["a x=1 y=<A&", "b", "/", "d z=", "/", "/"]);
    }

    #[test]
    fn harmful_documents_are_rejected() {
        let deep = "<a>".repeat(DEPTH_MAX + 1);
        let wide: String = (0..=ATTRIBUTES_MAX).map(|at| format!(" a{at}=''")).collect();
        let long = " ".repeat(BYTES_MAX + 1);
        for (text, error) in [
            ("<!DOCTYPE a [<!ENTITY b 'bbbb'><!ENTITY c '&b;&b;'>]><a x='&c;'/>", XmlError::DocumentType),
            ("<a x='&c;'/>", XmlError::Malformed),
            ("<a x='1' x='2'/>", XmlError::Malformed),
            ("<a x=1/>", XmlError::Malformed),
            ("<a><b></a>", XmlError::Malformed),
            ("<a>", XmlError::Malformed),
            ("<a", XmlError::Malformed),
            ("</a>", XmlError::Malformed),
            (deep.as_str(), XmlError::TooDeep),
            (format!("<a{wide}/>").as_str(), XmlError::TooManyAttributes),
            (long.as_str(), XmlError::TooLong),
        ] {
            assert_eq!(read(text).unwrap_err(), error, "{}", text.chars().take(60).collect::<String>());
        }
        assert_eq!(Document::new(b"<a x='\xff'/>").unwrap_err(), XmlError::Malformed);
    }

    #[test]
    fn children_are_read_or_skipped() {
        let mut document = Document::new(b"<a><b><c/><c/></b><d/></a>").unwrap();
        assert_eq!(document.root().unwrap().name(), "a");
        assert_eq!(document.child().unwrap().unwrap().name(), "b");
        document.skip().unwrap();
        assert_eq!(document.child().unwrap().unwrap().name(), "d");
        document.skip().unwrap();
        assert!(document.child().unwrap().is_none());
    }
}
