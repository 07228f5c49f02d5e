//! Certificates from the service.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

use crate::common::EASY;
use crate::common::http::{HARDEST, Server};

const CERTIFY: &str = "/api/v1/certify";

#[test]
fn the_service_certifies_and_its_certificate_is_checked() {
    let server = Server::start(&[]);
    let reply = server.ask(CERTIFY, &json!({"puzzle": HARDEST}));
    assert_eq!(
        (&reply["verified"], &reply["cost"]),
        (&json!(true), &json!(31))
    );
    let text = reply["certificate_base64"].as_str().unwrap();
    let bytes = STANDARD.decode(text).unwrap();
    let verdict = noyes_check::verify(&bytes[..], &mut noyes_check::Store::new(None, 1)).unwrap();
    assert_eq!(verdict.cost, Some(31));
    for body in [
        json!({"puzzle": "6#|#@-$.#|6#"}),
        json!({"puzzle": "1 2 3/4 5 6/8 7 0"}),
    ] {
        assert_eq!(server.ask(CERTIFY, &body)["verified"], true, "{body}");
    }
    for (plan, said) in [("UU", "out of the board"), ("UDDR", "not optimal")] {
        let reply = server.ask(CERTIFY, &json!({"puzzle": EASY, "plan": plan}));
        assert_eq!(reply["verified"], false);
        assert!(reply["error"].as_str().unwrap().contains(said), "{reply}");
    }
    for (body, said) in [
        (json!({"puzzle": EASY, "time_limit_s": 1e9}), "time_limit_s"),
        (json!({"puzzle": EASY, "axioms": "none"}), "axioms"),
    ] {
        server.assert_refused(CERTIFY, &body.to_string(), 422, said);
    }
}
