//! What records share: the version, the puzzle, and the measures of a level's plan.

use noyes_puzzle::graph::Graph;
use noyes_puzzle::sokoban::{Level, Metrics, write_rle};
use noyes_puzzle::tiles::Board;
use serde::Serialize;
use utoipa::ToSchema;

/// The version of the fields; it changes when one of them changes its meaning.
pub const SCHEMA: &str = "noyes/2";

/// A value as one line of JSON.
pub fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain fields") + "\n"
}

/// The kinds of puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Tiles on a board.
    Board,
    /// Tiles on a graph.
    Graph,
    /// A level of Sokoban.
    Level,
}

/// The puzzle of a record.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Subject {
    /// board, graph or level; null for a text that cannot be read.
    pub kind: Option<Kind>,
    /// The puzzle as text that noyes reads: a board with slashes between its rows, a level in one line with run lengths,
    /// a graph by its name or file and the labels of its vertices in order. Of a text that cannot be read, its beginning.
    #[schema(example = "1 2 3/4 0 6/7 5 8")]
    pub puzzle: String,
    /// The title of a level.
    pub title: Option<String>,
    /// Columns x rows; for a graph, its number of vertices.
    #[schema(example = "3x3")]
    pub size: Option<String>,
    /// The number of players in a level.
    pub players: Option<usize>,
}

impl Subject {
    /// The beginning of a text that cannot be read.
    pub fn unread(text: &str) -> Subject {
        Subject {
            kind: None,
            puzzle: text.into(),
            title: None,
            size: None,
            players: None,
        }
    }

    /// A board.
    pub fn board(board: &Board) -> Subject {
        Subject {
            kind: Some(Kind::Board),
            size: Some(board.size()),
            ..Subject::unread(&board.to_string())
        }
    }

    /// A graph by its name, and the labels on it where there are any.
    pub fn graph(name: &str, graph: &Graph, labels: Option<&str>) -> Subject {
        let puzzle = match labels {
            Some(labels) => format!("{name} {labels}"),
            None => name.into(),
        };
        Subject {
            kind: Some(Kind::Graph),
            size: Some(graph.len().to_string()),
            ..Subject::unread(&puzzle)
        }
    }

    /// A level.
    pub fn level(level: &Level) -> Subject {
        Subject {
            kind: Some(Kind::Level),
            puzzle: write_rle(level),
            title: level.title().map(Into::into),
            size: Some(format!("{}x{}", level.width(), level.height())),
            players: Some(level.players().len()),
        }
    }
}

/// The measures of a level's plan; null for other puzzles and without a legal plan.
#[derive(Clone, Debug, Default, Serialize, ToSchema)]
pub struct Measures {
    /// Steps; in a step every player moves or waits.
    pub length: Option<usize>,
    /// Moves of all players, including pushes, without waits.
    pub moves: Option<usize>,
    /// Moves that push a box.
    pub pushes: Option<usize>,
    /// Runs of pushes in one direction, with no other move between.
    pub box_lines: Option<usize>,
    /// Changes of the pushed box, including the first one.
    pub box_changes: Option<usize>,
    /// Runs of pushes in any direction, with no other move between.
    pub pushing_sessions: Option<usize>,
    /// Runs of moves in one direction, pushes or not.
    pub player_lines: Option<usize>,
}

impl Measures {
    /// The measures of a legal plan.
    pub fn of(metrics: &Metrics) -> Measures {
        Measures {
            length: Some(metrics.steps),
            moves: Some(metrics.moves),
            pushes: Some(metrics.pushes),
            box_lines: Some(metrics.box_lines),
            box_changes: Some(metrics.box_changes),
            pushing_sessions: Some(metrics.pushing_sessions),
            player_lines: Some(metrics.player_lines),
        }
    }
}

/// What the command line prints instead of a record if it refuses its arguments.
#[derive(Serialize)]
pub struct Refused {
    schema: &'static str,
    /// What is wrong, and what was expected.
    error: String,
}

impl Refused {
    /// A refusal with this sentence.
    pub fn new(error: String) -> Refused {
        Refused {
            schema: SCHEMA,
            error,
        }
    }
}
