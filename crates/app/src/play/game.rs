//! A game: moves made and taken back, and help on request.
//!
//! Nothing here draws, waits or searches. [`Game::question`] says which position
//! should be looked into, and [`Game::learn`] takes what was found out about one,
//! whenever it comes.

use std::collections::HashMap;

use noyes_puzzle::tiles::Direction;
use noyes_solver::Objective;

use super::known::Known;
use super::position::{Position, Step};

/// What the player asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Help {
    #[default]
    None,
    /// The next move of a plan, shown; asked for again, it is made.
    Hint,
    /// All moves of a plan, made one by one.
    Solution,
}

/// A position to look into.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub position: Position,
    /// Whether a plan is wanted; otherwise only dead boxes are.
    pub wants_plan: bool,
}

/// A puzzle being played.
pub struct Game {
    start: Position,
    now: Position,
    objective: Objective,
    made: Vec<Step>,
    undone: Vec<Step>,
    help: Help,
    shows_optimum: bool,
    known: HashMap<Position, Known>,
}

impl Game {
    pub fn new(start: Position, objective: Objective) -> Game {
        let objective = match start {
            Position::Tiles { .. } => Objective::Moves,
            Position::Level { .. } => objective,
        };
        Game {
            now: start.clone(),
            start,
            objective,
            made: vec![],
            undone: vec![],
            help: Help::None,
            shows_optimum: false,
            known: HashMap::new(),
        }
    }

    pub fn now(&self) -> &Position {
        &self.now
    }

    pub fn start(&self) -> &Position {
        &self.start
    }

    pub fn objective(&self) -> Objective {
        self.objective
    }

    pub fn help(&self) -> Help {
        self.help
    }

    pub fn shows_optimum(&self) -> bool {
        self.shows_optimum
    }

    pub fn moves(&self) -> usize {
        self.made.len()
    }

    pub fn pushes(&self) -> usize {
        self.made.iter().filter(|step| step.pushes).count()
    }

    /// The cost of all moves made.
    pub fn cost(&self) -> u32 {
        self.made.iter().map(|step| step.cost(self.objective)).sum()
    }

    pub fn is_solved(&self) -> bool {
        self.now.is_solved()
    }

    /// What is known of a position.
    pub fn known(&self, position: &Position) -> Known {
        self.known.get(position).cloned().unwrap_or_default()
    }

    /// Where the blank or the player is advised to go, if a hint was asked for and is there.
    pub fn hint(&self) -> Option<Direction> {
        match self.help {
            Help::Hint => self.known.get(&self.now)?.next(),
            _ => None,
        }
    }

    /// Makes a move of the player's own; false where it cannot be made.
    pub fn go(&mut self, way: Direction) -> bool {
        self.help = Help::None;
        let stepped = self.step(way);
        if stepped {
            self.undone.clear();
        }
        stepped
    }

    fn step(&mut self, way: Direction) -> bool {
        let before = self.known(&self.now);
        let Some(step) = self.now.step(way) else {
            return false;
        };
        self.made.push(step);
        self.learn(&self.now.clone(), before.after(step, self.objective));
        true
    }

    /// Takes back a move.
    pub fn undo(&mut self) -> bool {
        self.help = Help::None;
        let Some(last) = self.made.pop() else {
            return false;
        };
        self.now.undo(last);
        self.undone.push(last);
        true
    }

    /// Makes a move again that was taken back.
    pub fn redo(&mut self) -> bool {
        self.help = Help::None;
        self.undone.pop().is_some_and(|step| self.step(step.way))
    }

    /// Takes back all moves; they can be made again.
    pub fn restart(&mut self) {
        while self.undo() {}
    }

    /// Asks for a hint, or makes the move of the hint that is shown.
    pub fn ask_hint(&mut self) {
        match self.hint() {
            Some(way) => {
                self.go(way);
            }
            None if self.is_solved() => {}
            None => self.help = Help::Hint,
        }
    }

