//! The rules of crews as `noyes-check` replays them: each situation by hand, and all small ones by exhaustion.
//!
//! First the table of docs/sokoban-rules.md, row by row, each situation with
//! the exact fault. Then every arrangement of a few players and boxes on a few
//! tiny levels, with every joint move: `noyes-check`, `noyes-puzzle` and a third
//! implementation, taken from the three sentences of the rules, must agree, and
//! every reported fault must be true. Nothing here is random.

use Direction::{Down, Left, Right, Up};
use noyes_check::{Obstacle, Replayed, WalkFault, sokoban_after, sokoban_plan};
use noyes_puzzle::sokoban::{Level, State, Walks, parse_level, step, write_xsb};
use noyes_puzzle::tiles::Direction;

/// The rows after a plan, solved or not.
fn after(level: &str, plan: &str) -> Result<String, WalkFault> {
    let level = parse_level(level).unwrap();
    let walks = Walks::parse(plan, level.players().len()).unwrap();
    let (after, _) = sokoban_after(&level, &walks, true)?;
    Ok(write_xsb(&after).trim_end().replace('\n', "|"))
}

/// Who is stopped in the first step, where, and by what.
fn stopped(level: &str, plan: &str) -> (usize, (usize, usize), Obstacle) {
    match after(level, plan) {
        Err(WalkFault::Illegal {
            step: 1,
            player,
            place,
            what,
        }) => (player, place, what),
        other => panic!("{level} {plan}: {other:?}"),
    }
}

#[test]
fn a_player_enters_a_cell_that_another_player_leaves() {
    assert_eq!(
        after("######|#@@ *#|######", "r/r").unwrap(),
        "######|# @@*#|######"
    );
    assert_eq!(
        after("######|# @@*#|######", "l/l").unwrap(),
        "######|#@@ *#|######"
    );
    assert_eq!(
        after("####|#*@#|#.@#|#  #|####", "d/d").unwrap(),
        "####|#* #|#.@#|# @#|####"
    );
    assert_eq!(
        after("####|#* #|#.@#|# @#|####", "u/u").unwrap(),
        "####|#*@#|#.@#|#  #|####"
    );
    // A whole file of them, round a corner.
    assert_eq!(
        after("#####|#@@@#|##* #|#####", "r/r/d").unwrap(),
        "#####|# @@#|##*@#|#####"
    );
}

#[test]
fn players_turn_in_a_circle() {
    let level = "####|#@@#|#@@#|#*.#|####";
    let mut circle = parse_level(level).unwrap();
    let walks = Walks::parse("r/d/u/l", 4).unwrap();
    let (after, counted) = sokoban_after(&circle, &walks, true).unwrap();
    assert_eq!(after.players(), [6, 10, 5, 9]);
    assert_eq!((counted.moves, counted.pushes), (4, 0));
    // And in the other direction.
    let walks = Walks::parse("d/l/r/u", 4).unwrap();
    circle = sokoban_after(&circle, &walks, true).unwrap().0;
    assert_eq!(circle.players(), [9, 5, 10, 6]);
}

#[test]
fn two_players_do_not_change_places() {
    let (row, column) = ("#####|#@@*#|#####", "####|#@*#|#@.#|####");
    assert_eq!(stopped(row, "r/l"), (1, (2, 2), Obstacle::HeadOn(Right, 2)));
    assert_eq!(
        stopped(column, "d/u"),
        (1, (2, 2), Obstacle::HeadOn(Down, 2))
    );
    // Not even behind one who steps aside, or with a third between in number.
    assert_eq!(
        stopped("######|#@@@*#|#    #|######", "d/r/l"),
        (2, (2, 3), Obstacle::HeadOn(Right, 3))
    );
    assert_eq!(
        stopped("####|#@@#|#@*#|#  #|####", "d/r/u"),
        (2, (2, 3), Obstacle::Wall(Right))
    );
    assert_eq!(
        stopped("#####|#@@ #|#@* #|#####", "d/r/u"),
        (1, (2, 2), Obstacle::HeadOn(Down, 3))
    );
    let said = after(row, "r/l").unwrap_err().to_string();
    assert_eq!(
        said,
        "step 1: player 1 at row 2, column 2 goes right and changes places with player 2"
    );
}

