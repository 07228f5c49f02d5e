//! Certificates.

use noyes_check::Verdict;
use serde::Serialize;
use utoipa::ToSchema;

use super::shared::{SCHEMA, Subject};

/// A certificate: what it proves, and what it took.
#[derive(Serialize, ToSchema)]
pub struct Certified {
    /// The version of these fields.
    pub schema: &'static str,
    #[serde(flatten)]
    pub subject: Subject,
    /// The board to reach; null for a level, which has its goals in it.
    pub goal: Option<String>,
    /// The plan, as noyes solve prints it; null if the puzzle has no plan.
    pub plan: Option<String>,
    /// The cost of the plan; null if the puzzle has no plan.
    pub cost: Option<u32>,
    /// What cost counts: moves, pushes or steps.
    pub objective: &'static str,
    /// Whether noyes-check has verified the certificate.
    pub verified: bool,
    /// What was proved, in a sentence.
    pub proved: Option<String>,
    /// The reasons, one by one.
    pub because: Vec<String>,
    /// The steps of the proof: lemmas and facts.
    pub proof_steps: Option<u64>,
    /// How many of the steps are facts, from pattern databases or about rooms.
    pub proof_facts: Option<u64>,
    /// The size of the certificate.
    pub certificate_bytes: Option<u64>,
    /// The time to find the proof, in seconds.
    pub prove_s: Option<f64>,
    /// The time to check it, in seconds.
    pub check_s: Option<f64>,
    /// The file with the certificate, if it is kept.
    pub certificate: Option<String>,
    /// Why there is no certificate; null if there is one.
    pub error: Option<String>,
}

impl Certified {
    /// A puzzle without a certificate.
    pub fn new(subject: Subject, objective: &'static str) -> Certified {
        Certified {
            schema: SCHEMA,
            subject,
            goal: None,
            plan: None,
            cost: None,
            objective,
            verified: false,
            proved: None,
            because: vec![],
            proof_steps: None,
            proof_facts: None,
            certificate_bytes: None,
            prove_s: None,
            check_s: None,
            certificate: None,
            error: None,
        }
    }

    /// The same with what was verified.
    #[must_use]
    pub fn with(self, verdict: &Verdict) -> Certified {
        Certified {
            verified: true,
            cost: verdict.cost,
            proved: Some(verdict.proved.clone()),
            because: verdict.because.clone(),
            proof_steps: Some(verdict.steps),
            proof_facts: Some(verdict.facts),
            ..self
        }
    }
}

/// A certificate over REST.
#[derive(Serialize, ToSchema)]
pub struct CertifiedFile {
    #[serde(flatten)]
    pub record: Certified,
    /// The certificate itself, in Base64: the file for `noyes-check`. Null if there is no certificate, or if it has more than
    /// 16 MiB.
    pub certificate_base64: Option<String>,
}

/// A certificate that the checker has read.
#[derive(Serialize)]
pub struct Checked {
    /// The version of these fields.
    pub schema: &'static str,
    /// Whether it holds.
    pub verified: bool,
    /// The puzzle.
    pub puzzle: Option<String>,
    /// The cost of the plan; null if the puzzle has no plan.
    pub cost: Option<u32>,
    /// What was proved, in a sentence.
    pub proved: Option<String>,
    /// The reasons, one by one.
    pub because: Vec<String>,
    /// The steps of the proof: lemmas and facts.
    pub proof_steps: Option<u64>,
    /// How many of the steps are facts from pattern databases.
    pub proof_facts: Option<u64>,
    /// Why it is refused; null if it holds.
    pub error: Option<String>,
}

impl Checked {
    /// A certificate that holds.
    pub fn verified(verdict: &Verdict) -> Checked {
        Checked {
            verified: true,
            puzzle: Some(verdict.puzzle.clone()),
            cost: verdict.cost,
            proved: Some(verdict.proved.clone()),
            because: verdict.because.clone(),
            proof_steps: Some(verdict.steps),
            proof_facts: Some(verdict.facts),
            error: None,
            ..Checked::refused(String::new())
        }
    }

    /// A certificate that is refused, for this reason.
    pub fn refused(error: String) -> Checked {
        Checked {
            schema: SCHEMA,
            verified: false,
            puzzle: None,
            cost: None,
            proved: None,
            because: vec![],
            proof_steps: None,
            proof_facts: None,
            error: Some(error),
        }
    }
}
