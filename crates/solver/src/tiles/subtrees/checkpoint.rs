//! Checkpoints: how far a search is, in a file, so that a run that was cut off can go on.
//!
//! A checkpoint says what is searched (start, goal, heuristic, duplicates), which limit, where its tree is cut, and which
//! subtrees are done, with the counts so far. It is a few lines of text with a checksum at the end. A file is replaced as a
//! whole, so a kill at any moment leaves the one before.

use std::fmt::{self, Write as _};
use std::path::{Path, PathBuf};

/// A file that cannot be used as a checkpoint.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{path}: {why}")]
pub struct CheckpointError {
    /// The file.
    pub path: String,
    /// What is wrong with it.
    pub why: String,
}

/// Where to keep checkpoints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Keep {
    /// In this file, from the beginning.
    File(PathBuf),
    /// In a file of this folder, once a search has taken a minute.
    Folder(PathBuf),
}

/// How far a search is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Checkpoint {
    /// Start, goal, heuristic and duplicates, as text.
    pub what: Vec<(String, String)>,
    pub limit: u32,
    /// States expanded and generated in all limits before.
    pub before: (u64, u64),
    /// States expanded in the limit before, which says where to cut.
    pub last: u64,
    /// The depth of the frontier.
    pub depth: u8,
    /// By subtree.
    pub done: Vec<bool>,
    /// States expanded and generated in the subtrees that are done.
    pub counts: (u64, u64),
}

const TITLE: &str = "noyes checkpoint 1";

impl Keep {
    /// The file for a search.
    pub fn path(&self, what: &[(String, String)]) -> PathBuf {
        match self {
            Keep::File(path) => path.clone(),
            Keep::Folder(folder) => {
                let lines: Vec<String> = what.iter().map(|(k, v)| format!("{k} {v}")).collect();
                folder.join(format!("{}.txt", &checksum(&lines.join("\n"))[..16]))
            }
        }
    }
}

impl fmt::Display for Checkpoint {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        let mut text = format!("{TITLE}\n");
        for (name, value) in &self.what {
            writeln!(text, "{name} {value}")?;
        }
        writeln!(text, "limit {}", self.limit)?;
        writeln!(text, "before {} {}", self.before.0, self.before.1)?;
        writeln!(text, "last {}", self.last)?;
        writeln!(text, "cut {} {}", self.depth, self.done.len())?;
        writeln!(text, "counts {} {}", self.counts.0, self.counts.1)?;
        text.push_str("done ");
        for four in self.done.chunks(4) {
            let digit = (0..4).filter(|&i| four.get(i) == Some(&true));
            write!(text, "{:x}", digit.fold(0, |digit, i| digit | 1 << i))?;
        }
        text.push('\n');
        writeln!(f, "{text}checksum {}", checksum(&text))
    }
}

