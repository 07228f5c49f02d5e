//! The lock that makes processes of one machine build a table once.
//!
//! It is a lock of the system on a file beside the table, so it ends with its process, however that ends. Where there are no
//! such locks, or the folder cannot be written, every process builds for itself.

use std::path::Path;

use crate::control::{Control, Stop};

/// Held while a table is built.
pub struct BuildLock {
    /// Whether another process held it first.
    pub has_waited: bool,
    #[cfg(all(unix, feature = "files"))]
    file: Option<std::fs::File>,
}

/// To close the file is not enough: a process that was forked meanwhile has it open, too.
#[cfg(all(unix, feature = "files"))]
impl Drop for BuildLock {
    fn drop(&mut self) {
        if let Some(file) = &self.file {
            let _ = rustix::fs::flock(file, rustix::fs::FlockOperation::Unlock);
        }
    }
}

/// Takes the lock for the table in this file, unless a limit is reached first.
#[cfg(all(unix, feature = "files"))]
pub fn take(table: &Path, control: &Control) -> Result<BuildLock, Stop> {
    use rustix::fs::{FlockOperation, flock};
    let path = table.with_extension("building");
    let folder = path.parent().map(std::fs::create_dir_all);
    let file = match folder {
        Some(Ok(())) => std::fs::File::create(&path).ok(),
        _ => None,
    };
    let mut has_waited = false;
    if let Some(file) = &file {
        while let Err(error) = flock(file, FlockOperation::NonBlockingLockExclusive) {
            if error != rustix::io::Errno::WOULDBLOCK {
                break; // no locks here
            }
            has_waited = true;
            control.poll_stop()?;
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
    Ok(BuildLock { has_waited, file })
}

/// Nothing to lock.
#[cfg(not(all(unix, feature = "files")))]
#[expect(clippy::unnecessary_wraps, reason = "as where there are locks")]
pub fn take(_table: &Path, _control: &Control) -> Result<BuildLock, Stop> {
    Ok(BuildLock { has_waited: false })
}

#[cfg(all(test, unix, feature = "files"))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn a_second_builder_waits_within_its_limits() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("a.pdb");
        let first = take(&table, &Control::new()).unwrap();
        assert!(!first.has_waited);
        let hurried = Control::new().time_limit(Duration::from_millis(30));
        assert_eq!(take(&table, &hurried).err(), Some(Stop::Time));
        let second = std::thread::spawn(move || take(&table, &Control::new()).unwrap().has_waited);
        std::thread::sleep(Duration::from_millis(50));
        drop(first);
        assert!(second.join().unwrap());
    }

    #[test]
    fn a_lock_is_given_back_although_a_fork_has_its_file() {
        let folder = tempfile::tempdir().unwrap();
        let table = folder.path().join("a.pdb");
        let first = take(&table, &Control::new()).unwrap();
        let _of_the_fork = first.file.as_ref().unwrap().try_clone().unwrap();
        drop(first);
        let hurried = Control::new().time_limit(Duration::ZERO);
        assert!(!take(&table, &hurried).unwrap().has_waited);
    }
}
