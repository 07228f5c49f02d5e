//! `noyes cluster`: what goes on, and how to end it.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::Result;
use futures_util::StreamExt;
use serde::Serialize;

use super::link::Link;
use super::queue::Queue;
use super::run::Run;
use crate::args::Cluster;
use crate::record::json_line;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::{counted, print};

/// Everything about a cluster.
#[derive(Serialize)]
struct State {
    #[serde(flatten)]
    queue: Queue,
    /// Results that are stored, and states of runs.
    kept: u64,
    runs: Vec<RunState>,
}

/// A run with something on the server.
#[derive(Serialize)]
struct RunState {
    id: String,
    queued: usize,
    results: usize,
}

pub fn run(command: &Cluster) -> Result<Exit> {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        match command {
            Cluster::Status { nats, json } => {
                let state = state(&Link::connect(nats).await?).await?;
                print(&if *json {
                    json_line(&state)
                } else {
                    words(&state)
                })?;
            }
            Cluster::Cancel { nats, id } => {
                let link = Link::connect(nats).await?;
                if !Run::exists(&link, id).await? {
                    return Err(BadInput::new(format!("{id}: there is no such run")).into());
                }
                Run::follow(link, id).await?.cancel().await;
            }
        }
        Ok(Exit::Answered)
    })
}

async fn state(link: &Link) -> Result<State> {
    let queue = Queue::look(link).await?;
    let kept = link.kept.get_info().await?;
    let mut runs: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    let mut queued = link.work.info_with_subjects(">").await?;
    while let Some(Ok((subject, count))) = queued.next().await {
        if let Some((id, _)) = Link::run_and_item(&subject) {
            runs.entry(id.into()).or_default().0 += count;
        }
    }
    let mut results = link.kept.info_with_subjects(">").await?;
    while let Some(Ok((subject, count))) = results.next().await {
        if let Some((id, item)) = Link::run_and_item(&subject)
            && item != "state"
        {
            runs.entry(id.into()).or_default().1 += count;
        }
    }
    let run = |(id, (queued, results))| RunState {
        id,
        queued,
        results,
    };
    Ok(State {
        queue,
        kept: kept.state.messages,
        runs: runs.into_iter().map(run).collect(),
    })
}

fn words(State { queue, runs, .. }: &State) -> String {
    let mut text = format!(
        "{}, {}\n",
        counted(queue.workers.len(), "worker", "workers"),
        counted(
            queue.workers.iter().map(|worker| worker.threads).sum(),
            "thread",
            "threads"
        )
    );
    for worker in &queue.workers {
        let rate = worker.done as f64 / worker.up_s.max(1e-3);
        let _ = writeln!(
            text,
            "  {}: noyes {}, {} of {}{} busy, {} done ({rate:.1}/s), {} failed, {} returned, up {:.0} s",
            worker.worker,
            worker.version,
            worker.busy,
            counted(worker.threads, "thread", "threads"),
            if worker.has_card { " and a card" } else { "" },
            worker.done,
            worker.failed,
            worker.returned,
            worker.up_s
        );
    }
    let oldest = queue
        .oldest_s
        .map_or(String::new(), |age| format!(", the oldest {age:.0} s old"));
    let _ = writeln!(
        text,
        "queue: {} ({} being worked on{oldest})",
        counted(queue.queued as usize, "item", "items"),
        queue.delivered
    );
    for run in runs {
        let _ = writeln!(
            text,
            "run {}: {} in the queue, {}",
            run.id,
            run.queued,
            counted(run.results, "result", "results")
        );
    }
    text
}
