//! Levels of Sokoban in answers, in checks and on the screen.

use std::fmt::Write;

use anyhow::Result;
use crossterm::style::{Attribute, SetAttribute};
use noyes_check::{WalkFault, sokoban_after, sokoban_plan};
use noyes_puzzle::pddl::{is_plan, level_plan};
use noyes_puzzle::sokoban::{Level, Metrics, State, Walks, step, write_rle, write_xsb};
use noyes_solver::{Answer, Plan, Puzzle, Request, Status, solve};
use serde::Serialize;

use crate::args::{Check, Show};
use crate::command::pddl;
use crate::puzzle::tiles;
use crate::record::{Notated, Record, SCHEMA, json_line};
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::film::{self, Film, cut, window};
use crate::terminal::input;
use crate::terminal::limits::{self, Running};
use crate::terminal::print::complain;
use crate::terminal::print::{counted, print};
use crate::terminal::progress::watched;

/// An answer about a level as JSON: what every answer has, and the measures of its plan.
#[derive(Serialize)]
pub struct LevelRecord {
    #[serde(flatten)]
    record: Record<'static>,
    title: Option<String>,
    /// In one line, with run lengths.
    level: String,
    players: usize,
    /// Whether ties are broken for certain, if it is optimal.
    ties_proven: Option<bool>,
    #[serde(flatten)]
    metrics: Measures,
}

impl LevelRecord {
    pub fn line(&self) -> String {
        json_line(self)
    }
}

/// The measures of a plan as JSON, null without one.
#[derive(Serialize, Default)]
struct Measures {
    // `steps` is taken: there it means the steps of the human method.
    length: Option<usize>,
    moves: Option<usize>,
    pushes: Option<usize>,
    box_lines: Option<usize>,
    box_changes: Option<usize>,
    pushing_sessions: Option<usize>,
    player_lines: Option<usize>,
}

