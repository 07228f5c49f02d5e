//! Questions and answers: a path of the REST service and a body in, a status and JSON out.

use std::time::Duration;

use noyes_answer::hint::{Advice, advise};
use noyes_answer::limits::Limits;
use noyes_answer::make::Order;
use noyes_answer::record::{About, Answered, Progress, ShippedLevel};
use noyes_answer::wish::{Shelf, Wish};
use noyes_answer::{Fault, Memory, body, levels, replay};
use noyes_check::Store;
use noyes_solver::{Control, solve};
use serde::Serialize;

use crate::certify;

/// A page may search for an hour, within a part of the 4 GiB that WebAssembly has.
const LIMITS: Limits = Limits {
    time: Duration::from_secs(3600),
    search_bytes: 1 << 30,
};

/// A status of HTTP, and JSON.
pub struct Reply {
    /// 200, or why there is no answer.
    pub status: u16,
    /// The record, or a problem with the fields `title`, `status` and `detail`.
    pub json: Vec<u8>,
}

/// What all questions share: tables, and plans of earlier hints.
#[derive(Default)]
pub struct Desk {
    shelf: Shelf,
    memory: Memory,
    store: Store,
    control: Control,
}

#[derive(Serialize)]
struct Problem {
    status: u16,
    detail: String,
}

impl Desk {
    /// The control of the question that is being answered: it knows how far the search is.
    pub fn control(&self) -> Control {
        self.control.clone()
    }

    /// How far the search with this control is after some time.
    pub fn progress(control: &Control, elapsed_s: f64) -> Vec<u8> {
        json(&Progress::of(control, elapsed_s))
    }

    /// Answers a question. The body is JSON; for the path `verify`, it is a certificate.
    pub fn answer(&mut self, path: &str, body: &[u8]) -> Reply {
        match self.answered(path, body) {
            Ok(json) => Reply { status: 200, json },
            Err(fault) => {
                let problem = Problem {
                    status: fault.status(),
                    detail: fault.to_string(),
                };
                Reply {
                    status: problem.status,
                    json: json(&problem),
                }
            }
        }
    }

    fn answered(&mut self, path: &str, bytes: &[u8]) -> Result<Vec<u8>, Fault> {
        let control = self.control.clone();
        Ok(match path {
            "version" => json(&About::new(LIMITS.time)),
            "levels" => json::<[ShippedLevel]>(levels::shipped()),
            "solve" => {
                let wish = Wish::new(&body::parse(bytes)?, &LIMITS, &self.shelf)?;
                json(&solved(&wish, control))
            }
            "hint" => {
                let asked = body::parse(bytes)?;
                json(&match advise(&asked, &self.shelf, &self.memory, &LIMITS)? {
                    Advice::Known(hint) => *hint,
                    Advice::Open(search) => search.run(&self.memory, control)?,
                })
            }
            "generate" => {
                let order = Order::new(body::parse(bytes)?)?;
                json(&order.make(&self.shelf, &LIMITS, control)?)
            }
            "check" => json(&replay::check(&body::parse(bytes)?)?),
            "solvable" => json(&replay::is_solvable(&body::parse(bytes)?)?),
            "explain" => {
                let control = control.memory_limit(LIMITS.search_bytes);
                json(&levels::explain(&body::parse(bytes)?, &control)?)
            }
            "certify" => {
                let asked = body::parse(bytes)?;
                let control = control.memory_limit(LIMITS.search_bytes);
                json(&certify::certify(
                    &asked,
                    &self.shelf,
                    &mut self.store,
                    control,
                )?)
            }
            "verify" => json(&certify::verified(bytes, &mut self.store)),
            _ => return Err(Fault::unfit(format_args!("there is no path {path:?}"))),
        })
    }
}

fn solved(wish: &Wish, control: Control) -> Answered {
    let control = control.memory_limit(wish.bytes).time_limit(wish.time);
    match solve(&wish.request, &control) {
        Ok(answer) => wish.record(&answer),
        Err(error) => wish.failed(error.to_string()),
    }
}

fn json<T: Serialize + ?Sized>(value: &T) -> Vec<u8> {
    serde_json::to_vec(value).expect("plain fields")
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    fn asked(desk: &mut Desk, path: &str, body: &str) -> (u16, Value) {
        let Reply { status, json } = desk.answer(path, body.as_bytes());
        (status, serde_json::from_slice(&json).unwrap())
    }

    #[test]
    fn questions_get_the_answers_of_the_service() {
        let desk = &mut Desk::default();
        let (status, solved) = asked(desk, "solve", r#"{"puzzle": "8 6 7/2 5 4/3 0 1"}"#);
        assert_eq!((status, &solved["cost"]), (200, &31.into()));
        assert_eq!(solved["status"], "optimal");
        let (status, hint) = asked(desk, "hint", r#"{"puzzle": "5#|#@$.#|5#"}"#);
        assert_eq!((status, &hint["move"]), (200, &"R".into()));
        let board = r#"{"kind": "board", "width": 3, "height": 3, "distance": 20, "seed": 1}"#;
        let (status, made) = asked(desk, "generate", board);
        assert_eq!((status, &made["cost"]), (200, &20.into()));
        let (_, levels) = asked(desk, "levels", "");
        assert!(levels.as_array().unwrap().len() > 30);
    }

    #[test]
    fn a_question_that_makes_no_sense_is_refused_with_the_words_of_the_service() {
        let desk = &mut Desk::default();
        for (path, body, status, detail) in [
            ("solve", "{}", 422, "the body: puzzle is missing"),
            ("solve", "[1]", 422, "the body: expected an object"),
            ("jobs/1", "", 422, "there is no path \"jobs/1\""),
        ] {
            let (found, problem) = asked(desk, path, body);
            assert_eq!((found, &problem["detail"]), (status, &detail.into()));
        }
        assert_eq!(asked(desk, "solve", "{\"puzzle\": ").0, 400);
    }

    #[test]
    fn a_certificate_holds_and_a_forged_one_is_refused() {
        use base64::Engine as _;
        use base64::engine::general_purpose::STANDARD;
        let desk = &mut Desk::default();
        let (_, made) = asked(desk, "certify", r#"{"puzzle": "8 6 7/2 5 4/3 0 1"}"#);
        assert_eq!(made["verified"], true, "{made}");
        let mut bytes = STANDARD
            .decode(made["certificate_base64"].as_str().unwrap())
            .unwrap();
        let checked = |desk: &mut Desk, bytes: &[u8]| -> Value {
            serde_json::from_slice(&desk.answer("verify", bytes).json).unwrap()
        };
        assert_eq!(checked(desk, &bytes)["cost"], 31);
        bytes.truncate(bytes.len() - 10);
        let refused = checked(desk, &bytes);
        assert_eq!(refused["verified"], false);
        assert!(refused["error"].is_string());
    }
}
