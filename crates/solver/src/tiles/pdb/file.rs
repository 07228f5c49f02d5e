//! Tables on disk: a header that says what the table is of, then its bits.
//!
//! A table is written to a temporary file and renamed when it is complete, so a
//! reader never sees half a table. A file is trusted only after its checksums
//! (BLAKE3, of the header and of the bits) are verified: a wrong bit would be a
//! wrong "optimal".

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Duration;

use super::blocks::Counting;
use super::huge_pages;
use super::table::{Ground, Key, Table};
use super::words::MOST_TILES;
use crate::control::{Control, Stop};

/// Bytes before the bits.
const HEADER_BYTES: usize = 128;
const MAGIC: &[u8; 8] = b"NOYESPDB";
const VERSION: u32 = 1;
/// Names of files being written begin with this. A build that was killed leaves one behind.
const UNFINISHED: &str = ".unfinished-";

/// Why a file cannot be used as a table.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FileError {
    /// It cannot be read.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not begin like a table.
    #[error("not a pattern database of noyes")]
    Foreign,
    /// Another version of the format.
    #[error("format version {found}, expected {VERSION}")]
    Version {
        /// Its version.
        found: u32,
    },
    /// The header was changed.
    #[error("its header does not match its checksum")]
    Header,
    /// The header describes a table that cannot exist.
    #[error("its header makes no sense: {0}")]
    Impossible(String),
    /// A table of another pattern.
    #[error("the table of {found}")]
    Other {
        /// The name of that pattern.
        found: String,
    },
    /// Too short or too long.
    #[error("{found} bytes long, expected {expected}")]
    Length {
        /// Its length in bytes.
        found: u64,
        /// The length of the table, or a lower bound on it.
        expected: u64,
    },
    /// The bits were changed.
    #[error("its bits do not match their checksum")]
    Bits,
    /// A limit was reached before it was read.
    #[error("not read ({0})")]
    Stopped(Stop),
}

/// Writes a table. Its file appears only once it is complete.
pub fn save(path: &Path, key: &Key, bits: &[u8]) -> io::Result<()> {
    let folder = path.parent().expect("a table is in a folder");
    fs::create_dir_all(folder)?;
    remove_leftovers(folder);
    let mut file = tempfile::Builder::new()
        .prefix(UNFINISHED)
        .tempfile_in(folder)?;
    file.write_all(&header(key, bits))?;
    file.write_all(bits)?;
    file.as_file().sync_all()?;
    // Temporary files are private; a table may be read by everyone who shares the folder.
    #[cfg(unix)]
    fs::set_permissions(
        file.path(),
        std::os::unix::fs::PermissionsExt::from_mode(0o644),
    )?;
    file.persist(path)?;
    Ok(())
}

/// Reads a table into memory and checks every byte of it.
///
/// The bytes that are checked are the bytes that are used: a mapped file could be truncated or overwritten
/// later, during the search. Each process has its own copy: for 7-8 on 4×4, 196 MB and 0.1 to 0.2 s.
pub fn load(path: &Path, key: &Key, control: &Control) -> Result<Table, FileError> {
    let (mut file, length) = open(path)?;
    let found = read_header(&mut file)?;
    if found.key != *key {
        return Err(FileError::Other {
            found: found.key.name(),
        });
    }
    let wrong_length = |expected: usize| FileError::Length {
        found: length,
        expected: (HEADER_BYTES + expected) as u64,
    };
    // The ground of a large table takes seconds: a short file has to be refused before that.
    let least = Ground::least_table_bytes(key);
    if length < (HEADER_BYTES + least) as u64 {
        return Err(wrong_length(least));
    }
    let ground = Ground::new(found.key);
    let bytes = ground.table_bytes();
    if length != (HEADER_BYTES + bytes) as u64 {
        return Err(wrong_length(bytes));
    }
    if found.bits != bytes as u64 {
        let why = format!("{} bytes of bits, expected {bytes}", found.bits);
        return Err(FileError::Impossible(why));
    }
    control
        .allow_table_bytes(bytes)
        .map_err(FileError::Stopped)?;
    let bits = read_bits(&mut file, bytes, &found.checksum, control)?;
    Ok(Table::new(ground, bits))
}

