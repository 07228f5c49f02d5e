//! Tables on disk: a header that says what the table is of, then its bits.
//!
//! A table is written under a name of its own and renamed when it is whole, so a
//! file of the right name is complete or from elsewhere. It is trusted only after
//! its checksum (BLAKE3, over header and bits) is found right: a wrong bit would
//! be a wrong "optimal".

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use super::blocks::Counting;
use super::table::{Bits, Ground, Key, Table};

/// Bytes before the bits.
const HEADER_BYTES: usize = 128;
const MAGIC: &[u8; 8] = b"NOYESPDB";
const VERSION: u32 = 1;
/// Files being written carry this in front; one that is left over belongs to nobody.
const UNFINISHED: &str = ".unfinished-";

/// Why a file is not the table that was looked for.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not begin as a table does.
    #[error("not a pattern database of noyes")]
    Foreign,
    /// Another version of the format.
    #[error("format version {found}, expected {VERSION}")]
    Version {
        /// The version it says.
        found: u32,
    },
    /// The header was changed.
    #[error("its header does not match its checksum")]
    Header,
    /// A table of something else.
    #[error("the table of {found}")]
    Other {
        /// What it is of.
        found: String,
    },
    /// Too short or too long.
    #[error("{found} bytes long, expected {expected}")]
    Length {
        /// How long it is.
        found: u64,
        /// How long it should be.
        expected: u64,
    },
    /// The bits were changed.
    #[error("its bits do not match their checksum")]
    Bits,
}

/// Writes a table so that its file never appears half written.
pub fn save(path: &Path, key: &Key, bits: &[u8]) -> io::Result<()> {
    let folder = path.parent().expect("a table lies in a folder");
    fs::create_dir_all(folder)?;
    remove_leftovers(folder);
    let mut file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)?;
    file.write_all(&header(key, bits))?;
    file.write_all(bits)?;
    file.as_file().sync_all()?;
    // Readable by all who share the folder, like any other file.
    #[cfg(unix)]
    fs::set_permissions(
        file.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o644),
    )?;
    file.persist(path)?;
    Ok(())
}

/// Opens a table and checks every byte of it.
pub fn load(path: &Path, key: &Key) -> Result<Table, FileError> {
    let mut file = open(path)?;
    let found = read_header(&mut file)?;
    if found.key != *key {
        return Err(FileError::Other {
            found: found.key.name(),
        });
    }
    let ground = Ground::new(found.key);
    let expected = (HEADER_BYTES + ground.table_bytes()) as u64;
    let length = file.metadata()?.len();
    if length != expected || found.bits != ground.table_bytes() as u64 {
        return Err(FileError::Length {
            found: length,
            expected,
        });
    }
    // SAFETY: a mapping is unsound if the file changes under it. Table files are never written in place,
    // by this program or another that keeps to its names: a new table is a new file renamed over the old
    // one, whose mapping stays. Why map at all: processes share one copy, and a table of 190 MB is
    // open at once instead of being read into memory for every short solve.
    #[allow(unsafe_code)]
    let map = unsafe { memmap2::Mmap::map(&file)? };
    if *blake3::hash(&map[HEADER_BYTES..]).as_bytes() != found.checksum {
        return Err(FileError::Bits);
    }
    let bits = Bits::Mapped {
        file: map,
        header: HEADER_BYTES,
    };
    Ok(Table::new(ground, bits))
}

/// What the header of a file says it is, and whether the file is as long as that; the bits are not looked at.
pub fn peek(path: &Path) -> Result<Key, FileError> {
    let mut file = open(path)?;
    let found = read_header(&mut file)?;
    let (length, expected) = (file.metadata()?.len(), HEADER_BYTES as u64 + found.bits);
    if length == expected {
        Ok(found.key)
    } else {
        Err(FileError::Length {
            found: length,
            expected,
        })
    }
}

/// Opens what is a file: a pipe of this name would wait for ever.
fn open(path: &Path) -> Result<File, FileError> {
    if fs::metadata(path)?.is_file() {
        Ok(File::open(path)?)
    } else {
        Err(FileError::Foreign)
    }
}

struct Header {
    key: Key,
    bits: u64,
    checksum: [u8; 32],
}

