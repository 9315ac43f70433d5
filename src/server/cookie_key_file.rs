//! The default key that signs cookies, if none is configured (docs/decisions/0009). It is created once and stored in
//! the data folder, so that sessions survive a restart. Called by `server/mod.rs`, which prefers the key that all servers
//! of a store share.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// The name of the file in the data folder.
const FILE: &str = "cookie.key";
/// Bytes of the file: 32 random bytes in hexadecimal.
const LEN: usize = 64;

/// The key in the data folder; created if it is missing.
///
/// # Errors
/// The folder cannot be written, or the file is damaged.
pub(crate) fn load_or_create_key(data_folder: &Path) -> io::Result<Vec<u8>> {
    let file = data_folder.join(FILE);
    match read(&file) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {
            make(data_folder, &file)?;
            read(&file)
        }
        kept => kept,
    }
}

fn read(file: &Path) -> io::Result<Vec<u8>> {
    let key = fs::read(file)?;
    if key.len() == LEN {
        Ok(key)
    } else {
        let what = format!("{} is damaged: delete it, and every bettor begins a new session", file.display());
        Err(io::Error::new(io::ErrorKind::InvalidData, what))
    }
}

/// Creates the file atomically. If another process was faster, its key stays.
fn make(data_folder: &Path, file: &Path) -> io::Result<()> {
    // The same mode as the store uses, which opens the folder later: only the owner may read it.
    DirBuilder::new().recursive(true).mode(0o700).create(data_folder)?;
    let mut bytes = [0; LEN / 2];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let key = kvota_domain::hex::hex(&bytes);
    let draft = data_folder.join(format!("{FILE}.{}", std::process::id()));
    let _ = fs::remove_file(&draft);
    let mut open = OpenOptions::new().write(true).create_new(true).mode(0o600).open(&draft)?;
    open.write_all(key.as_bytes())?;
    open.sync_all()?;
    let linked = fs::hard_link(&draft, file);
    fs::remove_file(&draft)?;
    match linked {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::PermissionsExt;

    #[test]
    fn key_is_created_once_and_readable_by_its_owner_only() {
        let folder = std::env::temp_dir().join(format!("kvota-cookie-key-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let made = load_or_create_key(&folder).unwrap();
        assert_eq!(made.len(), LEN);
        assert_eq!(load_or_create_key(&folder).unwrap(), made, "a restart finds it");
        make(&folder, &folder.join(FILE)).unwrap();
        assert_eq!(load_or_create_key(&folder).unwrap(), made, "who comes second takes it");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder.join(FILE)), mode(&folder)), (0o600, 0o700));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no draft is left");

        fs::write(folder.join(FILE), "short").unwrap();
        assert!(load_or_create_key(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
