//! The rules of Sokoban for one player as `noyes-check` replays them, one test for each.
//!
//! Nothing here is random: each test fails for certain if the rule it names is
//! broken. Crews are in `crews.rs`; the rules in words are in
//! docs/sokoban-rules.md.

use noyes_check::{Fault, Obstacle, Replayed, WalkFault, sokoban_after, sokoban_plan};
use noyes_puzzle::sokoban::{Walks, parse_level, write_xsb};
use noyes_puzzle::tiles::Direction;

fn replay(level: &str, plan: &str, wait: bool) -> Result<Replayed, WalkFault> {
    let level = parse_level(level).unwrap();
    let walks = Walks::parse(plan, level.players().len()).unwrap();
    sokoban_plan(&level, &walks, wait)
}

/// The rows after a plan, solved or not.
fn after(level: &str, plan: &str) -> Result<String, WalkFault> {
    let level = parse_level(level).unwrap();
    let walks = Walks::parse(plan, level.players().len()).unwrap();
    let (after, _) = sokoban_after(&level, &walks, true)?;
    Ok(write_xsb(&after).trim_end().replace('\n', "|"))
}

fn counts(steps: u32, moves: u32, pushes: u32) -> Replayed {
    Replayed {
        steps,
        moves,
        pushes,
    }
}

/// What stops the only player, and where the player is at that moment.
fn illegal(step: usize, place: (usize, usize), what: Obstacle) -> WalkFault {
    WalkFault::Illegal {
        step,
        player: 1,
        place,
        what,
    }
}

const WAYS: [(Direction, char, &str); 4] = [
    (Direction::Up, 'u', "up"),
    (Direction::Left, 'l', "left"),
    (Direction::Right, 'r', "right"),
    (Direction::Down, 'd', "down"),
];

#[test]
fn a_player_walks_one_cell_each_way() {
    let level = "#####|#   #|# @ #|#   #|#.$ #|#   #|#####";
    for (way, rows) in [
        ("u", "#####|# @ #|#   #|#   #|#.$ #|#   #|#####"),
        ("l", "#####|#   #|#@  #|#   #|#.$ #|#   #|#####"),
        ("r", "#####|#   #|#  @#|#   #|#.$ #|#   #|#####"),
        ("d", "#####|#   #|#   #|# @ #|#.$ #|#   #|#####"),
    ] {
        assert_eq!(after(level, way).unwrap(), rows);
    }
}

#[test]
fn a_player_pushes_the_box_ahead_one_cell_each_way() {
    let level = "#######|#     #|#  $  #|# $@$ #|#  $  #|#    .#|#######";
    for (way, rows) in [
        (
            "U",
            "#######|#  $  #|#  @  #|# $ $ #|#  $  #|#    .#|#######",
        ),
        (
            "L",
            "#######|#     #|#  $  #|#$@ $ #|#  $  #|#    .#|#######",
        ),
        (
            "R",
            "#######|#     #|#  $  #|# $ @$#|#  $  #|#    .#|#######",
        ),
        (
            "D",
            "#######|#     #|#  $  #|# $ $ #|#  @  #|#  $ .#|#######",
        ),
    ] {
        assert_eq!(after(level, way).unwrap(), rows);
    }
}

#[test]
fn the_size_of_a_letter_decides_nothing() {
    for plan in ["rRR", "rrr", "RRR"] {
        let counted = replay("#######|#@ $ .#|#######", plan, true);
        assert_eq!(counted, Ok(counts(3, 3, 2)), "{plan}");
    }
}

#[test]
fn no_player_enters_a_wall() {
    for (direction, letter, way) in WAYS {
        let fault = replay("#####|##@##|#####|#.$ #|#####", &letter.to_string(), true).unwrap_err();
        assert_eq!(fault, illegal(1, (2, 3), Obstacle::Wall(direction)));
        assert_eq!(
            fault.to_string(),
            format!("step 1: player 1 at row 2, column 3 goes {way} into a wall")
        );
    }
}

#[test]
fn no_box_enters_a_wall() {
    let level = "#######|###$###|##$@$##|###$###|#####.#|#######";
    for (direction, letter, way) in WAYS {
        let fault = replay(level, &letter.to_string(), true).unwrap_err();
        assert_eq!(fault, illegal(1, (3, 4), Obstacle::BoxWall(direction)));
        assert_eq!(
            fault.to_string(),
            format!("step 1: player 1 at row 3, column 4 pushes a box {way} into a wall")
        );
    }
}

#[test]
fn no_player_pushes_two_boxes_in_a_row() {
    let level = "#######|#  $  #|#  $  #|#$$@$$#|#  $  #|#  $  #|#  .  #|#######";
    for ((direction, letter, way), onto) in WAYS.into_iter().zip([(2, 4), (4, 2), (4, 6), (6, 4)]) {
        let fault = replay(level, &letter.to_string(), true).unwrap_err();
        assert_eq!(fault, illegal(1, (4, 4), Obstacle::BoxBox(direction, onto)));
        let (row, column) = onto;
        assert_eq!(
            fault.to_string(),
            format!(
                "step 1: player 1 at row 4, column 4 pushes a box {way} to row {row}, column {column}, where a box is"
            )
        );
    }
}

