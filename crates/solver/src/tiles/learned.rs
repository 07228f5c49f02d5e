//! Automata of redundant move sequences on disk. Deep ones take seconds to learn.
//!
//! A file has a checksum (BLAKE3) and then numbers of 32 bits. One that is damaged is learned again.

use std::path::Path;

use noyes_puzzle::Duplicates;
use noyes_puzzle::graph::Graph;

use crate::control::{Control, Stop};

/// Depths that are learned in no time are not kept.
#[cfg(feature = "files")]
const LEAST: usize = 12;

/// The automaton of a board, from the folder if it is there, else learned and saved.
///
/// # Errors
/// If a limit is reached before it is learned.
#[cfg(feature = "files")]
pub fn learned(
    folder: Option<&Path>,
    width: usize,
    height: usize,
    depth: usize,
    control: &Control,
) -> Result<Duplicates, Stop> {
    let graph = Graph::grid(width, height);
    let path = (folder.filter(|_| depth >= LEAST))
        .map(|folder| folder.join(format!("{width}x{height}-duplicates{depth}.walks")));
    if let Some(path) = &path
        && let Some(automaton) = read(path, &graph)
    {
        return Ok(automaton);
    }
    let automaton = learn(&graph, depth, control)?;
    if let Some(path) = &path {
        // Without the file it is learned again next time.
        let _ = write(path, &automaton);
    }
    Ok(automaton)
}

/// Learned: there are no files here.
#[cfg(not(feature = "files"))]
pub fn learned(
    _: Option<&Path>,
    width: usize,
    height: usize,
    depth: usize,
    control: &Control,
) -> Result<Duplicates, Stop> {
    learn(&Graph::grid(width, height), depth, control)
}

/// The automaton of a graph, learned within limits.
///
/// # Errors
/// If a limit is reached first.
pub fn learn(graph: &Graph, depth: usize, control: &Control) -> Result<Duplicates, Stop> {
    let mut stop = None;
    let learned = Duplicates::learn(graph, depth, &mut || {
        stop = control.poll_stop().err();
        stop.is_none()
    });
    learned.ok_or_else(|| stop.expect("only a limit ends it"))
}

#[cfg(feature = "files")]
fn read(path: &Path, graph: &Graph) -> Option<Duplicates> {
    let bytes = std::fs::read(path).ok()?;
    let (checksum, numbers) = bytes.split_at_checked(32)?;
    if blake3::hash(numbers).as_bytes()[..] != *checksum || numbers.len() % 4 != 0 {
        return None;
    }
    let number = |bytes: &[u8]| u32::from_le_bytes(bytes.try_into().expect("four bytes"));
    let numbers: Vec<u32> = numbers.chunks_exact(4).map(number).collect();
    Duplicates::from_numbers(graph, &numbers)
}

#[cfg(feature = "files")]
fn write(path: &Path, automaton: &Duplicates) -> std::io::Result<()> {
    use std::io::Write;
    let numbers = automaton.to_numbers();
    let numbers: Vec<u8> = numbers.iter().flat_map(|n| n.to_le_bytes()).collect();
    let folder = path.parent().expect("a file in a folder");
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::Builder::new()
        .prefix(".walks-")
        .tempfile_in(folder)?;
    file.write_all(blake3::hash(&numbers).as_bytes())?;
    file.write_all(&numbers)?;
    file.as_file().sync_all()?;
    file.persist(path)?;
    Ok(())
}

#[cfg(all(test, feature = "files"))]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn deep_automata_are_kept_and_damage_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let learn = |depth| learned(Some(folder.path()), 3, 3, depth, &Control::new()).unwrap();
        learn(8);
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
        let first = learn(14);
        let path = folder.path().join("3x3-duplicates14.walks");
        assert_eq!(read(&path, &Graph::grid(3, 3)), Some(first.clone()));
        assert_eq!(read(&path, &Graph::grid(4, 3)), None);
        let mut bytes = std::fs::read(&path).unwrap();
        let last = bytes.len() - 1;
        bytes[last] ^= 1;
        std::fs::write(&path, &bytes).unwrap();
        assert_eq!(read(&path, &Graph::grid(3, 3)), None);
        assert_eq!(learn(14), first);
        assert_eq!(read(&path, &Graph::grid(3, 3)), Some(first));
    }

    #[test]
    fn learning_keeps_to_the_time_limit_and_leaves_no_file() {
        let folder = tempfile::tempdir().unwrap();
        let begun = std::time::Instant::now();
        let limit = Control::new().time_limit(Duration::from_millis(20));
        let learned = learned(Some(folder.path()), 5, 5, 16, &limit);
        assert_eq!(learned, Err(Stop::Time));
        assert!(begun.elapsed() < Duration::from_secs(5));
        assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
    }
}
