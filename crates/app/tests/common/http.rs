//! A test server and a small client for it, over a real socket.
#![allow(dead_code, reason = "each test file uses a part of it")]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

pub const HARDEST: &str = "8 6 7/2 5 4/3 0 1";
/// A board that no engine here can solve.
pub const ENDLESS: &str = "24 23 22 21 20/19 18 17 16 15/14 13 12 11 10/9 8 7 6 5/4 3 2 1 0";
pub const SOLVE: &str = "/api/v1/solve";
pub const HINT: &str = "/api/v1/hint";

/// A running server, stopped when it is dropped.
pub struct Server {
    pub child: Child,
    pub address: String,
    /// The line that it prints when it is ready.
    pub line: String,
}

/// An HTTP response.
pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_noyes"))
            .args(["serve", "--port", "0"])
            .args(args)
            .env("XDG_CACHE_HOME", env!("CARGO_TARGET_TMPDIR")) // do not use the user's tables
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap())
            .read_line(&mut line)
            .unwrap();
        let address = line
            .split("http://")
            .nth(1)
            .unwrap_or_else(|| panic!("{line:?}"));
        let address = address.split('/').next().unwrap().to_string();
        Server {
            child,
            address,
            line,
        }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.address).unwrap();
        stream
            .set_read_timeout(Some(Duration::from_secs(60)))
            .unwrap();
        stream
    }

    /// Opens a connection and sends a text.
    pub fn send(&self, text: &str) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(text.as_bytes()).unwrap();
        stream
    }

    pub fn raw(&self, text: &str) -> Reply {
        read(self.send(text))
    }

    pub fn get(&self, path: &str) -> Reply {
        self.raw(&head("GET", path, &[]))
    }

    pub fn delete(&self, path: &str) -> Reply {
        self.raw(&head("DELETE", path, &[]))
    }

    pub fn post(&self, path: &str, body: &str) -> Reply {
        self.raw(&posted(path, body))
    }

    /// The response to a valid body.
    pub fn ask(&self, path: &str, body: &Value) -> Value {
        let reply = self.post(path, &body.to_string());
        assert_eq!(reply.status, 200, "{path} {body}: {}", reply.body);
        reply.json()
    }

    /// Asserts that a body is refused with this status and a message that contains `said`.
    pub fn assert_refused(&self, path: &str, body: &str, status: u16, said: &str) {
        let reply = self.post(path, body);
        reply.assert_problem(status, said);
    }

    /// Starts a job that runs for a long time, and returns its location.
    pub fn long_job(&self) -> String {
        let body = json!({"puzzle": ENDLESS, "engine": "idastar", "wait_s": 0});
        let reply = self.post(SOLVE, &body.to_string());
        assert_eq!(reply.status, 202, "{}", reply.body);
        let place = reply.header("location").unwrap().to_string();
        let id = reply.json()["id"].as_str().unwrap().to_string();
        assert_eq!(place, format!("/api/v1/jobs/{id}"));
        place
    }

    /// The state of a job.
    pub fn state(&self, place: &str) -> Value {
        self.get(place).json()["state"].clone()
    }

    /// A value of /metrics.
    pub fn metric(&self, name: &str) -> u64 {
        let text = self.get("/metrics").body;
        let value = text.lines().find_map(|line| line.strip_prefix(name));
        value.map_or(0, |v| v.trim().parse().unwrap())
    }

    /// Waits until `holds` returns true.
    pub fn until(&self, what: &str, holds: impl Fn(&Server) -> bool) {
        let begun = Instant::now();
        while !holds(self) {
            // Only a hang takes this long.
            assert!(begun.elapsed() < Duration::from_secs(120), "never: {what}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Sends SIGTERM and returns the exit code.
    pub fn terminate(mut self) -> i32 {
        let id = self.child.id().to_string();
        Command::new("kill").args(["-TERM", &id]).status().unwrap();
        self.child.wait().unwrap().code().unwrap_or(-1)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|e| panic!("{e} in {}", self.body))
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (key, value) = line.split_once(": ")?;
            key.eq_ignore_ascii_case(name).then_some(value.trim())
        })
    }

    pub fn assert_problem(&self, status: u16, said: &str) {
        assert_eq!(self.status, status, "{}", self.body);
        assert_eq!(
            self.header("content-type"),
            Some("application/problem+json"),
            "{}",
            self.head
        );
        let problem = self.json();
        assert_eq!(problem["status"], status);
        let detail = problem["detail"].as_str().unwrap();
        assert!(detail.contains(said), "{detail:?} should say {said:?}");
    }
}

/// A request without a body.
pub fn head(method: &str, path: &str, headers: &[&str]) -> String {
    let mut text = format!("{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n");
    for header in headers {
        text += header;
        text += "\r\n";
    }
    text + "\r\n"
}

/// A request with a JSON body.
pub fn posted(path: &str, body: &str) -> String {
    let length = format!("Content-Length: {}", body.len());
    head("POST", path, &["Content-Type: application/json", &length]) + body
}

/// Reads the whole response from a connection.
pub fn read(mut stream: TcpStream) -> Reply {
    let mut bytes = vec![];
    let done = stream.read_to_end(&mut bytes);
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text
        .split_once("\r\n\r\n")
        .unwrap_or_else(|| panic!("no response: {text:?} {done:?}"));
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    let body = if head
        .to_ascii_lowercase()
        .contains("transfer-encoding: chunked")
    {
        unchunked(body)
    } else {
        body.into()
    };
    Reply {
        status,
        head: head.into(),
        body,
    }
}

fn unchunked(mut text: &str) -> String {
    let mut body = String::new();
    while let Some((size, rest)) = text.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || rest.len() < size {
            break;
        }
        body += &rest[..size];
        text = rest[size..].trim_start_matches("\r\n");
    }
    body
}
