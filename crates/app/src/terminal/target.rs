//! Where results go: standard output, or a file written whole or not at all.
//!
//! A file is written under a temporary name beside its place and moved there when it is complete. It keeps the mode of
//! the file it replaces, a new one gets its mode from the umask, and a link stays a link. A device or a pipe is written
//! directly. Whether the place can be written is checked before the work that fills it.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use anyhow::Result;
use tempfile::NamedTempFile;

use super::fault::{BadInput, unwritable};
use super::print::print;

/// The unfinished file, to be removed if the program ends without unwinding.
static UNFINISHED: Mutex<Option<PathBuf>> = Mutex::new(None);

/// Makes a folder for results, unless it is there.
pub fn make_folder(folder: &Path) -> Result<()> {
    let name = folder.display();
    if folder.exists() && !folder.is_dir() {
        return Err(BadInput::new(format!("{name}: this is a file, expected a folder")).into());
    }
    fs::create_dir_all(folder).map_err(|e| BadInput::new(format!("cannot make {name}: {e}")))?;
    Ok(())
}

/// An open place for results.
pub struct Target {
    /// The name that the user gave it.
    name: String,
    sink: Sink,
}

enum Sink {
    Print,
    Straight(BufWriter<File>),
    Whole {
        file: BufWriter<NamedTempFile>,
        path: PathBuf,
    },
}

impl Target {
    /// The file of that name; standard output without one, or for `-`.
    pub fn open(path: Option<&Path>) -> Result<Target> {
        let Some(path) = path.filter(|p| p.as_os_str() != "-") else {
            return Ok(Target {
                name: "standard output".into(),
                sink: Sink::Print,
            });
        };
        let name = path.display().to_string();
        match open(path) {
            Ok(sink) => Ok(Target { name, sink }),
            Err(error) => Err(unwritable(&name, error)),
        }
    }

    /// Writes a piece of the result.
    pub fn write(&mut self, text: &str) -> Result<()> {
        match &mut self.sink {
            Sink::Print => return print(text),
            Sink::Straight(file) => file.write_all(text.as_bytes()),
            Sink::Whole { file, .. } => file.write_all(text.as_bytes()),
        }
        .map_err(|error| unwritable(&self.name, error))
    }

    /// Everything is written: moves the file to its place.
    pub fn finish(self) -> Result<()> {
        let done = match self.sink {
            Sink::Print => Ok(()),
            Sink::Straight(mut file) => file.flush(),
            Sink::Whole { file, path } => put(file, &path),
        };
        done.map_err(|error| unwritable(&self.name, error))
    }
}

/// Writes a whole file.
pub fn write(path: &Path, text: &str) -> Result<()> {
    let mut target = Target::open(Some(path))?;
    target.write(text)?;
    target.finish()
}

/// Removes the unfinished file.
pub fn abandon() {
    if let Ok(mut unfinished) = UNFINISHED.try_lock()
        && let Some(path) = unfinished.take()
    {
        let _ = fs::remove_file(path);
    }
}

fn unfinished(path: Option<PathBuf>) {
    if let Ok(mut unfinished) = UNFINISHED.lock() {
        *unfinished = path;
    }
}

fn open(path: &Path) -> io::Result<Sink> {
    let path = follow(path);
    let there = match fs::metadata(&path) {
        Ok(there) => Some(there),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if there.is_some() {
        let file = OpenOptions::new().write(true).open(&path)?; // an error now, not after the work
        if there.as_ref().is_some_and(|there| !there.is_file()) {
            return Ok(Sink::Straight(BufWriter::new(file)));
        }
    }
    let folder = path.parent().filter(|p| !p.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".noyes-");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o666)); // less what the umask takes away
    }
    let file = builder.tempfile_in(folder.unwrap_or(Path::new(".")))?;
    unfinished(Some(file.path().to_path_buf()));
    if let Some(there) = there {
        file.as_file().set_permissions(there.permissions())?;
    }
    Ok(Sink::Whole {
        file: BufWriter::new(file),
        path,
    })
}

/// The place that links lead to, which need not exist yet.
fn follow(path: &Path) -> PathBuf {
    let mut path = path.to_path_buf();
    for _ in 0..40 {
        let Ok(link) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(link);
    }
    path
}

fn put(file: BufWriter<NamedTempFile>, path: &Path) -> io::Result<()> {
    let file = file.into_inner().map_err(io::IntoInnerError::into_error)?;
    file.as_file().sync_all()?;
    file.persist(path).map_err(|e| e.error)?;
    unfinished(None);
    Ok(())
}
