//! Names that read and print as themselves: engines, objectives, and the macro that declares such enums.
//!
//! Every list of names that a user sees (help, error messages, the service's description) comes from an `ALL` here.

/// A name that is not one of those expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{found:?} is not known here (expected {})", expected.join(", "))]
pub struct UnknownName {
    found: String,
    expected: Vec<String>,
}

/// The beginning of a word that is quoted in a message.
fn shortened(word: &str) -> String {
    const MOST: usize = 60;
    match word.char_indices().nth(MOST) {
        None => word.to_string(),
        Some((end, _)) => word[..end].to_string() + "…",
    }
}

impl UnknownName {
    pub(crate) fn new<'a>(found: &str, expected: impl IntoIterator<Item = &'a str>) -> UnknownName {
        UnknownName {
            found: shortened(found),
            expected: expected.into_iter().map(Into::into).collect(),
        }
    }

    /// One more name would do.
    pub(crate) fn or(mut self, name: &str) -> UnknownName {
        self.expected.push(name.to_string());
        self
    }
}

/// Declares an enum of names that read and print as themselves.
macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$each:meta])* $variant:ident = $name:literal),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        pub enum $type { $($(#[$each])* $variant),* }

        impl $type {
            /// Every one there is, in the order of the help.
            pub const ALL: &[$type] = &[$($type::$variant),*];

            /// The name on the command line and in JSON.
            pub fn name(self) -> &'static str {
                match self { $($type::$variant => $name),* }
            }
        }

        impl std::fmt::Display for $type {
            fn fmt(&self, f: &mut std::fmt::Formatter) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::names::UnknownName;

            fn from_str(text: &str) -> Result<$type, $crate::names::UnknownName> {
                let found = $type::ALL.iter().copied().find(|x| x.name() == text);
                found.ok_or_else(|| $crate::names::UnknownName::new(text, $type::ALL.iter().map(|x| x.name())))
            }
        }
    };
}
pub(crate) use names;

names! {
    /// What searches.
    DeviceName {
        /// The processor.
        #[default]
        Cpu = "cpu",
        /// A graphics card.
        Gpu = "gpu",
    }
}

names! {
    /// A way of finding plans.
    Engine {
        /// Whatever suits the puzzle.
        #[default]
        Auto = "auto",
        /// Breadth-first search.
        Bfs = "bfs",
        /// Dijkstra's algorithm.
        Dijkstra = "dijkstra",
        /// A*.
        AStar = "astar",
        /// Iterative-deepening A*.
        IdaStar = "idastar",
        /// A plan at once, then better ones, then the best.
        Anytime = "anytime",
        /// Read off a table of all positions: boards of up to nine cells.
        Table = "table",
        /// Row by row, as people do it: a plan at once, not the shortest.
        Human = "human",
        /// Iterative-deepening depth-first search.
        Iddfs = "iddfs",
        /// SMA*, A* in bounded memory.
        Sma = "sma",
        /// From both ends at once.
        Bidirectional = "bidirectional",
        /// By clauses, asked of a SAT solver for one length after the other.
        Sat = "sat",
    }
}

impl Engine {
    /// Whether it uses a heuristic, to be guided or for its lower bound.
    pub fn uses_heuristic(self) -> bool {
        use Engine::{Bfs, Dijkstra, Iddfs, Table};
        !matches!(self, Bfs | Dijkstra | Iddfs | Table)
    }

    /// Whether it can skip redundant move sequences. (Engines that store their states never need to.)
    pub fn skips_duplicates(self) -> bool {
        use Engine::{Anytime, Auto, IdaStar, Iddfs};
        matches!(self, Auto | IdaStar | Iddfs | Anytime)
    }

    /// Whether its plans are optimal.
    pub fn is_optimal(self) -> bool {
        self != Engine::Human
    }
}

names! {
    /// What a plan of one player has fewest of. Crews always count steps.
    Objective {
        /// Pushes; of plans with as many, moves.
        #[default]
        Pushes = "pushes",
        /// Moves, pushes among them; of plans with as many, pushes.
        Moves = "moves",
    }
}

names! {
    /// What the cost of a plan counts.
    Unit {
        /// Moves of the blank, or of one player.
        #[default]
        Moves = "moves",
        /// Pushes of one player.
        Pushes = "pushes",
        /// Steps that all players of a crew make together.
        Steps = "steps",
    }
}

impl Unit {
    /// The word for one of them.
    pub fn one(self) -> &'static str {
        match self {
            Unit::Moves => "move",
            Unit::Pushes => "push",
            Unit::Steps => "step",
        }
    }
}

impl From<Objective> for Unit {
    fn from(objective: Objective) -> Unit {
        match objective {
            Objective::Pushes => Unit::Pushes,
            Objective::Moves => Unit::Moves,
        }
    }
}
