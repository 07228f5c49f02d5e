//! The names that a server goes by, against DNS rebinding.
//!
//! A page elsewhere can point a name of its own at this machine and then speak to this server as if it were its own. The
//! Host header gives it away: only known names are served. On the network, addresses in digits are known as well, because
//! no page can point those anywhere.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

/// The names that a server goes by.
#[derive(Clone, Debug)]
pub struct Hosts {
    known: Vec<String>,
    /// Whether any address in digits will do.
    any_number: bool,
}

impl Hosts {
    /// The names of a server bound to this address: as the user wrote it, and others that the user lists.
    pub fn new(host: &str, address: IpAddr, names: &[String]) -> Hosts {
        let mut known = vec!["localhost".into(), "127.0.0.1".into(), "[::1]".into()];
        known.push(host.to_ascii_lowercase());
        known.push(address.to_string());
        known.extend(names.iter().map(|name| name.to_ascii_lowercase()));
        Hosts {
            known,
            any_number: !address.is_loopback(),
        }
    }

    /// Whether a request asks for this server by one of its names.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        let Some(host) = headers.get(header::HOST) else {
            return true; // HTTP/1.0
        };
        let host = host.to_str().unwrap_or_default().to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => &host,
        };
        let number = name.trim_start_matches('[').trim_end_matches(']');
        self.known.iter().any(|known| known == name)
            || self.any_number && number.parse::<IpAddr>().is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;

    #[test]
    fn names_that_others_can_point_here_are_not_known() {
        let knows = |hosts: &Hosts, name: &'static str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::HOST, HeaderValue::from_static(name));
            hosts.knows(&headers)
        };
        let own = Hosts::new("127.0.0.1", [127, 0, 0, 1].into(), &[]);
        let open = Hosts::new("0.0.0.0", [0, 0, 0, 0].into(), &["Box.local".into()]);
        for name in ["localhost", "LOCALHOST:7345", "127.0.0.1:80", "[::1]:80"] {
            assert!(knows(&own, name) && knows(&open, name), "{name}");
        }
        for name in ["192.168.1.2:7345", "[fe80::1]:7345", "box.local:7345"] {
            assert!(!knows(&own, name) && knows(&open, name), "{name}");
        }
        for name in ["evil.example", "localhost.evil.example:80", "1.evil", ""] {
            assert!(!knows(&own, name) && !knows(&open, name), "{name}");
        }
    }
}