    /// Asks for the solution, or stops it.
    pub fn ask_solution(&mut self) {
        self.help = match self.help {
            Help::Solution => Help::None,
            _ if self.is_solved() => Help::None,
            _ => Help::Solution,
        };
    }

    /// Whether the solution is being played.
    pub fn is_solving(&self) -> bool {
        self.help == Help::Solution
    }

    /// Stops the solution, if it is being played.
    pub fn stop_solution(&mut self) {
        if self.is_solving() {
            self.help = Help::None;
        }
    }

    /// Shows the optimum from here, or no more.
    pub fn toggle_optimum(&mut self) {
        self.shows_optimum = !self.shows_optimum;
    }

    /// Whether the next move of the solution can be made.
    pub fn can_play_on(&self) -> bool {
        self.is_solving() && self.known(&self.now).next().is_some()
    }

    /// Makes the next move of the solution, if it is asked for and known.
    pub fn play_on(&mut self) {
        if self.can_play_on()
            && let Some(way) = self.known(&self.now).next()
        {
            self.go(way);
            self.help = Help::Solution;
        }
        if self.is_solved() {
            self.help = Help::None;
        }
    }

    /// What should be looked into: where the player is, and once all is done, what the start had needed.
    pub fn question(&self) -> Option<Question> {
        let (position, wants_plan) = if self.is_solved() {
            (&self.start, !self.start.is_solved())
        } else {
            (&self.now, self.shows_optimum || self.help != Help::None)
        };
        let known = self.known(position);
        let wants_dead = matches!(position, Position::Level { .. }) && known.dead.is_none();
        let wants_plan = wants_plan && !known.is_settled();
        (wants_plan || wants_dead).then(|| Question {
            position: position.clone(),
            wants_plan,
        })
    }

    /// Adds what was found out about a position.
    pub fn learn(&mut self, position: &Position, known: Known) {
        match self.known.get_mut(position) {
            Some(before) => before.join(known),
            None => {
                self.known.insert(position.clone(), known);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Direction::{Down, Left, Right, Up};
    use noyes_puzzle::sokoban::parse_level;
    use noyes_puzzle::tiles::Board;
    use std::sync::Arc;

    fn tiles(text: &str) -> Game {
        let board: Board = text.parse().unwrap();
        let goal = Arc::new(Board::blank_last(board.width(), board.height()));
        Game::new(Position::Tiles { board, goal }, Objective::Pushes)
    }

    fn level(text: &str) -> Game {
        Game::new(
            Position::of_level(parse_level(text).unwrap()),
            Objective::Pushes,
        )
    }

    fn plan(ways: &[Direction], cost: u32, lower: u32) -> Known {
        Known {
            lower,
            upper: Some(cost),
            plan: Some((ways.to_vec(), cost)),
            ..Known::default()
        }
    }

    fn teach(game: &mut Game, known: Known) {
        let now = game.now().clone();
        game.learn(&now, known);
    }

    #[test]
    fn moves_are_made_taken_back_and_made_again() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        let start = game.now().clone();
        assert!(game.go(Down) && !game.go(Down) && game.go(Right));
        assert!(game.is_solved());
        assert_eq!((game.moves(), game.cost()), (2, 2));
        assert!(game.undo() && game.redo() && game.is_solved());
        game.restart();
        assert_eq!((game.now(), game.moves()), (&start, 0));
        assert!(!game.undo());
        assert!(game.redo() && game.redo() && game.is_solved() && !game.redo());
        // A new move forgets those that were taken back.
        game.undo();
        assert!(game.go(Left) && !game.redo());
    }

    #[test]
    fn pushes_are_counted_and_taken_back() {
        let mut game = level("6#|#@-$.#|6#");
        assert!(game.go(Right) && game.go(Right) && game.is_solved());
        assert_eq!((game.moves(), game.pushes(), game.cost()), (2, 1, 1));
        game.undo();
        assert_eq!(
            (game.moves(), game.pushes(), game.is_solved()),
            (1, 0, false)
        );
        assert!(!game.go(Up));
    }

    #[test]
    fn a_hint_is_asked_for_shown_and_made() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        assert_eq!(game.question(), None);
        game.ask_hint();
        assert_eq!((game.hint(), game.moves()), (None, 0));
        assert!(game.question().unwrap().wants_plan);
        game.ask_hint(); // not there yet: still waiting
        assert_eq!((game.help(), game.moves()), (Help::Hint, 0));
        teach(&mut game, plan(&[Down, Right], 2, 2));
        assert_eq!((game.hint(), game.moves()), (Some(Down), 0));
        assert_eq!(game.question(), None);
        game.ask_hint();
        assert_eq!(
            (game.hint(), game.moves(), game.help()),
            (None, 1, Help::None)
        );
        // The rest of the plan is known without another search.
        game.ask_hint();
        assert_eq!((game.hint(), game.question()), (Some(Right), None));
        // A move of one's own takes the hint away.
        game.go(Left);
        assert_eq!((game.hint(), game.help()), (None, Help::None));
    }

    #[test]
    fn bounds_follow_the_moves() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        teach(&mut game, plan(&[Down, Right], 2, 2));
        game.go(Up); // not the plan's move
        assert_eq!(game.known(game.now()).lower, 1);
        assert_eq!(game.known(game.now()).plan, None);
        game.undo();
        assert_eq!(game.known(game.now()).optimum(), Some(2));
        let mut game = level("7#|#@--$.#|7#");
        teach(&mut game, plan(&[Right, Right, Right], 1, 1));
        game.go(Right);
        assert_eq!(game.known(game.now()).optimum(), Some(1)); // no push yet
        game.go(Right);
        game.go(Right);
        assert_eq!(game.known(game.now()).optimum(), Some(0));
    }

