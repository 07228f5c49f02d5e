//! What the service is asked: bodies. Fields have the names and meanings of flags on the command line.

use serde::Deserialize;
use utoipa::ToSchema;

use super::names;

/// A puzzle to solve, and how.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolveBody {
    /// A board, tiles separated by spaces and rows by slashes, 0 or _ for the blank; or a level of Sokoban, as XSB or with
    /// run lengths.
    #[schema(example = "8 6 7/2 5 4/3 0 1")]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// The way of searching; auto by default.
    #[schema(schema_with = names::engines)]
    pub engine: Option<String>,
    /// The lower bound that guides it, such as walking or pdb:5-5-5.
    #[schema(example = "manhattan")]
    pub heuristic: Option<String>,
    /// How the engine sat writes the puzzle as clauses.
    #[schema(schema_with = names::encodings)]
    pub encoding: Option<String>,
    /// What solves them.
    #[schema(schema_with = names::backends)]
    pub backend: Option<String>,
    /// Which length the engine sat asks for next.
    #[schema(schema_with = names::schedules)]
    pub bounds: Option<String>,
    /// What the engine sat keeps from one length to the next.
    #[schema(schema_with = names::keeps)]
    pub keep: Option<String>,
    /// The first plan will do: of a level, or of the engine sat.
    #[serde(default)]
    pub any: bool,
    /// What a plan should have fewest of: moves of a board; pushes (the default) or moves of a level.
    #[schema(schema_with = names::objectives)]
    pub objective: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
    /// Ask the engine sat only whether there is a plan of at most this length.
    pub at_most: Option<u32>,
    /// Stop the search after this time; the server's limit by default.
    #[schema(minimum = 0)]
    pub time_limit_s: Option<f64>,
    /// Stop the search before its states take more; the server's limit by default.
    pub memory_limit_bytes: Option<u64>,
    /// Wait this long for the answer before a job is handed out, at most and by default 2.
    #[schema(minimum = 0, maximum = 2)]
    pub wait_s: Option<f64>,
}

/// A puzzle to give a hint for.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct HintBody {
    /// A board, or a level of Sokoban.
    #[schema(example = "1 2 3/4 0 6/7 5 8")]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// What a plan should have fewest of: moves of a board; pushes (the default) or moves of a level.
    #[schema(schema_with = names::objectives)]
    pub objective: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
    /// Stop the search after this time; 1.5 by default.
    #[schema(minimum = 0, maximum = 10)]
    pub time_limit_s: Option<f64>,
}

/// A plan to replay.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct CheckBody {
    /// A board, or a level of Sokoban.
    #[schema(example = "1 2 3/4 0 6/7 5 8")]
    pub puzzle: String,
    /// Letters L U R D, of several players a line for each; or a planner's plan.
    #[schema(example = "DR")]
    pub plan: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
    /// What the letters name: the movement of the blank (the default) or of the tile; of a level lurd.
    #[schema(schema_with = names::optional_notations)]
    pub notation: Option<String>,
    /// Levels of several players: every player moves in every step.
    #[serde(default)]
    pub no_wait: bool,
}

/// A puzzle that may have no plan.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SolvableBody {
    /// A board, or a level of Sokoban.
    #[schema(example = "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0")]
    pub puzzle: String,
    /// blank-last (the default), blank-first or a board.
    #[schema(example = "blank-last")]
    pub goal: Option<String>,
}

/// A level to look at.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ExplainBody {
    /// A level as it stands.
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
        #[schema(example = "blank-last")]
        goal: Option<String>,
    },
    /// A level of Sokoban whose optimum is known.
    Level {
        /// Cells in a row at most, walls included.
        #[schema(minimum = 5, maximum = 40, example = 8)]
        width: usize,
        /// Rows at most, walls included.
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

/// The fields of both kinds: read in one go, so that an error still knows its place.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct AnyGenerateBody {
    kind: GenerateKind,
    width: usize,
    height: usize,
    seed: Option<u64>,
    distance: Option<u32>,
    goal: Option<String>,
    boxes: Option<usize>,
    players: Option<usize>,
    min_pushes: Option<u32>,
    min_steps: Option<u32>,
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum GenerateKind {
    Board,
    Level,
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
        let first = |given: &[(bool, &'static str)]| given.iter().find(|g| g.0).map(|g| g.1);
        match any.kind {
            GenerateKind::Board => match first(&for_levels) {
                Some(field) => Err(format!("{field} is for levels, and kind is board")),
                None => Ok(GenerateBody::Board {
                    width: any.width,
                    height: any.height,
                    seed: any.seed,
                    distance: any.distance,
                    goal: any.goal,
                }),
            },
            GenerateKind::Level => match (first(&for_boards), any.boxes) {
                (Some(field), _) => Err(format!("{field} is for boards, and kind is level")),
                (None, None) => Err("missing field `boxes`".into()),
                (None, Some(boxes)) => Ok(GenerateBody::Level {
                    width: any.width,
                    height: any.height,
                    boxes,
                    players: any.players,
                    min_pushes: any.min_pushes,
                    min_steps: any.min_steps,
                    seed: any.seed,
                }),
            },
        }
    }
}
