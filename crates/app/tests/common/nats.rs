//! A real NATS server for tests, and workers of it.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use super::{Run, command, json, noyes};

/// A NATS server with streams, in its own folder; killed at the end.
pub struct Nats {
    pub folder: tempfile::TempDir,
    pub port: u16,
    pub server: Option<Child>,
    pub more: Vec<String>,
}

impl Nats {
    /// A server; none if the program is not installed, which `./test` reports.
    pub fn start() -> Option<Nats> {
        Nats::start_with("")
    }

    /// The same with more lines of configuration, in which `FOLDER` stands for its folder.
    pub fn start_with(config: &str) -> Option<Nats> {
        let is_there = Command::new("nats-server").arg("--version").output();
        if is_there.is_err() {
            skip("cluster: nats-server is not installed");
            return None;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut more = vec![];
        if !config.is_empty() {
            let path = folder.path().join("nats.conf");
            let config = config.replace("FOLDER", folder.path().to_str().unwrap());
            fs::write(&path, config).unwrap();
            more = vec!["-c".into(), path.to_str().unwrap().into()];
        }
        let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = socket.local_addr().unwrap().port();
        drop(socket);
        let mut nats = Nats {
            folder,
            port,
            server: None,
            more,
        };
        nats.boot();
        Some(nats)
    }

    pub fn boot(&mut self) {
        let store = self.folder.path().join("store");
        let server = Command::new("nats-server")
            .args(["-js", "-a", "127.0.0.1", "-p", &self.port.to_string()])
            .arg("-sd")
            .arg(store)
            .args(&self.more)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        self.server = Some(server);
        let begun = Instant::now();
        while std::net::TcpStream::connect(("127.0.0.1", self.port)).is_err() {
            assert!(begun.elapsed() < Duration::from_secs(20), "a NATS server");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Kills the server without warning, and starts it again with the same files.
    pub fn restart(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
        self.boot();
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// A worker with one thread and tables of its own.
    pub fn worker(&self) -> Worker {
        self.worker_with(&[])
    }

    pub fn worker_with(&self, more: &[&str]) -> Worker {
        Worker::start(&self.url(), more)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }
}

impl Drop for Nats {
    fn drop(&mut self) {
        if let Some(mut server) = self.server.take() {
            let _ = server.kill();
            let _ = server.wait();
        }
    }
}

/// A worker; killed at the end.
pub struct Worker(pub Child);

impl Worker {
    pub fn start(url: &str, more: &[&str]) -> Worker {
        let args = ["worker", "--nats", url, "--threads", "1"];
        let child = command(&[&args[..], more].concat())
            .stderr(Stdio::null())
            .spawn();
        Worker(child.unwrap())
    }

    pub fn kill(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.kill();
    }
}

pub fn skip(why: &str) {
    eprintln!("skipped: {why}");
    if let Some(list) = std::env::var_os("NOYES_SKIPPED") {
        let mut file = fs::OpenOptions::new().append(true).create(true).open(list);
        let _ = file.as_mut().map(|file| writeln!(file, "{why}"));
    }
}

/// Boards in a file, one of them broken, and a level between them.
pub fn puzzles(folder: &Path, boards: usize) -> PathBuf {
    let path = folder.join("boards.txt");
    let made = noyes(&["generate", "3x3", "-n", &boards.to_string(), "--seed", "5"]);
    fs::write(&path, made.out).unwrap();
    path
}

/// What must be the same wherever a puzzle is solved.
pub fn answers(out: &str) -> Vec<(String, serde_json::Value, serde_json::Value)> {
    let answer = |line: &str| {
        let record = json(line);
        let puzzle = record["puzzle"].as_str().unwrap().to_string();
        (puzzle, record["status"].clone(), record["cost"].clone())
    };
    out.lines().map(answer).collect()
}

pub fn wait(child: Child) -> Run {
    let done = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Run {
        code: done.status.code().unwrap_or(-1),
        out: text(done.stdout),
        err: text(done.stderr),
    }
}
