//! Metrics of a worker, for Prometheus, over a plain HTTP port.

use std::net::SocketAddr;
use std::time::Duration;

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::state::Status;

/// Serves the metrics from now on.
pub async fn serve(
    address: SocketAddr,
    status: impl Fn() -> Status + Send + 'static,
) -> std::io::Result<()> {
    let listener = TcpListener::bind(address).await?;
    tokio::spawn(async move {
        loop {
            match listener.accept().await {
                Ok((stream, _)) => {
                    let text = text(&status());
                    let limit = Duration::from_secs(5);
                    tokio::spawn(tokio::time::timeout(limit, reply(stream, text)));
                }
                Err(_) => tokio::time::sleep(Duration::from_millis(100)).await,
            }
        }
    });
    Ok(())
}

/// Answers whatever is asked with the metrics.
async fn reply(mut stream: TcpStream, text: String) -> std::io::Result<()> {
    let mut head = [0; 4096];
    let mut read = 0;
    while read < head.len() && !head[..read].windows(4).any(|end| end == b"\r\n\r\n") {
        match stream.read(&mut head[read..]).await? {
            0 => break,
            n => read += n,
        }
    }
    let length = text.len();
    let head = format!(
        "HTTP/1.1 200 OK\r\ncontent-type: text/plain; version=0.0.4\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await?;
    stream.write_all(text.as_bytes()).await?;
    stream.shutdown().await
}

/// The metrics in Prometheus' text format.
fn text(status: &Status) -> String {
    let Status {
        threads,
        busy,
        done,
        failed,
        returned,
        up_s,
        cpu_s,
        ..
    } = status;
    format!(
        "# HELP noyes_worker_threads Items that can be performed at once.
# TYPE noyes_worker_threads gauge
noyes_worker_threads {threads}
# HELP noyes_worker_busy Items that are being performed.
# TYPE noyes_worker_busy gauge
noyes_worker_busy {busy}
# HELP noyes_worker_done_total Items whose results are stored.
# TYPE noyes_worker_done_total counter
noyes_worker_done_total {done}
# HELP noyes_worker_failed_total Items that ended with an error.
# TYPE noyes_worker_failed_total counter
noyes_worker_failed_total {failed}
# HELP noyes_worker_returned_total Items returned to the queue.
# TYPE noyes_worker_returned_total counter
noyes_worker_returned_total {returned}
# HELP noyes_worker_cpu_seconds_total Processor time of all items.
# TYPE noyes_worker_cpu_seconds_total counter
noyes_worker_cpu_seconds_total {cpu_s}
# HELP noyes_worker_up_seconds Time since the worker started.
# TYPE noyes_worker_up_seconds gauge
noyes_worker_up_seconds {up_s}
"
    )
}