    #[test]
    fn a_plan_is_replaced_only_by_a_cheaper_one() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        teach(&mut game, plan(&[Up, Down, Down, Right], 4, 0));
        teach(&mut game, plan(&[Left, Right, Down, Right], 4, 2));
        let known = game.known(game.now());
        assert_eq!(
            (known.next(), known.lower, known.is_proven()),
            (Some(Up), 2, false)
        );
        teach(&mut game, plan(&[Down, Right], 2, 0));
        assert!(game.known(game.now()).is_proven());
    }

    #[test]
    fn the_solution_is_played_move_by_move_and_can_be_stopped() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        game.ask_solution();
        game.play_on();
        assert_eq!(game.moves(), 0);
        assert!(game.question().unwrap().wants_plan && !game.can_play_on());
        teach(&mut game, plan(&[Down, Right], 2, 2));
        game.play_on();
        assert_eq!((game.moves(), game.help()), (1, Help::Solution));
        game.ask_solution();
        game.play_on();
        assert_eq!((game.moves(), game.help()), (1, Help::None));
        game.ask_solution();
        game.play_on();
        assert!(game.is_solved());
        assert_eq!((game.moves(), game.help()), (2, Help::None));
    }

    #[test]
    fn a_solved_game_asks_what_its_start_had_needed() {
        let mut game = tiles("1 2 3/4 0 6/7 5 8");
        let start = game.now().clone();
        game.go(Down);
        game.go(Right);
        let question = game.question().unwrap();
        assert_eq!((&question.position, question.wants_plan), (&start, true));
        game.learn(&start, plan(&[Down, Right], 2, 2));
        assert_eq!(game.question(), None);
        // There is no help for what is done.
        game.ask_hint();
        game.ask_solution();
        assert_eq!((game.help(), game.question()), (Help::None, None));
        assert_eq!(tiles("1 2/3 0").question(), None);
    }

    #[test]
    fn dead_boxes_of_a_level_are_always_looked_for() {
        let mut game = level("6#|#@-$.#|6#");
        let question = game.question().unwrap();
        assert!(!question.wants_plan);
        let known = Known {
            dead: Some(vec![]),
            ..Known::default()
        };
        teach(&mut game, known);
        assert_eq!(game.question(), None);
        game.toggle_optimum();
        assert!(game.question().unwrap().wants_plan);
    }
}
