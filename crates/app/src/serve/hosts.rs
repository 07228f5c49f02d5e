//! The names that a server goes by.

use std::net::IpAddr;

use axum::http::{HeaderMap, header};

/// Which names this server goes by. A page elsewhere can point its own name at 127.0.0.1 (DNS rebinding); the Host
/// header gives it away.
#[derive(Clone, Debug)]
pub struct Hosts {
    /// None: any name will do, as the server is open to the network.
    known: Option<Vec<String>>,
}

impl Hosts {
    /// The names of a server bound to this address as the user wrote it.
    pub fn new(host: &str, address: IpAddr) -> Hosts {
        let known = address.is_loopback().then(|| {
            let mut known = vec!["localhost".into(), "127.0.0.1".into(), "[::1]".into()];
            known.push(host.to_ascii_lowercase());
            known.push(address.to_string());
            known
        });
        Hosts { known }
    }

    /// Whether a request asks for this server by one of its names.
    pub fn knows(&self, headers: &HeaderMap) -> bool {
        let (Some(known), Some(host)) = (&self.known, headers.get(header::HOST)) else {
            return true;
        };
        let host = host.to_str().unwrap_or_default().to_ascii_lowercase();
        let name = match host.rsplit_once(':') {
            Some((name, port)) if port.bytes().all(|b| b.is_ascii_digit()) => name,
            _ => &host,
        };
        known.iter().any(|known| known == name)
    }
}
