//! Hints under load: how many per second at 64 connections, and how long the slowest 1 % take.
//!
//! `cargo bench -p noyes --bench hints` starts its own server. Each connection asks for hints on random boards, one
//! after the other. Client and server share the machine.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Barrier};
use std::time::{Duration, Instant};

use noyes_puzzle::tiles::{Board, Generator, random_board};

const CONNECTIONS: usize = 64;
const TIME: Duration = Duration::from_secs(5);

fn main() {
    let mut server = Command::new(env!("CARGO_BIN_EXE_noyes"))
        .args(["serve", "--port", "0", "--warm"])
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program");
    let mut line = String::new();
    let stdout = server.stdout.take().expect("piped");
    BufReader::new(stdout).read_line(&mut line).expect("a line");
    let address = line.split("http://").nth(1).expect("an address");
    let address = address.split('/').next().expect("a host").to_string();
    warm(&address);
    for side in [3, 4] {
        load(&address, side);
    }
    server.kill().expect("it is our child process");
    server.wait().expect("ended");
}

/// Waits until the tables for 4×4 are ready.
fn warm(address: &str) {
    let begun = Instant::now();
    loop {
        let mut stream = TcpStream::connect(address).expect("the server");
        let request = "GET /metrics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
        stream.write_all(request.as_bytes()).expect("sent");
        let mut text = String::new();
        stream.read_to_string(&mut text).expect("a text");
        if text.contains("noyes_fifteen_tables_ready 1") {
            break;
        }
        std::thread::sleep(Duration::from_millis(50));
    }
    println!("4x4 warm after {:.1} s", begun.elapsed().as_secs_f64());
}

fn load(address: &str, side: usize) {
    let next = Arc::new(AtomicUsize::new(0));
    let ready = Arc::new(Barrier::new(CONNECTIONS + 1));
    let threads: Vec<_> = (0..CONNECTIONS)
        .map(|_| {
            let (next, ready, address) = (next.clone(), ready.clone(), address.to_string());
            std::thread::spawn(move || {
                let mut connection = Connection::new(&address);
                ready.wait();
                let (begun, mut times) = (Instant::now(), vec![]);
                while begun.elapsed() < TIME {
                    let body = body(side, next.fetch_add(1, Relaxed) as u64);
                    let asked = Instant::now();
                    let hint = connection.hint(&body);
                    times.push(asked.elapsed());
                    assert!(hint.contains("\"proven\":true"), "{hint}");
                }
                times
            })
        })
        .collect();
    ready.wait();
    let begun = Instant::now();
    let mut times: Vec<Duration> = threads
        .into_iter()
        .flat_map(|thread| thread.join().expect("no client panics"))
        .collect();
    let took = begun.elapsed().as_secs_f64();
    times.sort_unstable();
    let at = |part: f64| times[(times.len() as f64 * part) as usize].as_secs_f64() * 1e3;
    println!(
        "{side}x{side}, {CONNECTIONS} connections: {:.0} hints/s; median {:.1} ms, p99 {:.1} ms, longest {:.1} ms",
        times.len() as f64 / took,
        at(0.5),
        at(0.99),
        times[times.len() - 1].as_secs_f64() * 1e3
    );
}

/// The request body for a random board.
fn body(side: usize, seed: u64) -> String {
    let board = random_board(&Board::blank_last(side, side), &mut Generator::new(1, seed));
    format!("{{\"puzzle\":\"{board}\"}}")
}

/// A connection that stays open.
struct Connection(BufReader<TcpStream>);

impl Connection {
    fn new(address: &str) -> Connection {
        let stream = TcpStream::connect(address).expect("the server");
        stream.set_nodelay(true).expect("a socket");
        Connection(BufReader::new(stream))
    }

    fn hint(&mut self, body: &str) -> String {
        let request = format!(
            "POST /api/v1/hint HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        let stream = self.0.get_mut();
        stream.write_all(request.as_bytes()).expect("sent");
        let (mut length, mut line) = (0, String::new());
        loop {
            line.clear();
            self.0.read_line(&mut line).expect("a line");
            if let Some(value) = line.strip_prefix("content-length: ") {
                length = value.trim().parse().expect("a number");
            }
            if line == "\r\n" {
                break;
            }
        }
        let mut answer = vec![0; length];
        self.0.read_exact(&mut answer).expect("a body");
        String::from_utf8(answer).expect("a text")
    }
}
