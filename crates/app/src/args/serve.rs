//! The web page and the REST service.

use std::path::PathBuf;
use std::time::Duration;

use axum::http::HeaderValue;
use clap::Args;

use super::heading::{LIMITS, SEARCH, SERVICE};
use super::values::{some_bytes, some_duration};

pub(super) const SERVE_HELP: &str = "The service prints its address when it starts; its page /docs describes every route. SIGTERM and Ctrl-C end running searches with the bounds they have, then the program, with exit code 0.

A server that the network can reach (--host 0.0.0.0) needs --token or --no-token. With a token, clients send the header Authorization: Bearer TOKEN; the printed address has the token for the page. The variable NOYES_TOKEN can hold the token.

Examples:
  noyes serve --open
  noyes serve --port 0 --store jobs.sqlite --time-limit 1m
  curl -s localhost:7345/api/v1/hint -H 'content-type: application/json' \\
    -d '{\"puzzle\": \"1 2 3/4 0 6/7 5 8\"}'";

#[derive(Args)]
pub struct Serve {
    /// The address to listen on; any but a loopback address opens the service to the network
    #[arg(long, help_heading = SERVICE, default_value = "127.0.0.1")]
    pub host: String,
    /// Require this token from clients; without a value, noyes makes one up and prints it
    #[arg(long, help_heading = SERVICE, num_args = 0..=1, default_missing_value = "", conflicts_with = "no_token")]
    pub token: Option<String>,
    /// Let everyone who can reach the service use it
    #[arg(long, help_heading = SERVICE)]
    pub no_token: bool,
    /// Another name by which clients reach this server; requests for other names are refused
    #[arg(long, help_heading = SERVICE)]
    pub name: Vec<String>,
    /// The port; 0 for any free port
    #[arg(long, help_heading = SERVICE, default_value_t = 7345)]
    pub port: u16,
    /// Open the page in a browser
    #[arg(long, help_heading = SERVICE)]
    pub open: bool,
    /// Keep finished jobs in this file across restarts (default: in memory)
    #[arg(long, help_heading = SERVICE, value_name = "FILE")]
    pub store: Option<PathBuf>,
    /// The number of searches at once (default: one per processor)
    #[arg(long, help_heading = LIMITS, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1024))]
    pub threads: Option<u16>,
    /// The number of searches that may wait; more are refused
    #[arg(long, help_heading = LIMITS, value_name = "N", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..))]
    pub queue: u32,
    /// The time limit of each search: 500ms, 60s, 5m, 1h
    #[arg(long, help_heading = LIMITS, value_name = "TIME", default_value = "5m", value_parser = some_duration)]
    pub time_limit: Duration,
    /// The memory limit of all searches together: 500MB, 4GiB (default: three quarters of the free memory); each gets an equal share
    #[arg(long, help_heading = LIMITS, value_name = "BYTES", value_parser = some_bytes)]
    pub memory_limit: Option<usize>,
    /// The number of connections at once; more wait
    #[arg(long, help_heading = LIMITS, value_name = "N", default_value_t = 1024, value_parser = clap::value_parser!(u32).range(1..))]
    pub connections: u32,
    /// The size limit of a request body
    #[arg(long, help_heading = LIMITS, value_name = "BYTES", default_value = "1MiB", value_parser = some_bytes)]
    pub max_body: usize,
    #[arg(long, help = "Let pages of this origin use the service, such as https://example.org, or * for all origins", help_heading = SERVICE, value_name = "ORIGIN", value_parser = origin)]
    pub cors: Option<HeaderValue>,
    /// Build the large tables for 4x4 boards at startup, not when the first such board comes
    #[arg(long, help_heading = SEARCH)]
    pub warm: bool,
    /// The folder of pattern databases (default: the platform's cache folder)
    #[arg(long = "pdb-dir", help_heading = SEARCH, value_name = "DIR")]
    pub pdb_dir: Option<PathBuf>,
    #[cfg(feature = "cluster")]
    #[command(flatten)]
    pub nats: super::Nats,
    /// Read the page from this folder instead, to develop it
    #[arg(long, help_heading = SERVICE, value_name = "DIR")]
    pub page: Option<PathBuf>,
}

/// An origin as browsers send it: scheme, host and, unless it is the default, port.
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
