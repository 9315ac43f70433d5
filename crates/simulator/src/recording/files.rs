//! The source of recorded files: the embedded set, or a folder with the same files. All reads are bounded. A broken
//! file is reported by name.

use flate2::read::MultiGzDecoder;
use rust_embed::RustEmbed;
use std::borrow::Cow;
use std::io::Read;
use std::path::PathBuf;

/// Largest size of a decompressed file. The largest embedded one has 0.6 MiB.
pub const RECORDING_BYTES_MAX: u64 = 8 << 20;

/// The name of the file with the match records.
pub const RECORDS_FILE: &str = "matches.json.gz";

#[derive(RustEmbed)]
#[folder = "../../data/wyscout-soccer/"]
struct Embedded;

/// A set of recorded files.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RecordingFiles {
    /// The set that is part of the program.
    Embedded,
    /// A folder with `matches.json.gz` and a `{id}.json.gz` for each match of it.
    Folder(PathBuf),
}

/// Why a recorded file is invalid.
#[derive(Debug, thiserror::Error)]
pub enum RecordingError {
    /// It is not there or cannot be read or inflated.
    #[error("recording {file} cannot be read")]
    Read {
        /// Which file.
        file: String,
        /// Why.
        source: std::io::Error,
    },
    /// It inflates to more than [`RECORDING_BYTES_MAX`].
    #[error("recording {file} inflates to more than {RECORDING_BYTES_MAX} bytes")]
    TooLarge {
        /// Which file.
        file: String,
    },
    /// It is not the JSON we know.
    #[error("recording {file} is not the JSON expected")]
    Json {
        /// Which file.
        file: String,
        /// The position and the reason.
        source: serde_json::Error,
    },
    /// It contradicts itself or the match record.
    #[error("recording {file} is wrong: {what}")]
    Wrong {
        /// Which file.
        file: String,
        /// The reason.
        what: String,
    },
}

impl RecordingFiles {
    /// The decompressed bytes of a file of the set.
    pub fn read(&self, file: &str) -> Result<Vec<u8>, RecordingError> {
        let unreadable = |source| RecordingError::Read { file: self.path_of(file), source };
        let packed = self.packed(file).map_err(unreadable)?;
        let mut inflated = Vec::new();
        MultiGzDecoder::new(&*packed).take(RECORDING_BYTES_MAX + 1).read_to_end(&mut inflated).map_err(unreadable)?;
        if inflated.len() as u64 > RECORDING_BYTES_MAX {
            return Err(RecordingError::TooLarge { file: self.path_of(file) });
        }
        Ok(inflated)
    }

    fn packed(&self, file: &str) -> std::io::Result<Cow<'static, [u8]>> {
        match self {
            RecordingFiles::Embedded => {
                let missing = || std::io::Error::from(std::io::ErrorKind::NotFound);
                Embedded::get(file).map(|held| held.data).ok_or_else(missing)
            }
            RecordingFiles::Folder(folder) => {
                let mut packed = Vec::new();
                std::fs::File::open(folder.join(file))?.take(RECORDING_BYTES_MAX).read_to_end(&mut packed)?;
                Ok(Cow::Owned(packed))
            }
        }
    }

    /// The file's name as an operator knows it.
    pub fn path_of(&self, file: &str) -> String {
        match self {
            RecordingFiles::Embedded => file.to_owned(),
            RecordingFiles::Folder(folder) => folder.join(file).display().to_string(),
        }
    }
}
