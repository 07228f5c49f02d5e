//! `noyes serve --nats`: jobs of the service on workers.
//!
//! A job is a run with one item. Its question is noted on the NATS server before the item goes into the queue, so any
//! server can follow it: one that was started again, or another one behind the same address. Its result stays there for
//! as long as results are kept.

use std::time::Duration;

use anyhow::Result;
use futures_util::StreamExt;
use noyes_answer::sent::Question;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

use super::link::Link;
use super::message::{Done, Outcome, Solved, Task, Work};
use super::queue::Queue;
use super::run::Run;
use crate::args::Nats;
use crate::record::Progress;

/// The only item of a job.
const ITEM: &str = "0";
/// What a job that was stopped says instead of a result.
const CANCELLED: &str = "cancelled";

/// Where jobs go.
pub struct Desk {
    link: Link,
}

/// A job as it is noted.
#[derive(Clone, Serialize, Deserialize)]
pub struct Noted {
    pub question: Question,
    pub puzzle: String,
}

/// What came of a job.
pub enum Ending {
    Solved(Solved),
    Cancelled,
}

impl From<Done> for Ending {
    fn from(done: Done) -> Ending {
        match done.outcome {
            Outcome::Solved(mut solved) if solved.len() == 1 => Ending::Solved(solved.remove(0).2),
            Outcome::Failed(why) if why == CANCELLED => Ending::Cancelled,
            Outcome::Failed(why) => Ending::Solved(Solved::Error(why)),
            _ => {
                let why = format!("worker {} has sent something else", done.worker);
                Ending::Solved(Solved::Error(why))
            }
        }
    }
}

impl Desk {
    pub async fn open(args: &Nats) -> Result<Desk> {
        let link = Link::connect(args).await?;
        link.queue().await?;
        Ok(Desk { link })
    }

    /// Figures of the queue for Prometheus; none if the NATS server does not answer soon.
    pub async fn metrics(&self) -> String {
        let look = tokio::time::timeout(Duration::from_secs(2), Queue::look(&self.link));
        match look.await {
            Ok(Ok(queue)) => queue.metrics(),
            _ => String::new(),
        }
    }

    /// Whether an id can be one of a job: it becomes a part of subjects.
    fn is_id(id: &str) -> bool {
        id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit())
    }

    /// A job that some server has taken, if it is still kept, and its end if it has ended.
    pub async fn find(&self, id: &str) -> Option<(Noted, Option<Ending>)> {
        if !Desk::is_id(id) {
            return None;
        }
        let mut run = Run::follow(self.link.clone(), id).await.ok()?;
        let noted = run.state().await.ok()??;
        let ended = Run::result(&self.link, id, ITEM).await;
        Some((noted, ended.map(Into::into)))
    }

    /// Follows a job to its end. A new one is put into the queue first, and `stored` is called when the server has it.
    /// `stop` cancels it for everyone.
    pub async fn lead(
        &self,
        id: &str,
        noted: &Noted,
        is_new: bool,
        stop: &Notify,
        stored: impl FnOnce(),
        mut hear: impl FnMut(Progress),
    ) -> Ending {
        let failed = |error: anyhow::Error| Ending::Solved(Solved::Error(error.to_string()));
        let mut run = match Run::follow(self.link.clone(), id).await {
            Ok(run) => run,
            Err(error) => return failed(error),
        };
        let puzzles = vec![(0, noted.puzzle.clone())];
        let work = Work::new(noted.question.clone(), Task::Solve { puzzles });
        let begun = if is_new {
            match run.note(noted).await {
                Ok(()) => run.put(ITEM, &work),
                error => error,
            }
        } else {
            run.expect(ITEM, &work)
        };
        if let Err(error) = begun {
            return failed(error);
        }
        run.sent().await;
        stored();
        let subject = self.link.progress_subject(id, ITEM);
        let mut news = self.link.client.subscribe(subject).await.ok();
        loop {
            let next = async {
                match &mut news {
                    Some(news) => news.next().await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                result = run.next() => {
                    return result.map_or_else(failed, |(_, done)| done.into());
                }
                message = next => match message {
                    Some(message) => {
                        if let Ok(progress) = serde_json::from_slice(&message.payload) {
                            hear(progress);
                        }
                    }
                    None => news = None,
                },
                () = stop.notified() => {
                    run.conclude(ITEM, Outcome::Failed(CANCELLED.into())).await;
                    return Ending::Cancelled;
                }
            }
        }
    }
}