#[test]
fn two_players_do_not_enter_one_cell() {
    assert_eq!(
        stopped("######|#@ @*#|######", "r/l"),
        (2, (2, 4), Obstacle::Player((2, 3), 1))
    );
    // Round a corner, and with a third one between in number.
    assert_eq!(
        stopped("#####|#@ *#|#.@@#|#####", "r/u/."),
        (2, (3, 3), Obstacle::Player((2, 3), 1))
    );
    assert_eq!(
        stopped("#######|#@@ @*#|#     #|#######", "d/r/l"),
        (3, (2, 5), Obstacle::Player((2, 4), 2))
    );
}

#[test]
fn no_player_enters_a_cell_where_another_waits() {
    assert_eq!(
        stopped("######|#@@ *#|######", "r/."),
        (2, (2, 3), Obstacle::Player((2, 3), 1))
    );
    assert_eq!(
        stopped("######|#@@ *#|######", "./l"),
        (2, (2, 3), Obstacle::Player((2, 2), 1))
    );
    let said = after("######|#@@ *#|######", "r/.").unwrap_err();
    assert_eq!(
        said.to_string(),
        "step 1: player 2 at row 2, column 3 comes to row 2, column 3, where player 1 is then"
    );
}

#[test]
fn a_box_comes_to_where_a_player_was() {
    let level = "#######|#@$@ .#|#     #|#######";
    // Who steps aside, and who walks ahead of it.
    assert_eq!(
        after(level, "R/d").unwrap(),
        "#######|# @$ .#|#  @  #|#######"
    );
    assert_eq!(
        after(level, "R/r").unwrap(),
        "#######|# @$@.#|#     #|#######"
    );
}

#[test]
fn no_box_comes_to_where_a_player_waits_or_goes() {
    let level = "#######|#@$@ .#|#     #|#######";
    assert_eq!(
        stopped(level, "R/."),
        (1, (2, 2), Obstacle::BoxPlayer(Right, (2, 4), 2))
    );
    let level = "#######|#@$ . #|#  @  #|#######";
    assert_eq!(
        stopped(level, "R/u"),
        (1, (2, 2), Obstacle::BoxPlayer(Right, (2, 4), 2))
    );
    // Each way, with the others before and behind in number.
    let level = "#######|#  @  #|#  $  #|#@$@$@#|#  $  #|#. @  #|#######";
    for (plan, way, onto, under) in [
        ("././u/./.", Up, (2, 4), 1),
        ("././l/./.", Left, (4, 2), 2),
        ("././r/./.", Right, (4, 6), 4),
        ("././d/./.", Down, (6, 4), 5),
    ] {
        assert_eq!(
            stopped(level, plan),
            (3, (4, 4), Obstacle::BoxPlayer(way, onto, under))
        );
    }
    let said = after(level, "././l/./.").unwrap_err().to_string();
    assert_eq!(
        said,
        "step 1: player 3 at row 4, column 4 pushes a box left to row 4, column 2, where player 2 is then"
    );
}

#[test]
fn two_boxes_do_not_come_to_one_cell() {
    // From opposite sides, and round a corner.
    assert_eq!(
        stopped("#######|#@$.$@#|#######", "R/L"),
        (2, (2, 6), Obstacle::BoxBox(Left, (2, 4)))
    );
    assert_eq!(
        stopped("#####|#  @#|#  $#|#@$.#|#####", "D/R"),
        (2, (4, 2), Obstacle::BoxBox(Right, (4, 4)))
    );
    // One at a time is fine, and so is side by side.
    assert_eq!(
        after("#######|#@$.$@#|#######", "R/.").unwrap(),
        "#######|# @*$@#|#######"
    );
    assert_eq!(
        after("#####|#@$.#|#@$.#|#####", "R/R").unwrap(),
        "#####|# @*#|# @*#|#####"
    );
    let said = after("#######|#@$.$@#|#######", "R/L").unwrap_err();
    assert_eq!(
        said.to_string(),
        "step 1: player 2 at row 2, column 6 pushes a box left to row 2, column 4, where a box is"
    );
}

