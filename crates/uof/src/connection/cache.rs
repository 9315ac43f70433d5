//! Answers of the REST interface on disk, so that a restart does not ask for everything again. An old answer is used
//! when the provider does not give a new one.

use super::journal::{delete_older, file_name};
use sha2::{Digest, Sha256};
use std::fs;
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// How long an answer is kept on disk.
const KEPT: Duration = Duration::from_secs(30 * 24 * 3_600);
/// Bytes of a name; longer ones end with a hash.
const NAME_BYTES_MAX: usize = 120;

/// The cache in a folder.
#[derive(Debug)]
pub(super) struct Cache {
    folder: PathBuf,
}

impl Cache {
    /// Opens the cache, and deletes what is too old.
    pub(super) fn open(folder: PathBuf) -> io::Result<Cache> {
        fs::create_dir_all(&folder)?;
        delete_older(&folder, KEPT)?;
        Ok(Cache { folder })
    }

    /// An answer that is younger than `age`; with `None`, of any age.
    pub(super) fn get(&self, path: &str, age: Option<Duration>) -> Option<Vec<u8>> {
        let file = self.file(path);
        let written = fs::metadata(&file).ok()?.modified().ok()?;
        // A time in the future has no age: the clock was set back, and the answer is asked for again.
        let is_young = age.is_none_or(|age| written.elapsed().is_ok_and(|held| held < age));
        if is_young { fs::read(file).ok() } else { None }
    }

    /// Keeps an answer. It replaces the former one as a whole, so that no reader sees half of it.
    pub(super) fn put(&self, path: &str, body: &[u8]) -> io::Result<()> {
        let file = self.file(path);
        let part = file.with_extension("part");
        fs::write(&part, body)?;
        fs::rename(part, file)
    }

    fn file(&self, path: &str) -> PathBuf {
        let mut name = file_name(path);
        if name.len() > NAME_BYTES_MAX {
            let hash = Sha256::digest(path.as_bytes());
            name.truncate(NAME_BYTES_MAX);
            name.extend(hash.iter().take(16).map(|byte| format!("{byte:02x}")));
        }
        self.folder.join(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::connection::test_folder::Folder;

    #[test]
    fn answers_are_kept_by_path_and_have_an_age() {
        let folder = Folder::new("cache");
        let cache = Cache::open(folder.path().to_owned()).unwrap();
        let long = "x".repeat(500);
        cache.put("a/b.xml?c=d", b"one").unwrap();
        cache.put(&long, b"two").unwrap();
        cache.put(&format!("{long}y"), b"three").unwrap();
        let hour = Some(Duration::from_secs(3_600));
        assert_eq!(cache.get("a/b.xml?c=d", hour).as_deref(), Some(&b"one"[..]));
        assert_eq!(cache.get(&long, hour).as_deref(), Some(&b"two"[..]));
        assert_eq!(cache.get("a/b.xml?c=d", Some(Duration::ZERO)), None);
        assert_eq!(cache.get("a/b.xml?c=d", None).as_deref(), Some(&b"one"[..]));
        assert_eq!(cache.get("other", None), None);
    }
}
