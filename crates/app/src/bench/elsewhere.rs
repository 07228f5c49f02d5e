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

/// Has workers make all runs; hands each line on as it comes. Returns whether all were made.
pub fn run_all(
    nats: &Nats,
    prepare: &[String],
    common: &Common,
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
        // The same command has the same run: what workers have done for one that was killed is not lost.
        let what = format!("{} {}", common.suite, common.form);
        let id = blake3::hash(what.as_bytes()).to_hex();
        let mut run = run::Run::begin(link, Some(&format!("bench-{}", &id[..16])), &what).await?;
        for job in jobs {
            let order = Order {
                suite: common.suite.clone(),
                form: common.form,
                process: common.process,
                prepare: prepare.to_vec(),
                job: (*job).clone(),
            };
            let task = Task::Bench {
                run: serde_json::to_value(order)?,
            };
            run.put(&item(job), &Work::new(Question::default(), task))?;
        }
        let mut wanted: HashSet<String> = jobs.iter().map(|job| item(job)).collect();
        while !wanted.is_empty() {
            let tick = std::time::Duration::from_millis(100);
            let Ok(next) = tokio::time::timeout(tick, run.next()).await else {
                if limits::interrupted() {
                    run.stop().await;
                    return Ok(false);
                }
                continue;
            };
            let (item, done) = next?;
            if !wanted.remove(&item) {
                continue;
            }
            match done.outcome {
                Outcome::Ran(line) => add(serde_json::from_value(line)?)?,
                Outcome::Failed(why) => bail!("worker {}: {why}", done.worker),
                _ => bail!("worker {} has sent something else", done.worker),
            }
        }
        run.end().await;
        Ok(true)
    });
    runtime.shutdown_background();
    done
}

/// The name of a run as an item.
fn item(job: &Job) -> String {
    blake3::hash(job.key().as_bytes()).to_hex()[..24].to_string()
}
