//! Server-sent events: the progress of a job.

use std::convert::Infallible;
use std::sync::Arc;
use std::time::Duration;

use axum::response::sse::{Event, KeepAlive, Sse};
use futures_util::stream::{self, Stream};

use super::jobs::{Job, Watching};
use crate::record::Progress;

/// How often progress is checked.
const PACE: Duration = Duration::from_millis(100);

/// What was sent last.
enum Sent {
    Nothing,
    Progress(Progress),
    Done,
}

/// The events of a job: progress whenever it has changed, and the record at the end. `kept` keeps the job alive for their
/// reader; without it, the reader only watches.
pub fn events(
    job: Arc<Job>,
    kept: Option<Watching>,
) -> Sse<impl Stream<Item = Result<Event, Infallible>>> {
    let first = (job, kept, Sent::Nothing);
    let stream = stream::unfold(first, |(job, kept, sent)| async move {
        let (event, sent) = next(&job, sent).await?;
        Some((Ok(event), (job, kept, sent)))
    });
    Sse::new(stream).keep_alive(KeepAlive::new().interval(Duration::from_secs(10)))
}

/// The only event of a job that has ended.
pub fn ended(result: &str) -> Sse<impl Stream<Item = Result<Event, Infallible>> + use<>> {
    Sse::new(stream::iter([Ok(done(result))]))
}

async fn next(job: &Job, sent: Sent) -> Option<(Event, Sent)> {
    let before = match sent {
        Sent::Done => return None,
        Sent::Progress(progress) => Some(progress),
        Sent::Nothing => None,
    };
    loop {
        // The first event comes at once, the others at their pace.
        if before.is_some() {
            let _ = tokio::time::timeout(PACE, job.end()).await;
        }
        if let Some(ended) = job.ended() {
            return Some((done(ended.result.get()), Sent::Done));
        }
        let progress = job.progress();
        if before.as_ref() != Some(&progress) {
            let text = serde_json::to_string(&progress).expect("plain fields");
            return Some((
                Event::default().event("progress").data(text),
                Sent::Progress(progress),
            ));
        }
    }
}

fn done(result: &str) -> Event {
    Event::default().event("done").data(result)
}
