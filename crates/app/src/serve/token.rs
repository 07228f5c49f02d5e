//! Who may use the service: everyone on this machine, or those who know its token.
//!
//! A server that the network can reach has a token, unless the user says that it is meant to be open. Clients send it as
//! `Authorization: Bearer TOKEN`. The page reads it from its own address, which the server prints. Only a hash of the
//! token is kept, and hashes are compared in constant time, so an answer's delay says nothing about the token.

use std::net::IpAddr;

use axum::http::{HeaderMap, HeaderValue, header};

use crate::args::Serve;
use crate::terminal::fault::BadInput;

/// The environment variable that can hold the token: other users of the machine see arguments, but not this.
const VARIABLE: &str = "NOYES_TOKEN";
/// The random bytes of a generated token.
const RANDOM_BYTES: usize = 16;

/// The hash of a token; its comparison takes constant time.
pub struct Token(blake3::Hash);

impl Token {
    pub fn new(text: &str) -> Token {
        Token(blake3::hash(text.as_bytes()))
    }

    /// Whether a request carries the token.
    pub fn is_in(&self, headers: &HeaderMap) -> bool {
        let given = headers
            .get(header::AUTHORIZATION)
            .map(HeaderValue::as_bytes);
        given
            .and_then(|given| given.split_at_checked("Bearer ".len()))
            .is_some_and(|(scheme, token)| {
                scheme.eq_ignore_ascii_case(b"Bearer ") && blake3::hash(token) == self.0
            })
    }
}

/// The token of a server that listens at this address; nothing if everyone may use it.
pub fn choose(args: &Serve, address: IpAddr) -> Result<Option<String>, BadInput> {
    if args.no_token {
        return Ok(None);
    }
    let from_variable = || std::env::var(VARIABLE).ok().filter(|t| !t.is_empty());
    let (name, token) = match &args.token {
        Some(token) if token.is_empty() => return generated().map(Some),
        Some(token) => ("--token", Some(token.clone())),
        None => (VARIABLE, from_variable()),
    };
    match token {
        Some(token) if !token.bytes().all(is_plain) => Err(BadInput::new(format!(
            "{name}: expected letters, digits and the signs - . _ ~, which need no quoting in an address"
        ))),
        None if !address.is_loopback() => Err(BadInput::new(format!(
            "--host {}: this opens the service to the network. Add --token to ask clients for a token \
             (one is made and printed; --token TOKEN or {VARIABLE} sets it), or --no-token to let everyone in",
            args.host
        ))),
        token => Ok(token),
    }
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"-._~".contains(&byte)
}

/// A token that nobody can guess.
fn generated() -> Result<String, BadInput> {
    let mut bytes = [0; RANDOM_BYTES];
    getrandom::fill(&mut bytes)
        .map_err(|error| BadInput::new(format!("--token: no random bytes to be had: {error}")))?;
    Ok(format!("{:032x}", u128::from_be_bytes(bytes)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_whole_token_fits() {
        let token = Token::new("secret");
        let fits = |text: &str| {
            let mut headers = HeaderMap::new();
            headers.insert(header::AUTHORIZATION, HeaderValue::from_str(text).unwrap());
            token.is_in(&headers)
        };
        assert!(fits("Bearer secret") && fits("bearer secret"));
        for wrong in [
            "",
            "secret",
            "Bearer",
            "Bearer ",
            "Bearer secre",
            "Bearer secrets",
            "Bearer Secret",
            "Basic secret",
        ] {
            assert!(!fits(wrong), "{wrong}");
        }
        assert!(!token.is_in(&HeaderMap::new()));
    }

    #[test]
    fn generated_tokens_differ_and_need_no_quoting() {
        let (one, other) = (generated().unwrap(), generated().unwrap());
        assert_ne!(one, other);
        assert_eq!(one.len(), 2 * RANDOM_BYTES);
        assert!(one.bytes().all(is_plain));
    }
}
