//! A text that is built into the program. It is compressed once per coding, when first requested. Used for the
//! translations and the API's own documents; the client's files are already compressed (`assets.rs`).

use super::language::AnswerLanguage;
use super::negotiation;
use super::reply::{self, Head};
use actix_web::http::StatusCode;
use actix_web::http::header::ACCEPT_ENCODING;
use actix_web::{HttpRequest, HttpResponse};
use bytes::Bytes;
use kvota_read_model::Coding;
use std::hash::{DefaultHasher, Hasher};
use std::io::{self, Write};
use std::sync::OnceLock;

/// A built-in text.
pub(crate) struct Document {
    text: &'static str,
    content_type: &'static str,
    gzip: OnceLock<Packed>,
    brotli: OnceLock<Packed>,
}

/// `None` if compression failed or did not make the text smaller.
type Packed = Option<Bytes>;

impl Document {
    /// A text with its content type.
    pub(crate) const fn new(text: &'static str, content_type: &'static str) -> Document {
        Document { text, content_type, gzip: OnceLock::new(), brotli: OnceLock::new() }
    }

    /// The answer to a GET request for it.
    pub(crate) fn answer(&self, req: &HttpRequest, spoken: Option<AnswerLanguage>) -> HttpResponse {
        let accepted = reply::header_list(req.headers(), ACCEPT_ENCODING);
        let (bytes, coding) = self.packed(negotiation::coding(accepted.as_deref()));
        let etag = self.etag(coding);
        let head = Head {
            etag: &etag,
            content_type: self.content_type,
            coding,
            cache: "no-cache",
            vary: "Accept-Encoding",
            spoken,
        };
        if reply::has_already(req, &etag) {
            return reply::not_modified(head);
        }
        reply::whole(StatusCode::OK, head, bytes)
    }

    fn packed(&self, coding: Coding) -> (Bytes, Coding) {
        let plain = Bytes::from_static(self.text.as_bytes());
        let pays = |packed: io::Result<Vec<u8>>| {
            let packed = packed.ok().filter(|packed| packed.len() < plain.len());
            packed.map(Bytes::from)
        };
        let packed = match coding {
            Coding::Identity => &None,
            Coding::Gzip => self.gzip.get_or_init(|| pays(gzip(self.text))),
            Coding::Brotli => self.brotli.get_or_init(|| pays(brotli(self.text))),
        };
        match packed {
            Some(packed) => (packed.clone(), coding),
            None => (plain, Coding::Identity),
        }
    }

    /// Made from a hash of the text, and the coding.
    fn etag(&self, coding: Coding) -> String {
        let mut hasher = DefaultHasher::new();
        hasher.write(self.text.as_bytes());
        let suffix = match coding {
            Coding::Identity => "",
            Coding::Gzip => "-gz",
            Coding::Brotli => "-br",
        };
        format!("\"{:016x}{suffix}\"", hasher.finish())
    }
}

fn gzip(text: &str) -> io::Result<Vec<u8>> {
    let mut packer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::best());
    packer.write_all(text.as_bytes())?;
    packer.finish()
}

fn brotli(text: &str) -> io::Result<Vec<u8>> {
    let mut packed = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { quality: 9, ..Default::default() };
    brotli::BrotliCompress(&mut text.as_bytes(), &mut packed, &params)?;
    Ok(packed)
}