impl Checkpoint {
    /// Reads a checkpoint of this search; `None` if there is no such file.
    ///
    /// # Errors
    /// If the file cannot be read, is damaged, or is of another search.
    pub fn read(
        path: &Path,
        what: &[(String, String)],
    ) -> Result<Option<Checkpoint>, CheckpointError> {
        let error = |why: String| CheckpointError {
            path: path.display().to_string(),
            why,
        };
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return Ok(None),
            Err(e) => return Err(error(format!("cannot be read as a checkpoint: {e}"))),
        };
        if !text.starts_with(TITLE) {
            return Err(error(format!(
                "is no checkpoint (expected a file that begins with {TITLE:?})"
            )));
        }
        let checkpoint = Checkpoint::parse(&text, what.len())
            .ok_or_else(|| error("is a damaged checkpoint: delete it to begin anew".into()))?;
        for ((name, is), (_, expected)) in checkpoint.what.iter().zip(what) {
            if is != expected {
                return Err(error(format!(
                    "is the checkpoint of another search: {name} is {is}, expected {expected}"
                )));
            }
        }
        Ok(Some(checkpoint))
    }

    fn parse(text: &str, whats: usize) -> Option<Checkpoint> {
        let (body, sum) = text.trim_end().rsplit_once("checksum ")?;
        if checksum(body) != sum {
            return None;
        }
        let mut lines = body.lines().skip(1);
        let what = (0..whats).map(|_| {
            let (name, value) = lines.next()?.split_once(' ')?;
            Some((name.to_owned(), value.to_owned()))
        });
        let what = what.collect::<Option<_>>()?;
        let mut numbers = |name: &str| -> Option<Vec<u64>> {
            let rest = lines.next()?.strip_prefix(name)?;
            rest.split_whitespace().map(|n| n.parse().ok()).collect()
        };
        let [limit] = numbers("limit")?[..] else {
            return None;
        };
        let [expanded, generated] = numbers("before")?[..] else {
            return None;
        };
        let [last] = numbers("last")?[..] else {
            return None;
        };
        let [depth, subtrees] = numbers("cut")?[..] else {
            return None;
        };
        let [done_expanded, done_generated] = numbers("counts")?[..] else {
            return None;
        };
        let digits = lines.next()?.strip_prefix("done ")?;
        let mut done = vec![];
        for digit in digits.chars() {
            let digit = digit.to_digit(16)?;
            done.extend((0..4).map(|i| digit >> i & 1 == 1));
        }
        done.truncate(usize::try_from(subtrees).ok()?);
        (done.len() as u64 == subtrees).then_some(Checkpoint {
            what,
            limit: limit.try_into().ok()?,
            before: (expanded, generated),
            last,
            depth: depth.try_into().ok()?,
            done,
            counts: (done_expanded, done_generated),
        })
    }

    /// Writes the checkpoint in the place of the one before.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, path: &Path) -> std::io::Result<()> {
        let folder = path.parent().filter(|folder| *folder != Path::new(""));
        let folder = folder.unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        replace(path, folder, &self.to_string())
    }
}

#[cfg(feature = "files")]
fn replace(path: &Path, folder: &Path, text: &str) -> std::io::Result<()> {
    use std::io::Write;
    let mut file = tempfile::Builder::new()
        .prefix(".checkpoint-")
        .tempfile_in(folder)?;
    file.write_all(text.as_bytes())?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(not(feature = "files"))]
fn replace(path: &Path, folder: &Path, text: &str) -> std::io::Result<()> {
    let new = folder.join(".checkpoint-new");
    std::fs::write(&new, text)?;
    std::fs::rename(new, path)
}

#[cfg(feature = "files")]
fn checksum(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

#[cfg(not(feature = "files"))]
fn checksum(text: &str) -> String {
    use std::hash::BuildHasher;
    format!("{:016x}", rustc_hash::FxBuildHasher.hash_one(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn what() -> Vec<(String, String)> {
        vec![
            ("start".into(), "1 0/2 3".into()),
            ("goal".into(), "0 1/2 3".into()),
        ]
    }

    fn checkpoint() -> Checkpoint {
        Checkpoint {
            what: what(),
            limit: 90,
            before: (1_000, 2_000),
            last: 900,
            depth: 5,
            done: (0..11).map(|i| i % 3 == 0).collect(),
            counts: (70, 140),
        }
    }

    #[test]
    fn a_checkpoint_reads_back_and_a_changed_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a/checkpoint.txt");
        assert_eq!(Checkpoint::read(&path, &what()), Ok(None));
        checkpoint().write(&path).unwrap();
        assert_eq!(Checkpoint::read(&path, &what()), Ok(Some(checkpoint())));
        assert_eq!(
            std::fs::read_dir(path.parent().unwrap()).unwrap().count(),
            1
        );
        let text = std::fs::read_to_string(&path).unwrap();
        let why = |text: &str| {
            std::fs::write(&path, text).unwrap();
            Checkpoint::read(&path, &what()).unwrap_err().to_string()
        };
        assert!(why(&text.replace("limit 90", "limit 92")).contains("is a damaged checkpoint"));
        assert!(why(&text[..text.len() / 2]).contains("is a damaged checkpoint"));
        assert!(why("something else").contains("is no checkpoint"));
        checkpoint().write(&path).unwrap();
        let mut other = what();
        other[1].1 = "3 1/2 0".into();
        let why = Checkpoint::read(&path, &other).unwrap_err().to_string();
        assert!(
            why.ends_with("is the checkpoint of another search: goal is 0 1/2 3, expected 3 1/2 0")
        );
    }
}