fn header(key: &Key, bits: &[u8]) -> [u8; HEADER_BYTES] {
    let mut bytes = [0; HEADER_BYTES];
    bytes[..8].copy_from_slice(MAGIC);
    bytes[8..12].copy_from_slice(&VERSION.to_le_bytes());
    bytes[12] = key.width as u8;
    bytes[13] = key.height as u8;
    bytes[14] = key.blank as u8;
    bytes[15] = u8::from(key.counting == Counting::Every);
    bytes[16] = key.cells.len() as u8;
    bytes[17..17 + key.cells.len()].copy_from_slice(&key.cells);
    bytes[32..40].copy_from_slice(&(bits.len() as u64).to_le_bytes());
    bytes[40..72].copy_from_slice(blake3::hash(bits).as_bytes());
    let checksum = blake3::hash(&bytes[..72]);
    bytes[72..104].copy_from_slice(checksum.as_bytes());
    bytes
}

fn read_header(file: &mut File) -> Result<Header, FileError> {
    let mut bytes = [0; HEADER_BYTES];
    let mut length = 0;
    while let n @ 1.. = file.read(&mut bytes[length..])? {
        length += n;
    }
    if length < 8 || bytes[..8] != *MAGIC {
        return Err(FileError::Foreign);
    }
    if length < HEADER_BYTES {
        return Err(FileError::Length {
            found: length as u64,
            expected: HEADER_BYTES as u64,
        });
    }
    let version = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
    if version != VERSION {
        return Err(FileError::Version { found: version });
    }
    if *blake3::hash(&bytes[..72]).as_bytes() != bytes[72..104] {
        return Err(FileError::Header);
    }
    let tiles = usize::from(bytes[16]);
    let key = Key {
        width: bytes[12].into(),
        height: bytes[13].into(),
        blank: bytes[14].into(),
        cells: bytes[17..17 + tiles.min(8)].to_vec(),
        counting: if bytes[15] == 1 {
            Counting::Every
        } else {
            Counting::Pattern
        },
    };
    Ok(Header {
        key,
        bits: u64::from_le_bytes(bytes[32..40].try_into().expect("eight bytes")),
        checksum: bytes[40..72].try_into().expect("32 bytes"),
    })
}

/// Removes what a killed build left behind long ago.
fn remove_leftovers(folder: &Path) {
    const LONG: Duration = Duration::from_secs(24 * 3600);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let age = entry
            .metadata()
            .and_then(|m| m.modified())
            .ok()
            .and_then(|t| t.elapsed().ok());
        if is_unfinished && age.is_some_and(|age| age > LONG) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::control::Control;

    fn saved() -> (tempfile::TempDir, std::path::PathBuf, Key) {
        let key = Key {
            width: 3,
            height: 3,
            blank: 0,
            cells: vec![1, 2, 3, 4],
            counting: Counting::Pattern,
        };
        let ground = Ground::new(key.clone());
        let bits = ground.build(1, &Control::new(), None, &|_| {}).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("below/table.pdb");
        save(&path, &key, &bits).unwrap();
        (folder, path, key)
    }

    #[test]
    fn a_saved_table_loads_and_nothing_else_lies_beside_it() {
        let (_folder, path, key) = saved();
        let table = load(&path, &key).unwrap();
        assert_eq!(table.ground().key, key);
        assert_eq!(peek(&path).unwrap(), key);
        assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
    }

    #[test]
    fn every_flipped_bit_and_every_lost_byte_is_caught() {
        let (_folder, path, key) = saved();
        let whole = fs::read(&path).unwrap();
        for at in (0..whole.len())
            .step_by(7)
            .chain(0..104)
            .chain([whole.len() - 1])
        {
            if (104..HEADER_BYTES).contains(&at) {
                continue; // padding that means nothing
            }
            let mut bytes = whole.clone();
            bytes[at] ^= 1 << (at % 8);
            fs::write(&path, &bytes).unwrap();
            assert!(load(&path, &key).is_err(), "a flip in byte {at}");
        }
        for length in [0, 7, 8, 100, HEADER_BYTES, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(load(&path, &key).is_err(), "cut to {length} bytes");
        }
        fs::write(&path, [whole.as_slice(), b"more"].concat()).unwrap();
        assert!(matches!(load(&path, &key), Err(FileError::Length { .. })));
    }

    #[test]
    fn other_tables_versions_and_files_are_told_apart() {
        let (_folder, path, key) = saved();
        let other = Key {
            cells: vec![1, 2, 3, 5],
            ..key.clone()
        };
        assert!(matches!(load(&path, &other), Err(FileError::Other { .. })));
        let mut bytes = fs::read(&path).unwrap();
        bytes[8] = 99;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(
            load(&path, &key),
            Err(FileError::Version { found: 99 })
        ));
        fs::write(&path, "a text").unwrap();
        assert!(matches!(load(&path, &key), Err(FileError::Foreign)));
        assert!(matches!(
            load(&path.with_extension("none"), &key),
            Err(FileError::Io(_))
        ));
    }
}
