//! How many small items go through the queue in a second, with one puzzle each.
//!
//! `cargo bench -p noyes --bench queue [-- ITEMS]` starts a NATS server and two workers of one thread, puts the items into the
//! queue, and measures the time until the server has all results. Needs `nats-server`.

use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use async_nats::jetstream;
use futures_util::stream::{self, StreamExt};

/// A process that ends with the benchmark.
struct Running(Child);

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn start(program: &str, args: &[&str]) -> Running {
    let mut command = Command::new(program);
    let child = command
        .args(args)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    Running(child.spawn().expect("the program is installed"))
}

fn main() {
    let items = std::env::args().find_map(|arg| arg.parse::<usize>().ok());
    let items = items.unwrap_or(20_000);
    let folder = tempfile::tempdir().expect("a folder");
    let store = folder.path().to_str().expect("a name");
    let port = 20_000 + std::process::id() % 10_000;
    let url = format!("nats://127.0.0.1:{port}");
    let server = [
        "-js",
        "-a",
        "127.0.0.1",
        "-p",
        &port.to_string(),
        "-sd",
        store,
    ];
    let _server = start("nats-server", &server);
    std::thread::sleep(Duration::from_secs(1));
    let noyes = env!("CARGO_BIN_EXE_noyes");
    let worker = ["worker", "--threads", "1", "--nats", &url];
    let _workers = [start(noyes, &worker), start(noyes, &worker)];
    std::thread::sleep(Duration::from_secs(1));
    let runtime = tokio::runtime::Runtime::new().expect("threads");
    runtime.block_on(async {
        let client = async_nats::connect(&url).await.expect("the server");
        let jetstream = jetstream::new(client);
        let version = format!("{}-3", env!("CARGO_PKG_VERSION"));
        let work = format!(
            r#"{{"version":"{version}","question":{{}},"task":{{"solve":{{"puzzles":[[0,"1 2 3/4 0 6/7 5 8"]]}}}}}}"#
        );
        let begun = Instant::now();
        let version = version.replace('.', "_");
        let sent = stream::iter(0..items).map(|i| {
            let subject = format!("noyes.work.{version}.bench.{i}");
            let (jetstream, work) = (&jetstream, work.clone());
            async move {
                let ack = jetstream.publish(subject, work.into()).await.expect("sent");
                ack.await.expect("stored");
            }
        });
        sent.buffer_unordered(256).collect::<Vec<()>>().await;
        let stored = begun.elapsed().as_secs_f64();
        loop {
            let kept = jetstream.get_stream("NOYES_KEPT").await.expect("the stream");
            if kept.cached_info().state.messages as usize >= items {
                break;
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        let done = begun.elapsed().as_secs_f64();
        let rate = |seconds: f64| items as f64 / seconds;
        println!(
            "{items} items: stored in {stored:.2} s ({:.0}/s), done in {done:.2} s ({:.0}/s)",
            rate(stored),
            rate(done)
        );
    });
}