#[test]
fn only_its_pusher_enters_the_cell_that_a_box_leaves() {
    assert_eq!(
        stopped("######|#@$ .#|# @  #|######", "R/u"),
        (2, (3, 3), Obstacle::Player((2, 3), 1))
    );
}

#[test]
fn no_box_comes_to_the_cell_that_another_box_leaves() {
    // The second is pushed away sideways, and its pusher is there afterwards.
    let level = "######|#  @ #|#@$$.#|#    #|######";
    assert_eq!(
        stopped(level, "D/R"),
        (2, (3, 2), Obstacle::BoxPlayer(Right, (3, 4), 1))
    );
    // On the other side of it, in the order of cells.
    let level = "######|# @  #|#.$$@#|#    #|######";
    assert_eq!(
        stopped(level, "D/L"),
        (2, (3, 5), Obstacle::BoxPlayer(Left, (3, 3), 1))
    );
}

#[test]
fn no_two_players_push_one_box() {
    let level = "#####|# @ #|#@$@#|# @ #|#.  #|#####";
    for (plan, second, place) in [
        ("D/R/./.", 2, (3, 2)),
        ("D/./L/.", 3, (3, 4)),
        ("D/././U", 4, (4, 3)),
        ("./R/L/.", 3, (3, 4)),
        ("./R/./U", 4, (4, 3)),
        ("././L/U", 4, (4, 3)),
    ] {
        let (player, at, what) = stopped(level, plan);
        assert_eq!((player, at), (second, place), "{plan}");
        assert!(matches!(what, Obstacle::Player((3, 3), _)), "{plan}");
    }
}

#[test]
fn no_player_pushes_two_boxes_even_if_another_pushes_the_second() {
    // The second box goes on, but the first comes to where its pusher is.
    let level = "#######|#     #|#@$$ .#|#  @  #|#######";
    assert_eq!(
        stopped(level, "R/."),
        (1, (3, 2), Obstacle::BoxBox(Right, (3, 4)))
    );
    assert_eq!(
        stopped(level, "R/U"),
        (1, (3, 2), Obstacle::BoxPlayer(Right, (3, 4), 2))
    );
}

#[test]
fn boxes_move_as_a_train_with_a_player_behind_each() {
    assert_eq!(
        after("########|#@$@$ .#|########", "R/R").unwrap(),
        "########|# @$@$.#|########"
    );
    // If the first stays, the second does not go on.
    assert_eq!(
        stopped("########|#@$@$ .#|########", "R/."),
        (1, (2, 2), Obstacle::BoxPlayer(Right, (2, 4), 2))
    );
    // And if a wall stops the first, that is the reported reason.
    assert_eq!(
        stopped("#######|#@$@$##|#.    #|#######", "R/R"),
        (2, (2, 4), Obstacle::BoxWall(Right))
    );
}

#[test]
fn no_player_changes_places_with_a_box() {
    // The player would go left where the box comes from: a push against the other one.
    assert_eq!(
        stopped("######|#@$@.#|######", "R/L"),
        (2, (2, 4), Obstacle::Player((2, 3), 1))
    );
}

