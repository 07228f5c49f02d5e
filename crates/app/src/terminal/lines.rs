//! Lines of a source that may be anything: too long, no text, ended in any way. None of them ends the reading.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read};
use std::string::FromUtf8Error;

/// No line that means anything is longer: 65,536 tiles of five digits.
const LONGEST_LINE: usize = 1 << 20;

/// Lines of a source that may be anything. They end with a line feed, a carriage return or both.
pub struct Lines<R> {
    source: BufReader<R>,
    /// Lines that were read and end with a carriage return alone.
    rest: VecDeque<Vec<u8>>,
}

/// What is wrong with a line.
pub enum LineError {
    Io(io::Error),
    Long,
    NotText(FromUtf8Error),
}

impl std::fmt::Display for LineError {
    fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
        match self {
            LineError::Io(error) => error.fmt(f),
            LineError::Long => write!(
                f,
                "a line of more than {LONGEST_LINE} bytes, which no puzzle needs"
            ),
            LineError::NotText(error) => f.write_str(&not_a_text(error, " of the line")),
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
        let text = |line| String::from_utf8(line).map_err(LineError::NotText);
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
                // Pass over the rest of it without keeping it.
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

/// Where bytes stop being a text; `of_what` they are bytes, in words.
pub fn not_a_text(error: &FromUtf8Error, of_what: &str) -> String {
    let at = error.utf8_error().valid_up_to();
    let byte = error.as_bytes()[at];
    format!("not a text: byte {}{of_what} is {byte:#04x}", at + 1)
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
            Err("not a text: byte 1 of the line is 0xff".into())
        );
        assert_eq!(lines[3], Ok("3 4\r\n".into()));
    }
}
