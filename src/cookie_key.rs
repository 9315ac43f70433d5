//! The key that signs cookies where none is configured (docs/decisions/0009): the installation makes one for itself and
//! keeps it in its data folder, so that sessions survive a restart. Called once, by `serving.rs`, which prefers to a key of
//! one's own the one that all servers of a store share.

use std::fs::{self, DirBuilder, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

/// The file in the data folder.
const FILE: &str = "cookie.key";
/// Bytes of a key, and of its file: 32 random ones in hexadecimal digits.
const LEN: usize = 64;

/// The key that is kept in the data folder, which is made where there is none.
///
/// # Errors
/// Where the folder cannot be written or the file is not one of ours.
pub(crate) fn kept_key(data_folder: &Path) -> io::Result<Vec<u8>> {
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

/// Makes the file as a whole or not at all; where another process was faster, its key stays.
fn make(data_folder: &Path, file: &Path) -> io::Result<()> {
    // As the store makes it, which comes second: what lies in it is nobody else's to look at.
    DirBuilder::new().recursive(true).mode(0o700).create(data_folder)?;
    let mut bytes = [0; LEN / 2];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    let key: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
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
    fn a_key_is_made_once_and_for_its_owner_alone() {
        let folder = std::env::temp_dir().join(format!("kvota-cookie-key-{}", std::process::id()));
        let _ = fs::remove_dir_all(&folder);
        let made = kept_key(&folder).unwrap();
        assert_eq!(made.len(), LEN);
        assert_eq!(kept_key(&folder).unwrap(), made, "a restart finds it");
        make(&folder, &folder.join(FILE)).unwrap();
        assert_eq!(kept_key(&folder).unwrap(), made, "who comes second takes it");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!((mode(&folder.join(FILE)), mode(&folder)), (0o600, 0o700));
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1, "no draft is left");

        fs::write(folder.join(FILE), "short").unwrap();
        assert!(kept_key(&folder).is_err());
        fs::remove_dir_all(&folder).unwrap();
    }
}
