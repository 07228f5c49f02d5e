//! What can be wrong with a graph, its name, its file or its states.
//!
//! Words from the user are cut and escaped before they get in here, so that a message
//! stays one readable line whatever the input was.

/// The most vertices a graph may have: each has a number that fits a `u16`.
pub const MAX_VERTICES: usize = 1 << 16;

/// What can be wrong with a graph, its name, its file or its states.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GraphError {
    /// Something is wrong on one line of a file.
    #[error("line {line}: {error}")]
    Line {
        /// The line, counted from 1.
        line: usize,
        /// What is wrong there.
        error: Box<GraphError>,
    },
    /// A graph without vertices.
    #[error("the graph has no vertex; expected at least one edge, such as `a b`")]
    Empty,
    /// More than [`MAX_VERTICES`].
    #[error("more than {MAX_VERTICES} vertices; a graph may have at most that many")]
    TooMany,
    /// Two vertices of one name.
    #[error("two vertices are called `{name}`; names must differ")]
    DoubleName {
        /// The name.
        name: String,
    },
    /// An edge to a vertex that does not exist.
    #[error("an edge leads to vertex number {index}, but they are numbered 0 to {}", count - 1)]
    NoVertex {
        /// The number that is too large.
        index: u16,
        /// How many vertices there are.
        count: usize,
    },
    /// An edge from a vertex to itself.
    #[error("`{vertex} {vertex}` is a loop; an edge must join two different vertices")]
    Loop {
        /// The vertex.
        vertex: String,
    },
    /// An edge given twice.
    #[error("the edge `{a} {b}` was given before; each edge may appear once, in either direction")]
    DoubleEdge {
        /// One end.
        a: String,
        /// The other end.
        b: String,
    },
    /// A graph that is not connected.
    #[error(
        "the graph has two parts: no way leads from `{a}` to `{b}`; a puzzle needs a connected graph"
    )]
    Parts {
        /// A vertex of one part.
        a: String,
        /// A vertex of another.
        b: String,
    },
    /// A built-in graph nobody knows.
    #[error("no built-in graph is called `{found}`; known are {known}")]
    Unknown {
        /// What was asked for.
        found: String,
        /// Those there are.
        known: String,
    },
    /// A built-in graph whose sizes are missing, malformed or too small.
    #[error("`{found}` is not a size that works; expected {form}: {meaning}")]
    Size {
        /// What was asked for.
        found: String,
        /// The form expected, such as `grid:WxH`.
        form: &'static str,
        /// What the form stands for, with its limits.
        meaning: &'static str,
    },
    /// A built-in graph that is too large.
    #[error("`{found}` is too large: at most {MAX_VERTICES} vertices and {edges} edges")]
    TooLarge {
        /// What was asked for.
        found: String,
        /// The most edges of a built-in graph.
        edges: usize,
    },
    /// A line of a file that is not one of the four kinds.
    #[error("found `{found}`; expected a vertex, an edge (two vertices), `start: …` or `goal: …`")]
    Statement {
        /// The line.
        found: String,
    },
    /// A second `start:` or `goal:` line.
    #[error("a second `{key}:` line; the first is line {first}")]
    SecondState {
        /// `start` or `goal`.
        key: &'static str,
        /// The line of the first one.
        first: usize,
    },
    /// A name or label with a character that has another meaning.
    #[error(
        "`{word}` is not a word; names and labels have no blanks, control characters or any of # : = , /"
    )]
    Word {
        /// The word.
        word: String,
    },
    /// A state with too few or too many labels.
    #[error(
        "{found} labels for {expected} vertices; expected one for each, with 0 or _ for the blank"
    )]
    Count {
        /// How many labels were given.
        found: usize,
        /// How many vertices there are.
        expected: usize,
    },
    /// A word without `=` among assignments.
    #[error("`{word}` is not an assignment; expected vertex=label, as in the rest of the state")]
    Assignment {
        /// The word.
        word: String,
    },
    /// An assignment to a vertex that does not exist.
    #[error("there is no vertex `{name}`")]
    NoSuchVertex {
        /// The name.
        name: String,
    },
    /// Two assignments to one vertex.
    #[error("vertex `{name}` gets two labels; expected one")]
    AssignedTwice {
        /// The vertex.
        name: String,
    },
    /// A vertex without an assignment.
    #[error("vertex `{name}` has no label; give every vertex one, and 0 or _ to the blank")]
    Unassigned {
        /// The vertex.
        name: String,
    },
    /// One label on two vertices.
    #[error("label `{label}` lies on both `{a}` and `{b}`; labels must differ")]
    DoubleLabel {
        /// The label.
        label: String,
        /// One vertex.
        a: String,
        /// The other vertex.
        b: String,
    },
    /// A state without a blank.
    #[error("no vertex is blank; expected exactly one 0 or _")]
    NoBlank,
    /// A state with two blanks.
    #[error("`{a}` and `{b}` are both blank; expected exactly one 0 or _")]
    TwoBlanks {
        /// One blank vertex.
        a: String,
        /// The other.
        b: String,
    },
    /// A label of one state that the other lacks.
    #[error("label `{label}` is in the {with} but missing from the {without}")]
    Labels {
        /// The label.
        label: String,
        /// `start` or `goal`.
        with: &'static str,
        /// The other one.
        without: &'static str,
    },
}