#[test]
fn a_crew_may_wait_unless_that_is_forbidden_to_each() {
    let level = parse_level("########|#@$ .*@#|########").unwrap();
    let walks = |text: &str| Walks::parse(text, 2).unwrap();
    let waits = |step, player, place| {
        Err(WalkFault::Illegal {
            step,
            player,
            place,
            what: Obstacle::Waits,
        })
    };
    assert_eq!(
        sokoban_plan(&level, &walks("RR/.."), true),
        Ok(Replayed {
            steps: 2,
            moves: 2,
            pushes: 2
        })
    );
    assert_eq!(
        sokoban_plan(&level, &walks("RR/.."), false),
        waits(1, 2, (2, 7))
    );
    assert_eq!(
        sokoban_plan(&level, &walks("./."), false),
        waits(1, 1, (2, 2))
    );
    // A walk that ends before the others waits from then on.
    let roomy = parse_level("########|#@$ .*@#|#     ##|########").unwrap();
    assert_eq!(
        sokoban_plan(&roomy, &walks("dRR/"), true),
        sokoban_plan(&roomy, &walks("dRR/..."), true)
    );
}

#[test]
fn steps_are_counted_once_and_moves_and_pushes_for_each_player() {
    let level = parse_level("#########|#@$ . $@#|#   .   #|#########").unwrap();
    let walks = Walks::parse("RR../..Ld", 2).unwrap();
    let (_, counted) = sokoban_after(&level, &walks, true).unwrap();
    assert_eq!(
        counted,
        Replayed {
            steps: 4,
            moves: 4,
            pushes: 3
        }
    );
}

/// Where all are after a step: players, boxes in order, and how many were pushed. `None` if the step is not legal.
///
/// This is the third implementation of the rules: move all, then ask the three questions.
fn judged(
    level: &Level,
    before: &State,
    moves: &[Option<Direction>],
    wait: bool,
) -> Option<(State, u32)> {
    if !wait && moves.contains(&None) {
        return None;
    }
    let players: Vec<u16> = (before.players.iter().zip(moves))
        .map(|(&player, &way)| way.map_or(player, |way| beside(level, player, way)))
        .collect();
    let mut pushes = 0;
    let pushed = |&cell: &u16| {
        let pusher = (0..players.len()).find(|&p| players[p] == cell);
        pusher.map_or(cell, |pusher| {
            pushes += 1;
            beside(level, cell, moves[pusher].unwrap()) // a player in the cell of a box has come there
        })
    };
    let mut boxes: Vec<u16> = before.boxes.iter().map(pushed).collect();
    let mut all = [&players[..], &boxes].concat();
    // 1. On the floor. 2. Each in a cell of its own. 3. No two players changed places.
    let on_floor = all.iter().all(|&cell| level.is_floor(cell));
    all.sort_unstable();
    let apart = all.windows(2).all(|pair| pair[0] != pair[1]);
    let swapped = |a: usize, b: usize| {
        a != b && players[a] == before.players[b] && players[b] == before.players[a]
    };
    let crew = 0..players.len();
    let passed = crew.clone().any(|a| crew.clone().any(|b| swapped(a, b)));
    boxes.sort_unstable();
    (on_floor && apart && !passed).then_some((State { boxes, players }, pushes))
}

/// The next cell of the grid that way. The levels here have walls around, so there always is one.
fn beside(level: &Level, cell: u16, way: Direction) -> u16 {
    let width = level.width() as u16;
    match way {
        Up => cell - width,
        Left => cell - 1,
        Right => cell + 1,
        Down => cell + width,
    }
}

