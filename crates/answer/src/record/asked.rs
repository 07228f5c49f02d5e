//! The bodies that the service reads. Fields have the names and meanings of flags on the command line.

use serde::Deserialize;
use utoipa::ToSchema;

use super::{lists, names};

/// A puzzle to solve, and how.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveBody {
    /// A board, tiles separated by spaces and rows by slashes, 0 or _ for the blank, or as a list of tiles or of rows; or a
    /// level of Sokoban, as XSB or with run lengths.
    #[serde(deserialize_with = "lists::text")]
    #[schema(schema_with = lists::puzzle)]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[serde(default, deserialize_with = "lists::optional_text")]
    #[schema(schema_with = lists::goal)]
    pub goal: Option<String>,
    /// How to search; auto by default.
    #[schema(schema_with = names::engines)]
    pub engine: Option<String>,
    /// The lower bound that guides it, such as walking or pdb:5-5-5.
    #[schema(example = "manhattan")]
    pub heuristic: Option<String>,
    /// How the engine sat writes the puzzle as clauses.
    #[schema(schema_with = names::encodings)]
    pub encoding: Option<String>,
    /// The SAT solver of the engine sat.
    #[schema(schema_with = names::backends)]
    pub backend: Option<String>,
    /// Which length the engine sat asks for next.
    #[schema(schema_with = names::schedules)]
    pub bounds: Option<String>,
    /// What the engine sat keeps from one length to the next.
    #[schema(schema_with = names::keeps)]
    pub keep: Option<String>,
    /// Take the first plan instead of an optimal one: for levels, or with the engine sat.
    #[serde(default)]
    pub any: bool,
    /// What to minimise: moves on a board; pushes (the default) or moves in a level.
    #[schema(schema_with = names::objectives)]
    pub objective: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
    /// The engine sat only decides whether there is a plan of at most this length; with from, it asks for no greater one.
    pub at_most: Option<u32>,
    /// The first length that the engine sat asks for, even one that a lower bound rules out.
    pub from: Option<u32>,
    /// The engine sat solves a level in stages, one more goal at a time. The plan is not proven optimal.
    #[serde(default)]
    pub decompose: bool,
    /// Stop the search after this many seconds; at most the server's limit, which is the default.
    #[schema(minimum = 0)]
    pub time_limit_s: Option<f64>,
    /// Stop the search before its states take more bytes than this; at most the server's share for a search, which is the
    /// default.
    pub memory_limit_bytes: Option<u64>,
    /// The seconds to wait for the answer before a job is handed out: at most 2, which is the default.
    #[schema(minimum = 0, maximum = 2)]
    pub wait_s: Option<f64>,
}

/// A puzzle to give a hint for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// A board, or a level of Sokoban.
    #[serde(deserialize_with = "lists::text")]
    #[schema(schema_with = lists::puzzle)]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[serde(default, deserialize_with = "lists::optional_text")]
    #[schema(schema_with = lists::goal)]
    pub goal: Option<String>,
    /// What to minimise: moves on a board; pushes (the default) or moves in a level.
    #[schema(schema_with = names::objectives)]
    pub objective: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
    /// Stop the search after this many seconds; 1.5 by default.
    #[schema(minimum = 0, maximum = 10)]
    pub time_limit_s: Option<f64>,
}

/// A plan to replay.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    /// A board, or a level of Sokoban.
    #[serde(deserialize_with = "lists::text")]
    #[schema(schema_with = lists::puzzle)]
    pub puzzle: String,
    /// The letters L U R D, with several players one line for each; or the plan of a PDDL planner.
    #[schema(example = "DR")]
    pub plan: String,
    /// blank-last (the default), blank-first or a board.
    #[serde(default, deserialize_with = "lists::optional_text")]
    #[schema(schema_with = lists::goal)]
    pub goal: Option<String>,
    /// What the letters describe: the movement of the blank (the default) or of the tile; in a level, lurd.
    #[schema(schema_with = names::optional_notations)]
    pub notation: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
}

/// A puzzle to certify.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CertifyBody {
    /// A board of up to 16 cells, or a level of Sokoban.
    #[serde(deserialize_with = "lists::text")]
    #[schema(schema_with = lists::puzzle)]
    pub puzzle: String,
    /// A plan that should be optimal, in the blank's letters or as LURD. Without one, the service looks for an optimal plan.
    #[schema(example = json!(null))]
    pub plan: Option<String>,
    /// blank-last (the default), blank-first or a board.
    #[serde(default, deserialize_with = "lists::optional_text")]
    #[schema(schema_with = lists::goal)]
    pub goal: Option<String>,
    /// pushes (the default) or moves, for levels of one player.
    #[schema(schema_with = names::objectives)]
    pub objective: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
    /// The time for all of it, in seconds.
    #[schema(minimum = 0, maximum = 30, example = 3)]
    pub time_limit_s: Option<f64>,
}

