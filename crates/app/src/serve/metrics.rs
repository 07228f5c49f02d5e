//! Counters for Prometheus, in its text format.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Upper ends of the buckets of times, in seconds.
const BUCKETS: [f64; 9] = [0.001, 0.005, 0.02, 0.1, 0.5, 2.0, 10.0, 60.0, 600.0];

/// What has happened since the start.
pub struct Metrics {
    since: Instant,
    counted: Mutex<Counted>,
}

#[derive(Default)]
struct Counted {
    /// Answers by route, method and status.
    answers: BTreeMap<(String, String, u16), u64>,
    /// Times of answers by route.
    times: BTreeMap<String, Times>,
    /// Jobs by their status.
    jobs: BTreeMap<String, u64>,
    searching: Duration,
}

/// A histogram.
#[derive(Default)]
struct Times {
    buckets: [u64; BUCKETS.len()],
    count: u64,
    sum: f64,
}

impl Metrics {
    pub fn new() -> Metrics {
        Metrics {
            since: Instant::now(),
            counted: Mutex::default(),
        }
    }

    /// Counts an answer.
    pub fn answered(&self, route: &str, method: &str, status: u16, took: Duration) {
        let mut counted = self.lock();
        let key = (route.to_string(), method.to_string(), status);
        *counted.answers.entry(key).or_default() += 1;
        if !counted.times.contains_key(route) {
            counted.times.insert(route.into(), Times::default());
        }
        let times = counted.times.get_mut(route).expect("inserted");
        let took = took.as_secs_f64();
        for (bucket, end) in times.buckets.iter_mut().zip(BUCKETS) {
            *bucket += u64::from(took <= end);
        }
        times.count += 1;
        times.sum += took;
    }

    /// Counts a search that has ended.
    pub fn job_ended(&self, status: &str, took: Duration) {
        let mut counted = self.lock();
        *counted.jobs.entry(status.into()).or_default() += 1;
        counted.searching += took;
    }

    fn lock(&self) -> MutexGuard<'_, Counted> {
        self.counted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Everything as text.
    pub fn text(&self, (waiting, running): (usize, usize), is_warm: bool) -> String {
        let mut text = String::new();
        let counted = self.lock();
        head(
            &mut text,
            "http_requests_total",
            "counter",
            "Requests answered.",
        );
        for ((route, method, status), count) in &counted.answers {
            let _ = writeln!(
                text,
                "noyes_http_requests_total{{route={route:?},method={method:?},status=\"{status}\"}} {count}"
            );
        }
        head(
            &mut text,
            "http_request_seconds",
            "histogram",
            "Time until the head of the answer.",
        );
        for (route, times) in &counted.times {
            for (count, end) in times.buckets.iter().zip(BUCKETS) {
                let _ = writeln!(
                    text,
                    "noyes_http_request_seconds_bucket{{route={route:?},le=\"{end}\"}} {count}"
                );
            }
            let _ = write!(
                text,
                "noyes_http_request_seconds_bucket{{route={route:?},le=\"+Inf\"}} {count}\n\
                 noyes_http_request_seconds_sum{{route={route:?}}} {sum}\n\
                 noyes_http_request_seconds_count{{route={route:?}}} {count}\n",
                count = times.count,
                sum = times.sum
            );
        }
        head(
            &mut text,
            "jobs_total",
            "counter",
            "Searches ended, by status.",
        );
        for (status, count) in &counted.jobs {
            let _ = writeln!(text, "noyes_jobs_total{{status={status:?}}} {count}");
        }
        let resident = resident_bytes().unwrap_or(0) as f64;
        for (name, kind, help, value) in [
            (
                "search_seconds_total",
                "counter",
                "Time of all searches.",
                counted.searching.as_secs_f64(),
            ),
            (
                "jobs_queued",
                "gauge",
                "Searches that wait.",
                waiting as f64,
            ),
            (
                "jobs_running",
                "gauge",
                "Searches that run.",
                running as f64,
            ),
            (
                "uptime_seconds",
                "gauge",
                "Time since the start.",
                self.since.elapsed().as_secs_f64(),
            ),
            (
                "fifteen_tables_ready",
                "gauge",
                "Whether the tables for 4x4 boards are built.",
                f64::from(u8::from(is_warm)),
            ),
            ("resident_bytes", "gauge", "Memory in use.", resident),
        ] {
            head(&mut text, name, kind, help);
            let _ = writeln!(text, "noyes_{name} {value}");
        }
        text
    }
}

fn head(text: &mut String, name: &str, kind: &str, help: &str) {
    let _ = write!(
        text,
        "# HELP noyes_{name} {help}\n# TYPE noyes_{name} {kind}\n"
    );
}

/// The memory of this process, if the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|l| l.strip_prefix("VmRSS:"))?;
    let kib: u64 = line.trim().trim_end_matches("kB").trim().parse().ok()?;
    Some(kib * 1024)
}
