//! The messages about results, kept on disk by event, so that a rollback after a restart is understood. Only the owner
//! of the folder writes. A file that is damaged at its end is read up to there.

use crate::message::{EventMessage, Message};
use crate::urn::Urn;
use std::fs::{self, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// How long the messages of an event are kept after the last one: the provider sends corrections for a month.
const KEPT: Duration = Duration::from_secs(40 * 24 * 3_600);
/// The largest file that is read, in bytes: an event has some hundred messages of some KiB.
const FILE_BYTES_MAX: u64 = 64 << 20;

/// The journal in a folder.
#[derive(Debug)]
pub(super) struct Journal {
    folder: PathBuf,
}

impl Journal {
    /// Opens the journal, and deletes what is too old.
    ///
    /// # Errors
    /// The folder cannot be created or read.
    pub(super) fn open(folder: PathBuf) -> io::Result<Journal> {
        fs::create_dir_all(&folder)?;
        delete_older(&folder, KEPT)?;
        Ok(Journal { folder })
    }

    /// Adds a message of an event.
    ///
    /// # Errors
    /// It cannot be written.
    pub(super) fn append(&self, event: &Urn, body: &[u8]) -> io::Result<()> {
        let mut entry = format!("{}\n", body.len()).into_bytes();
        entry.extend_from_slice(body);
        entry.push(b'\n');
        // One call, so that a crash damages at most this entry.
        OpenOptions::new().create(true).append(true).open(self.path(event))?.write_all(&entry)
    }

    /// The messages of an event in the order in which they came.
    pub(super) fn messages(&self, event: &Urn) -> Vec<EventMessage> {
        let path = self.path(event);
        let is_readable = fs::metadata(&path).is_ok_and(|file| file.len() <= FILE_BYTES_MAX);
        let bytes = if is_readable { fs::read(&path).unwrap_or_default() } else { Vec::new() };
        let mut rest = bytes.as_slice();
        let mut messages = Vec::new();
        while let Some((body, next)) = entry(rest) {
            if let Ok(Message::Event(message)) = Message::parse(body) {
                messages.push(message);
            }
            rest = next;
        }
        messages
    }

    fn path(&self, event: &Urn) -> PathBuf {
        self.folder.join(file_name(event.as_str()))
    }
}

/// The first entry, and what follows it; `None` at the end, or if the entry is damaged.
fn entry(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = bytes.iter().position(|byte| *byte == b'\n')?;
    let (length, rest) = bytes.split_at_checked(end)?;
    let length: usize = std::str::from_utf8(length).ok()?.parse().ok()?;
    let (body, rest) = rest.get(1..)?.split_at_checked(length)?;
    Some((body, rest.strip_prefix(b"\n")?))
}

/// A name without separators, so that no text leads out of the folder.
pub(super) fn file_name(text: &str) -> String {
    let safe = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' => char::from(byte).to_string(),
        byte => format!("%{byte:02x}"),
    };
    text.bytes().map(safe).collect()
}

/// Deletes the files of a folder that were not written for some time.
pub(super) fn delete_older(folder: &Path, kept: Duration) -> io::Result<()> {
    for file in fs::read_dir(folder)? {
        let file = file?;
        let written = file.metadata().and_then(|metadata| metadata.modified());
        // A time in the future has no age.
        if written.is_ok_and(|written| written.elapsed().is_ok_and(|age| age > kept)) {
            fs::remove_file(file.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::test_folder::Folder;

    #[test]
    fn messages_outlast_a_restart_and_a_torn_end() {
        let folder = Folder::new("journal");
        let event = Urn::parse("sr:match:7").unwrap();
        let body = |at: i64| {
            format!(
                "<rollback_bet_settlement product='1' event_id='sr:match:7'\n timestamp='{at}'><market id='1'/></rollback_bet_settlement>"
            )
        };
        let journal = Journal::open(folder.path().to_owned()).unwrap();
        assert!(journal.messages(&event).is_empty());
        journal.append(&event, body(1).as_bytes()).unwrap();
        journal.append(&event, body(2).as_bytes()).unwrap();
        let file = folder.path().join("sr%3amatch%3a7");
        let whole = fs::read(&file).unwrap();
        let times = |journal: &Journal| -> Vec<i64> {
            journal.messages(&event).iter().map(|message| message.timestamp_ms).collect()
        };
        assert_eq!(times(&Journal::open(folder.path().to_owned()).unwrap()), [1, 2]);
        for end in 0..whole.len() {
            fs::write(&file, &whole[..end]).unwrap();
            let read = times(&journal);
            assert!(read == [] as [i64; 0] || read == [1], "{end}");
        }
    }

    #[test]
    fn a_name_cannot_leave_the_folder() {
        assert_eq!(file_name("a/../b:1"), "a%2f%2e%2e%2fb%3a1");
    }
}