/// A puzzle that may have no plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvableBody {
    /// A board, or a level of Sokoban.
    #[serde(deserialize_with = "lists::text")]
    #[schema(schema_with = lists::puzzle)]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[serde(default, deserialize_with = "lists::optional_text")]
    #[schema(schema_with = lists::goal)]
    pub goal: Option<String>,
}

/// A level to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainBody {
    /// A Sokoban level.
    #[schema(example = "#######\n#@ $ .#\n#    $#\n#.    #\n#######")]
    pub puzzle: String,
}

/// A puzzle to make.
#[derive(Clone, Debug, Deserialize, ToSchema)]
#[serde(tag = "kind", rename_all = "lowercase", try_from = "AnyGenerateBody")]
pub enum GenerateBody {
    /// A board of tiles that can be solved.
    Board {
        /// Columns.
        #[schema(minimum = 1, maximum = 4096, example = 4)]
        width: usize,
        /// Rows.
        #[schema(minimum = 1, maximum = 4096, example = 4)]
        height: usize,
        /// The same seed makes the same board.
        #[schema(maximum = 9_007_199_254_740_991_i64, example = 1)]
        seed: Option<u64>,
        /// The moves of an optimal plan.
        #[schema(example = 20)]
        distance: Option<u32>,
        /// blank-last (the default), blank-first or a board.
        #[schema(schema_with = lists::goal)]
        goal: Option<String>,
    },
    /// A level of Sokoban whose optimum is known.
    Level {
        /// The most columns, walls included.
        #[schema(minimum = 5, maximum = 40, example = 8)]
        width: usize,
        /// The most rows, walls included.
        #[schema(minimum = 5, maximum = 40, example = 8)]
        height: usize,
        /// Boxes, and as many goals.
        #[schema(minimum = 1, example = 2)]
        boxes: usize,
        /// Players; one by default.
        #[schema(minimum = 1, example = 1)]
        players: Option<usize>,
        /// One player: no plan has fewer pushes.
        #[schema(example = 5)]
        min_pushes: Option<u32>,
        /// Several players: no plan has fewer steps.
        min_steps: Option<u32>,
        /// The same seed makes the same level.
        #[schema(maximum = 9_007_199_254_740_991_i64, example = 1)]
        seed: Option<u64>,
    },
}

/// The fields of both kinds, read together so that an error knows its field.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyGenerateBody {
    kind: String,
    width: Option<usize>,
    height: Option<usize>,
    seed: Option<u64>,
    distance: Option<u32>,
    #[serde(default, deserialize_with = "lists::optional_text")]
    goal: Option<String>,
    boxes: Option<usize>,
    players: Option<usize>,
    min_pushes: Option<u32>,
    min_steps: Option<u32>,
}

impl TryFrom<AnyGenerateBody> for GenerateBody {
    type Error = String;

    fn try_from(any: AnyGenerateBody) -> Result<GenerateBody, String> {
        let for_boards = [
            (any.distance.is_some(), "distance"),
            (any.goal.is_some(), "goal"),
        ];
        let for_levels = [
            (any.boxes.is_some(), "boxes"),
            (any.players.is_some(), "players"),
            (any.min_pushes.is_some(), "min_pushes"),
            (any.min_steps.is_some(), "min_steps"),
        ];
        let (misplaced, others) = match any.kind.as_str() {
            "board" => (&for_levels[..], "levels"),
            "level" => (&for_boards[..], "boards"),
            kind => {
                return Err(format!(
                    "kind: {kind} is not known (expected board or level)"
                ));
            }
        };
        if let Some((_, field)) = misplaced.iter().find(|(is_given, _)| *is_given) {
            let kind = any.kind;
            return Err(format!("{field}: it is for {others}, and kind is {kind}"));
        }
        let needed = |value: Option<usize>, field: &str| {
            value.ok_or_else(|| format!("missing field `{field}`"))
        };
        let width = needed(any.width, "width")?;
        let height = needed(any.height, "height")?;
        Ok(if any.kind == "board" {
            GenerateBody::Board {
                width,
                height,
                seed: any.seed,
                distance: any.distance,
                goal: any.goal,
            }
        } else {
            GenerateBody::Level {
                width,
                height,
                boxes: needed(any.boxes, "boxes")?,
                players: any.players,
                min_pushes: any.min_pushes,
                min_steps: any.min_steps,
                seed: any.seed,
            }
        })
    }
}
