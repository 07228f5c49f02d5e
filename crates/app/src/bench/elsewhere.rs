//! `noyes bench run --nats`: runs dealt to workers.

use std::collections::HashSet;

use anyhow::{Result, bail};
use noyes_answer::sent::Question;

use super::jobs::Job;
use super::order::Order;
use super::outcome::Common;
use super::record::Run;
use crate::args::Nats;
use crate::cluster::link::Link;
use crate::cluster::message::{Outcome, Task, Work};
use crate::cluster::run::{self, no_worker, workers};
use crate::terminal::limits;
use crate::terminal::print::warn;

/// Has workers make `jobs`, which are some of `all` runs of the suite; hands each line on as it comes. Returns whether all were made.
pub fn run_all(
    nats: &Nats,
    prepare: &[String],
    common: &Common,
    all: &[Job],
    jobs: &[&Job],
    mut add: impl FnMut(Run) -> Result<()>,
) -> Result<bool> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(1)
        .enable_all()
        .build()?;
    let done = runtime.block_on(async {
        let link = Link::connect(nats).await?;
        let found = workers(&link).await;
        if let Some(why) = no_worker(&found) {
            warn(format_args!("noyes: waiting: {why}"));
        }
        // The same suite has the same run: what workers have done for a command that was killed is not lost. Another suite of
        // the same name has another one.
        let what = serde_json::to_string(&(&common.suite, common.form, prepare, all))?;
        let id = blake3::hash(what.as_bytes()).to_hex();
        let mut run = run::Run::begin(link, Some(&format!("bench-{}", &id[..16])), &what).await?;
        let mut wanted = HashSet::new();
        for job in jobs {
            let order = Order {
                suite: common.suite.clone(),
                form: common.form,
                prepare: prepare.to_vec(),
                job: (*job).clone(),
            };
            let task = Task::Bench {
                run: serde_json::to_value(order)?,
            };
            let item = item(job);
            run.put(&item, &Work::new(Question::default(), task))?;
            wanted.insert(item);
        }
        let mut failed = None;
        while !wanted.is_empty() {
            if limits::interrupted() {
                run.stop().await;
                return Ok(false);
            }
            let tick = std::time::Duration::from_millis(100);
            let Ok(next) = tokio::time::timeout(tick, run.next()).await else {
                continue;
            };
            let (item, done) = next?;
            if !wanted.remove(&item) {
                continue;
            }
            match done.outcome {
                Outcome::Ran(line) => add(serde_json::from_value(line)?)?,
                // The others go on; the same command tries it again.
                Outcome::Failed(why) => failed = Some(format!("worker {}: {why}", done.worker)),
                _ => failed = Some(format!("worker {} has sent something else", done.worker)),
            }
        }
        run.end().await;
        match failed {
            Some(why) => bail!("a run was not made: {why}"),
            None => Ok(true),
        }
    });
    runtime.shutdown_background();
    done
}

/// The name of a run as an item.
fn item(job: &Job) -> String {
    blake3::hash(job.key().as_bytes()).to_hex()[..24].to_string()
}