/// Reads the bits piece by piece and checks each while it is in the processor's cache.
fn read_bits(
    file: &mut File,
    bytes: usize,
    checksum: &[u8; 32],
    control: &Control,
) -> Result<Vec<u8>, FileError> {
    const PIECE: usize = 1 << 20;
    let mut bits = vec![];
    bits.try_reserve_exact(bytes)
        .map_err(|_| io::Error::from(io::ErrorKind::OutOfMemory))?;
    huge_pages::advise(bits.spare_capacity_mut());
    let mut hasher = blake3::Hasher::new();
    while bits.len() < bytes {
        control.poll_stop().map_err(FileError::Stopped)?;
        let begin = bits.len();
        let piece = PIECE.min(bytes - begin) as u64;
        if file.take(piece).read_to_end(&mut bits)? == 0 {
            return Err(FileError::Length {
                found: (HEADER_BYTES + begin) as u64,
                expected: (HEADER_BYTES + bytes) as u64,
            });
        }
        hasher.update(&bits[begin..]);
    }
    if *hasher.finalize().as_bytes() == *checksum {
        Ok(bits)
    } else {
        Err(FileError::Bits)
    }
}

/// Reads which table the header of a file describes, and checks the length of the file but not its bits.
pub fn peek(path: &Path) -> Result<Key, FileError> {
    let (mut file, length) = open(path)?;
    let found = read_header(&mut file)?;
    if length.checked_sub(HEADER_BYTES as u64) == Some(found.bits) {
        Ok(found.key)
    } else {
        Err(FileError::Length {
            found: length,
            expected: found.bits.saturating_add(HEADER_BYTES as u64),
        })
    }
}

/// Opens a regular file and gets its length. (A pipe of this name would block for ever.)
fn open(path: &Path) -> Result<(File, u64), FileError> {
    if !fs::metadata(path)?.is_file() {
        return Err(FileError::Foreign);
    }
    let file = File::open(path)?;
    let length = file.metadata()?.len();
    Ok((file, length))
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
    let mut bytes = vec![];
    file.take(HEADER_BYTES as u64).read_to_end(&mut bytes)?;
    parse_header(&bytes)
}

fn parse_header(bytes: &[u8]) -> Result<Header, FileError> {
    if !bytes.starts_with(MAGIC) {
        return Err(FileError::Foreign);
    }
    let Ok(bytes) = <&[u8; HEADER_BYTES]>::try_from(bytes) else {
        return Err(FileError::Length {
            found: bytes.len() as u64,
            expected: HEADER_BYTES as u64,
        });
    };
    let version = u32::from_le_bytes(bytes[8..12].try_into().expect("four bytes"));
    if version != VERSION {
        return Err(FileError::Version { found: version });
    }
    if *blake3::hash(&bytes[..72]).as_bytes() != bytes[72..104] {
        return Err(FileError::Header);
    }
    Ok(Header {
        key: parse_key(bytes).map_err(FileError::Impossible)?,
        bits: u64::from_le_bytes(bytes[32..40].try_into().expect("eight bytes")),
        checksum: bytes[40..72].try_into().expect("32 bytes"),
    })
}

/// The key of a header; an error if no board has such a table. A checksum proves no good intentions.
fn parse_key(bytes: &[u8; HEADER_BYTES]) -> Result<Key, String> {
    let [width, height, blank, counting, tiles] =
        [12, 13, 14, 15, 16].map(|at| usize::from(bytes[at]));
    let cells = width * height;
    if !Key::has_tables(width, height) {
        return Err(format!("a {width}x{height} board has no tables"));
    }
    if blank >= cells {
        return Err(format!("the blank is on cell {blank} of {cells}"));
    }
    if !(1..=MOST_TILES).contains(&tiles) || tiles >= cells {
        return Err(format!("{tiles} tiles on a {width}x{height} board"));
    }
    let pattern = &bytes[17..17 + tiles];
    let is_tile = |&cell: &u8| usize::from(cell) < cells && usize::from(cell) != blank;
    if !pattern.is_sorted_by(|a, b| a < b) || !pattern.iter().all(is_tile) {
        return Err(format!("tiles on the cells {pattern:?}"));
    }
    Ok(Key {
        width,
        height,
        blank,
        cells: pattern.to_vec(),
        counting: match counting {
            0 => Counting::Pattern,
            1 => Counting::Every,
            other => return Err(format!("way {other} of counting moves")),
        },
    })
}

