//! The web page and the REST service.

use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::Args;

use super::values::{some_bytes, some_duration};

pub(super) const SERVE_HELP: &str = "Examples:
  noyes serve --open
  noyes serve --port 0 --store jobs.sqlite --time-limit 1m
  curl -s localhost:7345/api/v1/hint -H 'content-type: application/json' -d '{\"puzzle\": \"1 2 3/4 0 6/7 5 8\"}'

The address is printed at once; /docs there describes every route. On SIGTERM or Ctrl-C, running searches end with the
bounds they have reached, and the program ends with exit code 0.

A server that the network can reach (--host 0.0.0.0) needs --token or --no-token. With a token, clients send the header
Authorization: Bearer TOKEN; the printed address has the token for the page. The variable NOYES_TOKEN can hold the token.";

#[derive(Args)]
pub struct Serve {
    /// The address to listen at; any but the default opens the service to the network
    #[arg(long, default_value = "127.0.0.1")]
    pub host: String,
    /// Ask clients for this token; without a value one is made and printed
    #[arg(long, num_args = 0..=1, default_missing_value = "", conflicts_with = "no_token")]
    pub token: Option<String>,
    /// Let everyone use the service who can reach it
    #[arg(long)]
    pub no_token: bool,
    /// Another name by which clients reach this server; others are refused
    #[arg(long)]
    pub name: Vec<String>,
    /// The port; 0 for any free one
    #[arg(long, default_value_t = 7345)]
    pub port: u16,
    /// Open the page in a browser
    #[arg(long)]
    pub open: bool,
    /// Keep finished jobs in this file across restarts (default: in memory)
    #[arg(long, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// The number of searches that run at once (default: one for each processor)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The number of searches that may wait; more are turned away
    #[arg(long, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub queue: u32,
    /// The longest time of one search: 500ms, 60s, 5m, 1h
    #[arg(long, value_name = "TIME", default_value = "5m", value_parser = some_duration)]
    pub time_limit: Duration,
    /// The memory of all searches together: 500MB, 4GiB (default: three quarters of the free memory); each gets an equal share
    #[arg(long, value_name = "BYTES", value_parser = some_bytes)]
    pub memory_limit: Option<usize>,
    /// The number of connections at once; more wait
    #[arg(long, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: u32,
    /// The longest body of a request
    #[arg(long, value_name = "BYTES", default_value = "1MiB", value_parser = some_bytes)]
    pub max_body: usize,
    /// Let pages of this origin use the service, such as <https://example.org>, or * for all
    #[arg(long, value_name = "ORIGIN", value_parser = origin)]
    pub cors: Option<HeaderValue>,
    /// Build the large tables for 4x4 boards at the start, not when the first such board arrives
    #[arg(long)]
    pub warm: bool,
    /// The folder of pattern databases (default: the cache folder of the platform)
    #[arg(long = "pdb-dir", value_name = "DIR")]
    pub pdb_dir: Option<PathBuf>,
    /// Read the page from this folder instead, for developers of the page
    #[arg(long, value_name = "DIR")]
    pub page: Option<PathBuf>,
}

/// An origin as browsers send it: scheme, host and, unless it is the usual one, port.
fn origin(text: &str) -> Result<HeaderValue, String> {
    let expected = "expected an origin such as https://example.org or http://localhost:8080, without a path, or *";

    let is_origin = |text: &str| {
        let (scheme, host) = text.split_once("://")?;
        let (name, port) = match host.rsplit_once(':') {
            Some((name, port)) if !port.ends_with(']') => (name, Some(port)),
            _ => (host, None),
        };
        let name_is = |c: char| c.is_ascii_alphanumeric() || "-._[]:".contains(c);
        let is = !scheme.is_empty()
            && scheme
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
            && !name.is_empty()
            && name.chars().all(name_is)
            && port.is_none_or(|port| port.parse::<u16>().is_ok());
        is.then_some(())
    };
    if text != "*" && is_origin(text).is_none() {
        return Err(expected.into());
    }
    HeaderValue::from_str(text).map_err(|_| expected.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn origins_are_what_browsers_send() {
        for text in [
            "*",
            "https://example.org",
            "http://localhost:8080",
            "http://[::1]:80",
            "http://[::1]",
        ] {
            assert!(origin(text).is_ok(), "{text}");
        }
        for text in [
            "",
            "junk",
            "example.org",
            "https://",
            "https://example.org/",
            "https://example.org/path",
            "https://a b",
            "https://example.org:port",
            "https://example.org:99999",
            "https://a,https://b",
        ] {
            assert!(origin(text).is_err(), "{text}");
        }
    }
}
