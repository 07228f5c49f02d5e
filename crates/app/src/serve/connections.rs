//! Connections: a bounded number at once, none of which can hold its place by standing still.
//!
//! A client has to send the head of its first request in time, and that of the next one after each answer. It also has
//! to read: when it stops reading, the socket's buffer fills up, and after [`WRITE_TIMEOUT`] without room for another
//! byte the connection is closed. Reading a byte now and then does not help, because the system reports room only when
//! a good part of the buffer is free.

use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use hyper_util::service::TowerToHyperService;
use tokio::net::TcpListener;
use tokio::sync::Semaphore;
use tokio_io_timeout::TimeoutStream;

use super::headers::MOST_HEAD_BYTES;

/// The time in which the head of a request has to arrive, counted from the connection or from the last answer.
const HEAD_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest time in which a client may take nothing of an answer.
const WRITE_TIMEOUT: Duration = Duration::from_secs(5);

/// Accepts at most `most` connections at once; others wait for their turn in the system's queue.
pub async fn accept(
    listener: TcpListener,
    router: Router,
    most: usize,
    connections: &GracefulShutdown,
) {
    let service = TowerToHyperService::new(router);
    let room = Arc::new(Semaphore::new(most));
    loop {
        let permit = room.clone().acquire_owned().await.expect("never closed");
        let Ok((stream, _)) = listener.accept().await else {
            // Out of file handles, most likely: some will be closed soon.
            tokio::time::sleep(Duration::from_millis(50)).await;
            continue;
        };
        let _ = stream.set_nodelay(true);
        let mut stream = TimeoutStream::new(stream);
        stream.set_write_timeout(Some(WRITE_TIMEOUT));
        let connection = http1::Builder::new()
            .timer(TokioTimer::new())
            .header_read_timeout(HEAD_TIMEOUT)
            .max_buf_size(MOST_HEAD_BYTES)
            .serve_connection(TokioIo::new(Box::pin(stream)), service.clone());
        let connection = connections.watch(connection);
        tokio::spawn(async move {
            let _ = connection.await; // a client may go away
            drop(permit);
        });
    }
}
