//! What this machine offers: free memory, and a folder for tables.

use std::path::{Path, PathBuf};

/// Our folder in the platform's cache folder.
pub fn cache_folder() -> Option<PathBuf> {
    use etcetera::BaseStrategy;
    let strategy = etcetera::choose_base_strategy().ok()?;
    Some(strategy.cache_dir().join("noyes"))
}

/// The default folder of pattern databases.
pub fn table_folder() -> Option<PathBuf> {
    Some(cache_folder()?.join("pdb"))
}

/// Three quarters of the free memory.
pub fn default_memory() -> Option<usize> {
    free_memory().map(|bytes| bytes / 4 * 3)
}

/// The memory that the system, and our control group, could hand out now; none if it is not known.
fn free_memory() -> Option<usize> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find(|l| l.starts_with("MemAvailable:"))?;
    let kib: usize = line.split_whitespace().nth(1)?.parse().ok()?;
    let group = free_in_group().unwrap_or(usize::MAX);
    Some((kib * 1024).min(group))
}

/// What the tightest memory limit of our control group and of those around it leaves.
fn free_in_group() -> Option<usize> {
    let groups = std::fs::read_to_string("/proc/self/cgroup").ok()?;
    let number = |path: &Path| -> Option<usize> {
        std::fs::read_to_string(path).ok()?.trim().parse().ok() // "max" is no number: no limit
    };
    let mut least = None;
    for line in groups.lines() {
        let mut fields = line.splitn(3, ':').skip(1);
        let (kind, group) = (fields.next()?, fields.next()?.trim_start_matches('/'));
        let (root, limit, used) = match kind {
            "" => ("/sys/fs/cgroup", "memory.max", "memory.current"),
            kind if kind.split(',').any(|k| k == "memory") => (
                "/sys/fs/cgroup/memory",
                "memory.limit_in_bytes",
                "memory.usage_in_bytes",
            ),
            _ => continue,
        };
        for folder in Path::new(root).join(group).ancestors() {
            if let (Some(limit), Some(used)) =
                (number(&folder.join(limit)), number(&folder.join(used)))
            {
                let cache = reclaimable(&folder.join("memory.stat"));
                let free = limit.saturating_sub(used.saturating_sub(cache));
                least = Some(free.min(least.unwrap_or(usize::MAX)));
            }
            if folder == Path::new(root) {
                break;
            }
        }
    }
    least
}

/// Cached files count as free: they can be read again.
fn reclaimable(stat: &Path) -> usize {
    let text = std::fs::read_to_string(stat).unwrap_or_default();
    let line = text.lines().find_map(|l| l.strip_prefix("inactive_file "));
    line.and_then(|n| n.trim().parse().ok()).unwrap_or(0)
}
