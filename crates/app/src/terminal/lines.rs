//! Lines of a source that may hold anything: lines that are too long or not text, with any line ending. A bad line does
//! not stop the reading.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::string::FromUtf8Error;

/// The longest line of a puzzle: 65,536 tiles of five digits and more.
const LONGEST_LINE: usize = 1 << 20;

/// The lines of a source. They end with a line feed, a carriage return or both.
pub struct Lines<R> {
    source: BufReader<R>,
    /// Lines that were read already and end with a carriage return alone.
    rest: VecDeque<Vec<u8>>,
}

/// What is wrong with a line.
pub enum LineError {
    Io(io::Error),
    Long,
    NotText(FromUtf8Error),
    /// A zero byte, which no text has: the first bad byte, counted from 1, and its value.
    Binary(usize, u8),
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            LineError::Io(error) => error.fmt(f),
            LineError::Long => write!(f, "a line of more than {LONGEST_LINE} bytes"),
            LineError::NotText(error) => f.write_str(&not_text(error, " of the line")),
            LineError::Binary(at, byte) => {
                write!(f, "not a text file: byte {at} of the line is {byte:#04x}")
            }
        }
    }
}

impl<R: Read> Lines<R> {
    pub fn new(source: R) -> Self {
        Lines {
            source: BufReader::new(source),
            rest: VecDeque::new(),
        }
    }
}

impl<R: Read> Iterator for Lines<R> {
    type Item = Result<String, LineError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(line) = self.rest.pop_front() {
            return Some(text(line));
        }
        let mut line = vec![];
        match self
            .source
            .by_ref()
            .take(LONGEST_LINE as u64 + 1)
            .read_until(b'\n', &mut line)
        {
            Ok(0) => None,
            Err(error) => Some(Err(LineError::Io(error))),
            Ok(length) if length > LONGEST_LINE && line.last() != Some(&b'\n') => {
                // Skip the rest of it without keeping it.
                match self.source.skip_until(b'\n') {
                    Ok(_) => Some(Err(LineError::Long)),
                    Err(error) => Some(Err(LineError::Io(error))),
                }
            }
            Ok(_) => {
                let end = line.trim_ascii_end().len();
                if line[..end].contains(&b'\r') {
                    let lines = line.split_inclusive(|&b| b == b'\r');
                    self.rest.extend(lines.map(<[u8]>::to_vec));
                    for line in &mut self.rest {
                        line.iter_mut()
                            .filter(|b| **b == b'\r')
                            .for_each(|b| *b = b'\n');
                    }
                    line = self.rest.pop_front().expect("some lines");
                }
                Some(text(line))
            }
        }
    }
}

fn text(line: Vec<u8>) -> Result<String, LineError> {
    let zero = line.iter().position(|&byte| byte == 0);
    match (String::from_utf8(line), zero) {
        (Ok(line), None) => Ok(line),
        (Ok(_), Some(zero)) => Err(LineError::Binary(zero + 1, 0)),
        (Err(error), None) => Err(LineError::NotText(error)),
        (Err(error), Some(zero)) => {
            let first = zero.min(error.utf8_error().valid_up_to());
            Err(LineError::Binary(first + 1, error.as_bytes()[first]))
        }
    }
}

/// Where bytes stop being text; `of_what` names what they are bytes of.
pub fn not_text(error: &FromUtf8Error, of_what: &str) -> String {
    let at = error.utf8_error().valid_up_to();
    let byte = error.as_bytes()[at];
    format!("not UTF-8 text: byte {}{of_what} is {byte:#04x}", at + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn odd_lines_do_not_end_the_reading() {
        let text = [
            b"1 2\n".as_slice(),
            &b"9".repeat(3 << 20),
            b"\n\xff\xfe\n3 4\r\n",
        ]
        .concat();
        let lines: Vec<_> = Lines::new(text.as_slice())
            .map(|l| l.map_err(|e| e.to_string()))
            .collect();
        assert_eq!(lines.len(), 4);
        assert_eq!(lines[0], Ok("1 2\n".into()));
        assert!(
            lines[1]
                .as_ref()
                .unwrap_err()
                .contains("more than 1048576 bytes")
        );
        assert_eq!(
            lines[2],
            Err("not UTF-8 text: byte 1 of the line is 0xff".into())
        );
        assert_eq!(lines[3], Ok("3 4\r\n".into()));
    }

    #[test]
    fn a_zero_byte_makes_a_line_binary() {
        let first = |bytes: &[u8]| match Lines::new(bytes).next() {
            Some(Err(LineError::Binary(at, byte))) => Some((at, byte)),
            _ => None,
        };
        assert_eq!(first(b"1 2\0\n"), Some((4, 0)));
        assert_eq!(first(b"\xff\xfe\0\x01"), Some((1, 0xff)));
        assert_eq!(first(b"\xff\n"), None);
    }
}
