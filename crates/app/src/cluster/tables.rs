//! Pattern databases for workers, in the object store of the NATS server.
//!
//! `noyes pdb build --nats` puts tables there. A worker that needs a table looks in its folder first, then here, and builds
//! it only if neither has it. The server's digest and the checksum of the file itself are both checked.

use std::path::Path;

use anyhow::{Context as _, Result};
use async_nats::jetstream::object_store::{Config, ObjectMetadata, ObjectStore};
use tokio::io::AsyncReadExt;

use super::link::Link;
use crate::args::Nats;

/// Bytes that are read at once.
const PIECE: usize = 1 << 17;

async fn store(link: &Link) -> Result<ObjectStore> {
    let bucket = link.bucket("tables");
    if let Ok(store) = link.jetstream.get_object_store(&bucket).await {
        return Ok(store);
    }
    let config = Config {
        bucket,
        description: Some("pattern databases of noyes".into()),
        ..Config::default()
    };
    let made = link.jetstream.create_object_store(config).await;
    made.context("the NATS server has no room for tables")
}

/// Finds out whether tables can be put into the store.
pub fn check(args: &Nats) -> Result<()> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        store(&Link::connect(args).await?).await?;
        Ok(())
    })
}

/// Puts the file of a table into the store, unless it is there already; returns whether it was new.
pub fn put(args: &Nats, path: &Path) -> Result<bool> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let link = Link::connect(args).await?;
        let store = store(&link).await?;
        let name = name(path)?;
        let bytes = std::fs::read(path)?;
        // The whole file is compared: a table that was damaged on its way is replaced.
        let hash = Some(format!("blake3 {}", blake3::hash(&bytes).to_hex()));
        if let Ok(there) = store.info(&name).await
            && there.description == hash
            && !there.deleted
        {
            return Ok(false);
        }
        let meta = ObjectMetadata {
            name,
            description: hash,
            chunk_size: Some(PIECE.min(link.most_bytes())),
            ..ObjectMetadata::default()
        };
        let put = store.put(meta, &mut bytes.as_slice()).await;
        put.context("the NATS server does not take the table")?;
        Ok(true)
    })
}

/// Fetches the file of a table, if the store has it.
pub async fn fetch(link: &Link, path: &Path) -> Result<bool> {
    let bucket = link.bucket("tables");
    let Ok(store) = link.jetstream.get_object_store(&bucket).await else {
        return Ok(false);
    };
    let Ok(mut object) = store.get(name(path)?).await else {
        return Ok(false);
    };
    let folder = path.parent().context("a table is in a folder")?;
    std::fs::create_dir_all(folder)?;
    let mut file = tempfile::NamedTempFile::new_in(folder)?;
    let mut piece = vec![0; PIECE];
    loop {
        match object.read(&mut piece).await? {
            0 => break,
            n => std::io::Write::write_all(&mut file, &piece[..n])?,
        }
    }
    file.persist(path)?;
    Ok(true)
}

fn name(path: &Path) -> Result<String> {
    let name = path.file_name().context("a table has a name")?;
    Ok(name.to_string_lossy().into_owned())
}