#[test]
fn a_box_is_pushed_and_never_pulled() {
    assert_eq!(
        after("#######|# .$@ #|#######", "r").unwrap(),
        "#######|# .$ @#|#######"
    );
}

#[test]
fn the_first_illegal_step_is_named_with_where_the_player_is_then() {
    let level = "#######|#@ $ .#|#     #|#######";
    let wall = illegal(4, (2, 5), Obstacle::BoxWall(Direction::Right));
    for plan in ["rRRR", "rRRRRR", "rRRRuuu"] {
        assert_eq!(replay(level, plan, true), Err(wall.clone()), "{plan}");
    }
    assert_eq!(
        replay(level, "ddd", true),
        Err(illegal(2, (3, 2), Obstacle::Wall(Direction::Down)))
    );
}

#[test]
fn waiting_is_legal_unless_forbidden_and_counts_as_a_step_without_a_move() {
    let level = "######|#@ $.#|######";
    assert_eq!(replay(level, "r..R", true), Ok(counts(4, 2, 1)));
    assert_eq!(replay(level, "rR", false), Ok(counts(2, 2, 1)));
    let waits = replay(level, "r.R", false).unwrap_err();
    assert_eq!(waits, illegal(2, (2, 3), Obstacle::Waits));
    assert_eq!(
        waits.to_string(),
        "step 2: player 1 at row 2, column 3 waits, which is forbidden here"
    );
}

#[test]
fn steps_moves_and_pushes_are_counted_apart() {
    let level = "########|#@ $  .#|#      #|########";
    assert_eq!(replay(level, "rRRR", true), Ok(counts(4, 4, 3)));
    assert_eq!(replay(level, "dur.RRlrR", true), Ok(counts(9, 8, 3)));
    let (_, counted) = sokoban_after(
        &parse_level(level).unwrap(),
        &Walks::parse("drr..", 1).unwrap(),
        true,
    )
    .unwrap();
    assert_eq!(counted, counts(5, 3, 0));
    assert_eq!(replay("####|#@*#|####", "", true), Ok(counts(0, 0, 0)));
}

#[test]
fn a_level_is_solved_when_every_goal_holds_a_box() {
    // One box too many is fine.
    assert_eq!(
        replay("#######|#@$ $*#|#######", "R", true),
        Ok(counts(1, 1, 1))
    );
    // One box too few is not.
    assert_eq!(
        replay("#######|#@$.. #|#######", "R", true),
        Err(WalkFault::Unsolved {
            steps: 1,
            missing: 1,
            goals: 2,
            place: (2, 5)
        })
    );
    // A player on a goal does not fill it, nor does a box beside it.
    assert_eq!(
        replay("#######|#@.$  #|#######", "r", true),
        Err(WalkFault::Unsolved {
            steps: 1,
            missing: 1,
            goals: 1,
            place: (2, 3)
        })
    );
}

#[test]
fn a_box_pushed_off_its_goal_leaves_the_level_unsolved() {
    let level = "######|#@*$*#|#    #|######";
    assert_eq!(replay(level, "", true), Ok(counts(0, 0, 0)));
    let fault = replay("######|#@* *#|#    #|######", "R", true);
    assert_eq!(
        fault,
        Err(WalkFault::Unsolved {
            steps: 1,
            missing: 1,
            goals: 2,
            place: (2, 3)
        })
    );
}

#[test]
fn goals_without_a_box_are_counted_and_the_first_is_named() {
    let level = "######|# .. #|# $$ #|#.@  #|######";
    let said = |plan: &str| replay(level, plan, true).unwrap_err().to_string();
    assert_eq!(
        said(""),
        "after 0 steps, 3 of 3 goals hold no box, one at row 2, column 3"
    );
    assert_eq!(
        said("U"),
        "after 1 step, 2 of 3 goals hold no box, one at row 2, column 4"
    );
    assert_eq!(
        said("UdrU"),
        "after 4 steps, 1 of 3 goals holds no box, one at row 4, column 2"
    );
}

#[test]
fn a_plan_needs_a_walk_for_each_player() {
    let level = parse_level("#######|#@$ .@#|#######").unwrap();
    for (walks, said) in [
        (Walks::parse("R", 1).unwrap(), "1 walks for 2 players"),
        (Walks::parse("R/./.", 3).unwrap(), "3 walks for 2 players"),
    ] {
        let fault = sokoban_plan(&level, &walks, true).unwrap_err();
        let (walks, players) = (walks.players(), 2);
        assert_eq!(fault, WalkFault::Players { walks, players });
        assert_eq!(fault.to_string(), said);
        assert_eq!(Fault::from(fault).to_string(), said);
    }
}

#[test]
fn the_level_after_a_plan_keeps_walls_goals_and_title() {
    let level = parse_level("######|#@ $.#|######")
        .unwrap()
        .titled(Some("One".into()));
    let walks = Walks::parse("rR", 1).unwrap();
    let (after, counted) = sokoban_after(&level, &walks, true).unwrap();
    assert_eq!(after, level.with(&[10], &[9]).unwrap());
    assert_eq!(after.title(), Some("One"));
    assert_eq!(counted, counts(2, 2, 1));
}
