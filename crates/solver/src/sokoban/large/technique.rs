//! The techniques that lead to the first plan of a large level, each of which can be switched off.
//!
//! A benchmark that is built with the feature `ablation` does without the technique that the
//! variable `NOYES_WITHOUT` names. So it shows what each one is worth; the results are in
//! docs/measured.md. In every other build all techniques are on.

/// A technique.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Technique {
    /// Searches between open states of both ends.
    Stages,
    /// Groups of goals that are filled one after the other.
    Rooms,
    /// Searches that look for open states.
    OpenSearches,
    /// Feature-space searches from the start.
    Forward,
    /// Feature-space searches from the goals back.
    Backward,
    /// Searches that look for states of the other end.
    Meetings,
    /// Dead groups of boxes that are learned.
    LearnedGroups,
    /// Small searches from states that are furthest.
    Probes,
    /// PI-corrals in feature-space searches.
    Corrals,
    /// Moves that weigh nothing because an advisor wants them.
    Advisors,
    /// A plan for the order in which goals are filled.
    FillingPlan,
    /// Prices of what is in the way to the next goal.
    Prices,
}

impl Technique {
    /// Whether it is used.
    #[inline]
    pub(crate) fn is_on(self) -> bool {
        switched_off() != Some(self)
    }
}

#[cfg(not(feature = "ablation"))]
#[inline]
const fn switched_off() -> Option<Technique> {
    None
}

/// The technique that `NOYES_WITHOUT` names.
#[cfg(feature = "ablation")]
fn switched_off() -> Option<Technique> {
    static OFF: std::sync::OnceLock<Option<Technique>> = std::sync::OnceLock::new();
    *OFF.get_or_init(|| {
        let name = std::env::var("NOYES_WITHOUT").ok()?;
        let named = ALL.iter().find(|(n, _)| *n == name);
        let names = ALL.map(|(name, _)| name).join(", ");
        let (_, off) = named.unwrap_or_else(|| panic!("NOYES_WITHOUT={name}: expected {names}"));
        Some(*off)
    })
}

#[cfg(feature = "ablation")]
const ALL: [(&str, Technique); 12] = [
    ("stages", Technique::Stages),
    ("rooms", Technique::Rooms),
    ("open-searches", Technique::OpenSearches),
    ("forward", Technique::Forward),
    ("backward", Technique::Backward),
    ("meetings", Technique::Meetings),
    ("learned-groups", Technique::LearnedGroups),
    ("probes", Technique::Probes),
    ("corrals", Technique::Corrals),
    ("advisors", Technique::Advisors),
    ("filling-plan", Technique::FillingPlan),
    ("prices", Technique::Prices),
];