/// Whether what is said to stop a player in the first step is so.
fn is_true(
    level: &Level,
    before: &State,
    moves: &[Option<Direction>],
    wait: bool,
    fault: &WalkFault,
) -> bool {
    let &WalkFault::Illegal {
        step: 1,
        player,
        place,
        what,
    } = fault
    else {
        return false;
    };
    let who = player - 1;
    let here = before.players[who];
    let there = |p: usize| {
        moves[p].map_or(before.players[p], |way| {
            beside(level, before.players[p], way)
        })
    };
    let place_of = |cell: u16| level.place(cell);
    // Where the box comes that a player pushes, if one does.
    let pushed_to = |p: usize| {
        let way = moves[p]?;
        (before.boxes.contains(&there(p))).then(|| beside(level, there(p), way))
    };
    let box_comes = |way: Direction, onto: (usize, usize)| {
        moves[who] == Some(way) && pushed_to(who).map(place_of) == Some(onto)
    };
    let true_obstacle = match what {
        Obstacle::Waits => !wait && moves[who].is_none(),
        Obstacle::Wall(way) => moves[who] == Some(way) && !level.is_floor(there(who)),
        Obstacle::BoxWall(way) => {
            moves[who] == Some(way) && pushed_to(who).is_some_and(|cell| !level.is_floor(cell))
        }
        Obstacle::BoxBox(way, onto) => {
            let crew = 0..moves.len();
            let stays = |cell: &u16| crew.clone().all(|p| there(p) != *cell);
            let others = crew.clone().filter(|&p| p != who).filter_map(pushed_to);
            let mut boxes = (before.boxes.iter().copied().filter(stays)).chain(others);
            box_comes(way, onto) && boxes.any(|cell| place_of(cell) == onto)
        }
        Obstacle::BoxPlayer(way, onto, under) => {
            box_comes(way, onto) && place_of(there(under - 1)) == onto
        }
        Obstacle::Player(onto, other) => {
            other != player && there(who) == there(other - 1) && place_of(there(who)) == onto
        }
        Obstacle::HeadOn(way, other) => {
            moves[who] == Some(way)
                && there(who) == before.players[other - 1]
                && there(other - 1) == here
        }
    };
    place == place_of(here) && true_obstacle
}

/// Every sequence of `count` different cells; only the ascending ones, if asked.
fn choices(cells: &[u16], count: usize, ascending: bool) -> Vec<Vec<u16>> {
    if count == 0 {
        return vec![vec![]];
    }
    let fits = |chosen: &[u16], cell: u16| {
        !chosen.contains(&cell) && (!ascending || chosen.last().is_none_or(|&last| last < cell))
    };
    let longer = |chosen: Vec<u16>| {
        let next = cells.iter().filter(|&&cell| fits(&chosen, cell));
        next.map(|&cell| [&chosen[..], &[cell]].concat())
            .collect::<Vec<_>>()
    };
    let shorter = choices(cells, count - 1, ascending);
    shorter.into_iter().flat_map(longer).collect()
}

/// Every joint move of a crew: four ways or a wait for each.
fn joint_moves(crew: usize) -> Vec<Vec<Option<Direction>>> {
    let moves = |n: usize| {
        (0..crew)
            .map(|p| Direction::ALL.get(n / 5usize.pow(p as u32) % 5).copied())
            .collect()
    };
    (0..5usize.pow(crew as u32)).map(moves).collect()
}

/// All arrangements on the floor of a level, all joint moves: the three implementations agree. Gives the number of legal steps
/// and of others.
fn compare(rows: &str, crew: usize, boxes: usize, ascending: bool) -> (usize, usize) {
    let ground = parse_level(rows).unwrap();
    let floor: Vec<u16> = (0..ground.cells() as u16)
        .filter(|&cell| ground.is_floor(cell))
        .collect();
    let joint = joint_moves(crew);
    let (mut legal, mut illegal) = (0, 0);
    for players in choices(&floor, crew, ascending) {
        let free: Vec<u16> = (floor.iter().copied())
            .filter(|cell| !players.contains(cell))
            .collect();
        for boxes in choices(&free, boxes, true) {
            let level = ground.with(&boxes, &players).unwrap();
            let before = State::start(&level);
            for (moves, wait) in joint.iter().flat_map(|m| [(m, true), (m, false)]) {
                let context = || format!("{} {moves:?} {wait}", write_xsb(&level));
                let expected = judged(&level, &before, moves, wait);
                // The rules of the puzzle.
                let mut state = before.clone();
                let pushes = step(&level, &mut state, moves, wait).ok();
                assert_eq!(
                    pushes.map(|pushes| (state, pushes as u32)),
                    expected,
                    "{}",
                    context()
                );
                // Those of the replay.
                let walks = Walks::of_steps(crew, &[moves]);
                match (sokoban_after(&level, &walks, wait), expected) {
                    (Ok((after, counted)), Some((state, pushes))) => {
                        assert_eq!(State::start(&after), state, "{}", context());
                        let moves = moves.iter().flatten().count() as u32;
                        let expected = Replayed {
                            steps: 1,
                            moves,
                            pushes,
                        };
                        assert_eq!(counted, expected, "{}", context());
                        let solved = sokoban_plan(&level, &walks, wait).is_ok();
                        assert_eq!(solved, state.is_solved(&level), "{}", context());
                        legal += 1;
                    }
                    (Err(fault), None) => {
                        let so = is_true(&level, &before, moves, wait, &fault);
                        assert!(so, "{} {fault}", context());
                        illegal += 1;
                    }
                    (found, expected) => panic!("{} {found:?} {expected:?}", context()),
                }
            }
        }
    }
    (legal, illegal)
}