/// Removes what killed builds left behind more than a day ago.
fn remove_leftovers(folder: &Path) {
    const DAY: Duration = Duration::from_secs(24 * 3600);
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let is_unfinished = entry.file_name().to_string_lossy().starts_with(UNFINISHED);
        let age = entry
            .metadata()
            .and_then(|m| m.modified())
            .ok()
            .and_then(|t| t.elapsed().ok());
        if is_unfinished && age.is_some_and(|age| age > DAY) {
            let _ = fs::remove_file(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let table = load(&path, &key, &Control::new()).unwrap();
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
            assert!(
                load(&path, &key, &Control::new()).is_err(),
                "a flip in byte {at}"
            );
        }
        for length in [0, 7, 8, 100, HEADER_BYTES, whole.len() / 2, whole.len() - 1] {
            fs::write(&path, &whole[..length]).unwrap();
            assert!(
                load(&path, &key, &Control::new()).is_err(),
                "cut to {length} bytes"
            );
        }
        fs::write(&path, [whole.as_slice(), b"more"].concat()).unwrap();
        assert!(matches!(
            load(&path, &key, &Control::new()),
            Err(FileError::Length { .. })
        ));
    }

    /// What `load` says of a file after its header was changed and its checksum made to fit again.
    fn forged(path: &Path, key: &Key, change: impl Fn(&mut [u8])) -> String {
        let mut bytes = fs::read(path).unwrap();
        change(&mut bytes);
        seal(&mut bytes);
        let file = path.with_extension("forged");
        fs::write(&file, &bytes).unwrap();
        let error = load(&file, key, &Control::new()).err().unwrap();
        let peeked = peek(&file);
        assert!(peeked.is_err() || !matches!(error, FileError::Impossible(_)));
        error.to_string()
    }

    fn seal(bytes: &mut [u8]) {
        let checksum = blake3::hash(&bytes[..72]);
        bytes[72..104].copy_from_slice(checksum.as_bytes());
    }

    #[test]
    fn a_header_that_makes_no_sense_is_refused_whatever_its_checksum() {
        type Change = fn(&mut [u8]);
        let (_folder, path, key) = saved();
        for (change, said) in [
            ((|b| b[12] = 255) as Change, "a 255x3 board has no tables"),
            (|b| b[13] = 1, "a 3x1 board has no tables"),
            (|b| b[12] = 0, "a 0x3 board has no tables"),
            (|b| b[14] = 9, "the blank is on cell 9 of 9"),
            (|b| b[15] = 2, "way 2 of counting moves"),
            (|b| b[16] = 0, "0 tiles on a 3x3 board"),
            (|b| b[16] = 255, "255 tiles on a 3x3 board"),
            (|b| b[17] = 2, "tiles on the cells [2, 2, 3, 4]"),
            (|b| b[17] = 0, "tiles on the cells [0, 2, 3, 4]"),
            (|b| b[20] = 9, "tiles on the cells [1, 2, 3, 9]"),
            (
                |b| b[32..40].fill(255),
                "18446744073709551615 bytes of bits, expected 696",
            ),
        ] {
            let error = forged(&path, &key, change);
            assert!(error.contains(said), "{error}");
        }
    }

    #[test]
    fn a_short_file_of_a_huge_table_is_refused_before_its_ground_is_made() {
        let (_folder, path, _) = saved();
        let key = Key {
            width: 5,
            height: 5,
            blank: 0,
            cells: (1..=8).collect(),
            counting: Counting::Pattern,
        };
        fs::write(&path, header(&key, b"short")).unwrap();
        File::options()
            .append(true)
            .open(&path)
            .unwrap()
            .write_all(b"short")
            .unwrap();
        assert_eq!(peek(&path).unwrap(), key);
        let error = load(&path, &key, &Control::new()).err().unwrap();
        let expected = 128 + 40320 * 1_081_575u64.div_ceil(8);
        assert!(
            matches!(error, FileError::Length { found: 133, expected: e } if e == expected),
            "{error}"
        );
    }

    #[test]
    fn limits_hold_while_a_table_is_read() {
        let (_folder, path, key) = saved();
        let stopped = |control: Control| match load(&path, &key, &control) {
            Err(FileError::Stopped(stop)) => Some(stop),
            _ => None,
        };
        assert_eq!(
            stopped(Control::new().memory_limit(600)),
            Some(Stop::Memory)
        );
        assert_eq!(
            stopped(Control::new().time_limit(Duration::ZERO)),
            Some(Stop::Time)
        );
        assert_eq!(stopped(Control::new().memory_limit(1 << 20)), None);
    }

    /// The same inode, as `cp` and `rsync --inplace` write it.
    #[test]
    fn a_table_stays_as_it_was_read_when_its_file_is_overwritten_or_truncated() {
        let (_folder, path, key) = saved();
        let table = load(&path, &key, &Control::new()).unwrap();
        let before = table.bits().to_vec();
        let mut file = File::options().write(true).open(&path).unwrap();
        file.write_all(&vec![0xff; 824]).unwrap();
        assert!(table.bits() == before);
        file.set_len(0).unwrap();
        assert!(table.bits() == before);
        assert!(load(&path, &key, &Control::new()).is_err());
    }

    proptest::proptest! {
        #[test]
        fn random_bytes_are_refused(mut bytes: Vec<u8>, magic: bool) {
            if magic {
                bytes.splice(0..0, [MAGIC.as_slice(), &VERSION.to_le_bytes()].concat());
            }
            proptest::prop_assert!(parse_header(&bytes).is_err());
        }

        /// A header that is sealed again describes a table that can be made, or it is refused. Loading it fails in
        /// either case, unless it still says what it said before.
        #[test]
        fn a_sealed_header_with_any_fields_is_refused_or_makes_sense(
            fields: [u8; 28],
            flips in proptest::collection::vec((12usize..72, 0u8..8), 0..4),
            random: bool,
        ) {
            let (_folder, path, key) = saved();
            let mut bytes = fs::read(&path).unwrap();
            let before = bytes.clone();
            if random {
                bytes[12..40].copy_from_slice(&fields);
            }
            for (at, bit) in flips {
                bytes[at] ^= 1 << bit;
            }
            seal(&mut bytes);
            if let Ok(header) = parse_header(&bytes[..HEADER_BYTES]) {
                let found = header.key;
                proptest::prop_assert!(found.width * found.height <= Key::MOST_CELLS);
                fs::write(&path, &bytes).unwrap();
                let loads = load(&path, &found, &Control::new()).is_ok();
                // Where the blank of the goal is changes no length; the bits are those of another goal.
                let same_bits = bytes[32..72] == before[32..72];
                proptest::prop_assert!(!loads || same_bits);
                proptest::prop_assert_eq!(load(&path, &key, &Control::new()).is_ok(), loads && found == key);
            }
        }
    }

    #[test]
    fn other_tables_versions_and_files_are_refused() {
        let (_folder, path, key) = saved();
        let other = Key {
            cells: vec![1, 2, 3, 5],
            ..key.clone()
        };
        assert!(matches!(
            load(&path, &other, &Control::new()),
            Err(FileError::Other { .. })
        ));
        let mut bytes = fs::read(&path).unwrap();
        bytes[8] = 99;
        fs::write(&path, &bytes).unwrap();
        assert!(matches!(
            load(&path, &key, &Control::new()),
            Err(FileError::Version { found: 99 })
        ));
        fs::write(&path, "a text").unwrap();
        assert!(matches!(
            load(&path, &key, &Control::new()),
            Err(FileError::Foreign)
        ));
        assert!(matches!(
            load(&path.with_extension("none"), &key, &Control::new()),
            Err(FileError::Io(_))
        ));
    }
}