impl Measures {
    fn of(metrics: Option<Metrics>) -> Measures {
        let Some(metrics) = metrics else {
            return Measures::default();
        };
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

/// Columns x rows.
pub fn size(level: &Level) -> String {
    format!("{}x{}", level.width(), level.height())
}

fn level_of(request: &Request) -> &Level {
    match request.puzzle() {
        Puzzle::Sokoban { level, .. } => level,
        _ => unreachable!("a level was asked for"),
    }
}

fn walks_of(answer: &Answer) -> Option<&Walks> {
    match &answer.plan {
        Some(Plan::Walks(walks)) => Some(walks),
        _ => None,
    }
}

fn metrics(level: &Level, walks: &Walks) -> Metrics {
    Metrics::of(level, walks).expect("a plan that was checked")
}

/// The record of an answer.
pub fn record(request: &Request, answer: &Answer) -> LevelRecord {
    let level = level_of(request);
    let walks = walks_of(answer);
    let plan = walks.map(|walks| walks.write(level));
    LevelRecord {
        record: Record {
            size: Some(size(level)),
            objective: request.puzzle().cost_unit(),
            ..Record::answer("sokoban", answer, plan, &Notated::Lurd)
        },
        title: level.title().map(Into::into),
        level: write_rle(level),
        players: level.players().len(),
        ties_proven: (answer.status == Status::Optimal).then(|| answer.reason.is_none()),
        metrics: Measures::of(walks.map(|walks| metrics(level, walks))),
    }
}

/// One of what costs count, and more.
fn units(request: &Request) -> (&'static str, &'static str) {
    match request.puzzle().cost_unit() {
        "pushes" => ("push", "pushes"),
        "steps" => ("step", "steps"),
        _ => ("move", "moves"),
    }
}

/// An answer in words.
pub fn words(request: &Request, answer: &Answer) -> String {
    let level = level_of(request);
    let mut text = tiles::status(answer, units(request)) + "\n";
    let Some(walks) = walks_of(answer) else {
        return text;
    };
    if answer.status == Status::Optimal {
        let ties = match (request.puzzle().cost_unit(), answer.reason.is_some()) {
            ("pushes", true) => "fewest pushes (perhaps not fewest moves)",
            ("pushes", false) => "fewest pushes, then fewest moves",
            ("moves", true) => "fewest moves (perhaps not fewest pushes)",
            ("moves", false) => "fewest moves, then fewest pushes",
            _ => "fewest steps of all players together",
        };
        let _ = writeln!(text, "objective: {ties}");
    }
    text + &told(level, walks)
}

/// A plan and its measures.
fn told(level: &Level, walks: &Walks) -> String {
    measured(&metrics(level, walks)) + &plan_lines(level, walks)
}

/// The measures of a plan, in a line.
fn measured(metrics: &Metrics) -> String {
    format!(
        "{}, {}, {}, {}, {}, {}\n",
        counted(metrics.moves, "move", "moves"),
        counted(metrics.pushes, "push", "pushes"),
        counted(metrics.box_lines, "box line", "box lines"),
        counted(metrics.box_changes, "box change", "box changes"),
        counted(
            metrics.pushing_sessions,
            "pushing session",
            "pushing sessions"
        ),
        counted(metrics.player_lines, "player line", "player lines"),
    )
}

/// A plan, a line for each player.
fn plan_lines(level: &Level, walks: &Walks) -> String {
    let lurd = walks.write(level);
    if walks.players() == 1 {
        return format!("plan (LURD, capitals push): {lurd}\n");
    }
    let mut text = String::from("plan (LURD, capitals push, . waits), a line for each player:\n");
    for line in lurd.split('\n') {
        let _ = writeln!(text, "{line}");
    }
    text
}

/// A replay as JSON.
#[derive(Serialize)]
struct Checked {
    schema: &'static str,
    puzzle: &'static str,
    level: String,
    title: Option<String>,
    size: String,
    plan: String,
    notation: &'static str,
    valid: bool,
    #[serde(flatten)]
    metrics: Measures,
    /// The level after the plan.
    reached: Option<String>,
    error: Option<String>,
}

/// `noyes check` for a level.
pub fn check(args: &Check, level: &Level) -> Result<Exit> {
    let text = input::plan(&args.plan)?;
    let walks = read_plan(&text, level)?;
    if is_plan(&text) {
        return pddl::replay_level(level, &walks, &text, "", args.json);
    }
    if let Ok(Some((player, at))) = Walks::wrong_capital(&text, level) {
        complain(format_args!(
            "note: capitals stand for pushes, but step {at} of player {player} is written otherwise"
        ));
    }
    replay(level, &walks, !args.rules.no_wait, args.json, false)
}

/// Replays a plan and tells how it ended, and the plan if it is new to whoever reads it.
pub fn replay(level: &Level, walks: &Walks, wait: bool, json: bool, new: bool) -> Result<Exit> {
    if new && !json {
        print(&plan_lines(level, walks))?;
    }
    let done = sokoban_plan(level, walks, wait);
    let reached = sokoban_after(level, walks, wait).ok();
    let metrics = reached.as_ref().map(|_| metrics(level, walks));
    if json {
        print(&json_line(&Checked {
            schema: SCHEMA,
            puzzle: "sokoban",
            level: write_rle(level),
            title: level.title().map(Into::into),
            size: size(level),
            plan: walks.write(level),
            notation: "lurd",
            valid: done.is_ok(),
            metrics: Measures::of(metrics),
            reached: reached.as_ref().map(|(after, _)| write_rle(after)),
            error: done.as_ref().err().map(ToString::to_string),
        }))?;
    }
    match (done, metrics) {
        (Ok(replayed), Some(metrics)) => {
            if !json {
                let steps = counted(replayed.steps as usize, "step", "steps");
                print(&format!(
                    "valid: {steps}, and every goal holds a box\n{}",
                    measured(&metrics)
                ))?;
            }
            Ok(Exit::Answered)
        }
        (Err(fault @ WalkFault::Unsolved { .. }), _) => {
            if !json {
                print(&format!("not valid: {fault}\n"))?;
            }
            Ok(Exit::Unverified)
        }
        (Err(fault), _) => {
            complain(format_args!("noyes: plan: {fault}"));
            Ok(Exit::BadInput)
        }
        (Ok(_), None) => unreachable!("what is valid is legal"),
    }
}

/// A plan: letters, or a planner's.
pub fn read_plan(text: &str, level: &Level) -> Result<Walks> {
    if is_plan(text) {
        let crew = |e| BadInput::new(format!("plan: {e}"));
        pddl::only_one_player(level).map_err(crew)?;
        let plan = level_plan(level, text).map_err(|e| BadInput::new(format!("plan: {e}")))?;
        return Ok(Walks::of_one(&plan));
    }
    let walks = Walks::parse(text, level.players().len());
    walks.map_err(|e| BadInput::new(format!("plan: {e}")).into())
}

/// `noyes show` for a level.
pub fn show(args: &Show, level: Level) -> Result<Exit> {
    let wait = !args.rules.no_wait;
    let walks = if let Some(plan) = &args.plan {
        read_plan(&input::plan(plan)?, &level)?
    } else {
        let request = Request::sokoban(level.clone()).wait(wait);
        let _running = Running::new();
        let control = limits::control(args.time_limit, limits::default_memory());
        let answer = watched("searching", &control, || solve(&request, &control))?;
        let told = tiles::status(&answer, units(&request));
        let Some(walks) = walks_of(&answer) else {
            print(&format!("{told}\n"))?;
            return Ok(Exit::of(answer.status));
        };
        if answer.status != Status::Optimal {
            complain(told);
        }
        walks.clone()
    };
    let (after, _) = sokoban_after(&level, &walks, wait)
        .map_err(|fault| BadInput::new(format!("plan: {fault}")))?;
    let solved = State::start(&after).is_solved(&level);
    let mut film = LevelFilm::new(level, walks, solved);
    if film::show(&mut film, args.delay)? == Exit::Interrupted {
        return Ok(Exit::Interrupted);
    }
    Ok(if solved {
        Exit::Answered
    } else {
        Exit::Unverified
    })
}

/// How many steps lie between two states that are kept: going back starts at the one before.
const KEEP_EVERY: usize = 128;

struct LevelFilm {
    level: Level,
    walks: Walks,
    /// The plan as it is written, a line for each player.
    letters: Vec<Vec<char>>,
    solved: bool,
    kept: Vec<State>,
    /// After the first `at` steps.
    state: State,
    at: usize,
}

impl LevelFilm {
    /// A plan whose steps are all legal, at its start.
    fn new(level: Level, walks: Walks, solved: bool) -> LevelFilm {
        let state = State::start(&level);
        let lurd = walks.write(&level);
        let letters = lurd.split('\n').map(|line| line.chars().collect());
        LevelFilm {
            letters: letters.collect(),
            walks,
            solved,
            kept: vec![state.clone()],
            state,
            at: 0,
            level,
        }
    }

    /// The level as it is now.
    fn now(&self) -> Level {
        let now = self.level.with(&self.state.boxes, &self.state.players);
        now.expect("a plan that was checked")
    }
}

impl Film for LevelFilm {
    fn last(&self) -> usize {
        self.walks.len()
    }

    fn at(&self) -> usize {
        self.at
    }

    fn go(&mut self, at: usize) {
        let kept = (at / KEEP_EVERY).min(self.kept.len() - 1);
        if at < self.at || kept * KEEP_EVERY > self.at {
            self.state.clone_from(&self.kept[kept]);
            self.at = kept * KEEP_EVERY;
        }
        while self.at < at {
            let moves = self.walks.step(self.at);
            step(&self.level, &mut self.state, &moves, true).expect("a plan that was checked");
            self.at += 1;
            if self.at == self.kept.len() * KEEP_EVERY {
                self.kept.push(self.state.clone());
            }
        }
    }

    fn heading(&self) -> String {
        let (at, last) = (self.at, self.last());
        let Some(before) = at.checked_sub(1) else {
            return format!("start, {} to go\n", counted(last, "step", "steps"));
        };
        let letters: String = self.letters.iter().map(|line| line[before]).collect();
        let end = match (at == last, self.solved) {
            (true, true) => ": solved",
            (true, false) => ": the plan ends here, not every goal holds a box",
            _ => "",
        };
        format!("step {at} of {last}: {letters}{end}\n")
    }

    fn whole(&self) -> String {
        write_xsb(&self.now())
    }

    /// Around the first player; the players stand out.
    fn cropped(&self, columns: usize, rows: usize) -> String {
        let (level, (row, column)) = (self.now(), self.level.place(self.state.players[0]));
        let across = window(level.width(), columns.max(1), column - 1);
        // A cropped level needs a line for its note.
        let high = if level.height() > rows || across.len() < level.width() {
            rows.saturating_sub(1).max(1)
        } else {
            rows
        };
        let down = window(level.height(), high, row - 1);
        let (on, off) = (
            SetAttribute(Attribute::Reverse),
            SetAttribute(Attribute::Reset),
        );
        let mut text = String::new();
        for line in write_xsb(&level).lines().skip(down.start).take(down.len()) {
            for letter in line.chars().skip(across.start).take(across.len()) {
                let _ = match letter {
                    '@' | '+' => write!(text, "{on}{letter}{off}"),
                    _ => write!(text, "{letter}"),
                };
            }
            text.push('\n');
        }
        if down.len() < level.height() || across.len() < level.width() {
            let note = format!(
                "(rows {}-{} of {}, columns {}-{} of {}: the window is too small for more)\n",
                down.start + 1,
                down.end,
                level.height(),
                across.start + 1,
                across.end,
                level.width()
            );
            text += &cut(&note, columns);
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use noyes_puzzle::sokoban::parse_level;

    #[test]
    fn a_film_goes_to_and_fro() {
        let level = parse_level("#######|#@ $ .#|#     #|#######").unwrap();
        let walks = Walks::parse(&("rR".to_string() + &"ldru".repeat(100)), 1).unwrap();
        let (start, steps) = (level.clone(), walks.clone());
        let mut film = LevelFilm::new(level, walks, false);
        for at in [3, 5, 1, 400, 399, 0, 130, 402, 2, 127, 128, 129] {
            film.go(at);
            let first = Walks::new(steps.walks().iter().map(|w| w[..at].to_vec()).collect());
            let (after, _) = sokoban_after(&start, &first, true).unwrap();
            assert_eq!((film.at(), film.now()), (at, after));
        }
    }

    #[test]
    fn a_level_larger_than_the_window_is_cropped_around_the_player() {
        let wide = format!("60#|#@$.{}#|60#", "-".repeat(55));
        let level = parse_level(&wide).unwrap();
        let walks = Walks::parse("R", 1).unwrap();
        let mut film = LevelFilm::new(level, walks, true);
        film.go(1);
        for (columns, rows) in [(80, 20), (20, 10), (7, 3), (1, 1)] {
            let text = film.cropped(columns, rows);
            let plain = text.replace("\u{1b}[7m", "").replace("\u{1b}[0m", "");
            assert!(plain.lines().count() <= rows.max(2), "{plain}");
            assert!(
                plain.lines().all(|l| l.chars().count() <= columns),
                "{plain}"
            );
            assert!(plain.contains('@'), "{plain}");
        }
    }
}