#[test]
fn all_steps_of_small_crews_in_a_corridor_are_judged_alike() {
    for (crew, boxes) in [
        (1, 1),
        (1, 2),
        (2, 0),
        (2, 1),
        (2, 2),
        (3, 0),
        (3, 1),
        (3, 2),
    ] {
        let (legal, illegal) = compare("#######|#@$. .#|#######", crew, boxes, false);
        assert!(legal > 0 && illegal > 0);
    }
}

#[test]
fn all_steps_of_small_crews_in_a_small_room_are_judged_alike() {
    for (crew, boxes) in [(1, 1), (1, 2), (2, 1), (2, 2), (3, 1), (3, 2)] {
        let (legal, illegal) = compare("#####|#@ .#|#  .#|#####", crew, boxes, false);
        assert!(legal > 0 && illegal > 0);
    }
    for boxes in [0, 1, 2] {
        compare("#####|#@ .#|#  .#|#####", 4, boxes, true);
    }
}

#[test]
fn all_steps_of_pairs_in_a_square_room_are_judged_alike() {
    for (crew, boxes) in [(1, 2), (1, 3), (2, 1), (2, 2), (2, 3)] {
        compare("#####|#@ .#|#   #|#  .#|#####", crew, boxes, false);
    }
}

#[test]
fn all_steps_of_three_players_round_a_pillar_are_judged_alike() {
    for boxes in [1, 2] {
        compare("#####|#@ .#|# # #|#  .#|#####", 3, boxes, true);
    }
}

#[test]
fn all_plans_of_three_steps_are_replayed_as_the_rules_say() {
    let level = parse_level("######|#@$ .#|#@   #|######").unwrap();
    let joint = joint_moves(2);
    let start = (State::start(&level), Replayed::default());
    let mut plans = vec![(vec![], start)];
    let mut solved = 0;
    for _ in 0..3 {
        let mut longer = vec![];
        for (plan, (state, counted)) in &plans {
            for moves in &joint {
                let plan = [&plan[..], std::slice::from_ref(moves)].concat();
                let replayed = sokoban_after(&level, &Walks::of_steps(2, &plan), true);
                match (replayed, judged(&level, state, moves, true)) {
                    (Ok((after, found)), Some((state, pushes))) => {
                        let expected = Replayed {
                            steps: counted.steps + 1,
                            moves: counted.moves + moves.iter().flatten().count() as u32,
                            pushes: counted.pushes + pushes,
                        };
                        assert_eq!((State::start(&after), found), (state.clone(), expected));
                        solved += usize::from(state.is_solved(&level));
                        longer.push((plan, (state, expected)));
                    }
                    (Err(WalkFault::Illegal { step, .. }), None) => assert_eq!(step, plan.len()),
                    (found, expected) => panic!("{plan:?} {found:?} {expected:?}"),
                }
            }
        }
        plans = longer;
    }
    assert!(solved > 0);
}
