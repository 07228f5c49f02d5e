//! Engines for levels agree with each other, and on every rotation and reflection of a level.

use noyes_check::sokoban_plan;
use noyes_puzzle::sokoban::{Level, Metrics, View, parse_level, read_levels};
use noyes_solver::{Answer, Ask, Control, Engine, Objective, Plan, Status, solve};
use proptest::prelude::*;

/// Engines that find optimal plans; the first is the reference.
const ENGINES: [Engine; 4] = [
    Engine::Bfs,
    Engine::Auto,
    Engine::AStar,
    Engine::Bidirectional,
];

/// A level of up to 5×4 cells inside its walls, with one or two players and up to three boxes.
fn levels() -> impl Strategy<Value = Level> {
    let cells = (2usize..6, 2usize..5).prop_flat_map(|(width, height)| {
        let walls = prop::collection::vec(prop::bool::weighted(0.15), width * height);
        let things = prop::collection::vec(0..width * height, 8);
        (Just(width), walls, things, 1usize..3, 1usize..4, 1usize..4)
    });
    cells.prop_filter_map(
        "room for all",
        |(width, walls, things, players, boxes, goals)| {
            let mut symbols: Vec<char> = walls.iter().map(|&w| if w { '#' } else { ' ' }).collect();
            let mut things = things.into_iter();
            for _ in 0..goals {
                symbols[things.next()?] = '.';
            }
            for symbol in ["$*"]
                .repeat(boxes)
                .into_iter()
                .chain(["@+"].repeat(players))
            {
                let cell = things.next()?;
                let (on_floor, on_goal) = symbol.split_at(1);
                symbols[cell] = match symbols[cell] {
                    '.' => on_goal.chars().next()?,
                    ' ' | '#' => on_floor.chars().next()?,
                    _ => return None,
                };
            }
            let mut rows = vec!["#".repeat(width + 2)];
            for row in symbols.chunks(width) {
                rows.push(format!("#{}#", row.iter().collect::<String>()));
            }
            rows.push("#".repeat(width + 2));
            parse_level(&rows.join("\n")).ok()
        },
    )
}

fn solved(level: &Level, objective: Objective, wait: bool, engine: Engine) -> Answer {
    let request = Ask::level(level.clone())
        .objective(objective)
        .no_wait(!wait)
        .engine(engine)
        .request()
        .unwrap();
    solve(&request, &Control::new()).unwrap()
}

/// What can be counted: the plans of a crew have steps only.
fn objectives(level: &Level) -> &'static [Objective] {
    match level.players().len() {
        1 => Objective::ALL,
        _ => &[Objective::Moves],
    }
}

/// The cost and, for one player, the second cost that breaks ties.
fn costs(level: &Level, objective: Objective, answer: &Answer) -> Option<(u32, Option<usize>)> {
    let Some(Plan::Walks(walks)) = &answer.plan else {
        assert_eq!(answer.status, Status::Unsolvable);
        return None;
    };
    assert_eq!(answer.status, Status::Optimal);
    let metrics = Metrics::of(level, walks).unwrap();
    let second = match (level.players().len(), objective) {
        (1, Objective::Pushes) => Some(metrics.moves),
        (1, Objective::Moves) => Some(metrics.pushes),
        _ => None,
    };
    Some((answer.bounds.upper.unwrap(), second))
}

#[test]
fn the_engine_reported_is_the_one_that_ran() {
    use Engine::{AStar, Anytime, Auto, Bfs, Bidirectional};
    let as_many = "#######|#@$ . #|#  $. #|#######";
    let more_boxes = "#######|#@$ . #|#  $  #|#######";
    let crew = "##########|#@$ .. $@#|#        #|##########";
    let crew_to_spare = "##########|#@$ .$ $@#|#        #|##########";
    for (text, asked, ran) in [
        (as_many, Auto, Bidirectional),
        (as_many, Bidirectional, Bidirectional),
        (as_many, AStar, AStar),
        (as_many, Bfs, Bfs),
        (as_many, Anytime, Anytime),
        // Extra boxes may end up anywhere, so there is no other end to search from.
        (more_boxes, Auto, AStar),
        (more_boxes, Bidirectional, AStar),
        (more_boxes, AStar, AStar),
        (more_boxes, Anytime, Anytime),
        (crew_to_spare, Auto, AStar),
        (crew_to_spare, Bidirectional, AStar),
        (crew, AStar, AStar),
        (crew, Bfs, Bfs),
    ] {
        let level = parse_level(text).unwrap();
        for &objective in objectives(&level) {
            let answer = solved(&level, objective, true, asked);
            assert_eq!(answer.engine, ran, "{asked} {objective} {text}");
            assert_eq!(answer.status, Status::Optimal, "{asked} {objective} {text}");
        }
    }
}

#[test]
fn goal_rooms_are_filled_by_some_plan() {
    let file = include_str!("../../../data/sokoban/goal-rooms.xsb");
    let entries = read_levels(file).unwrap();
    assert_eq!(entries.len(), 5);
    for entry in entries {
        let level = entry.level.unwrap();
        let request = Ask::level(level.clone()).any(true).request().unwrap();
        let answer = solve(&request, &Control::new()).unwrap();
        let Some(Plan::Walks(walks)) = &answer.plan else {
            panic!("no plan for {:?}", level.title());
        };
        let replayed = sokoban_plan(&level, walks, true).expect("a plan");
        assert_eq!(answer.bounds.upper, Some(replayed.pushes));
        assert!(answer.bounds.lower <= replayed.pushes && answer.bounds.lower > 50);
    }
}

/// Table 1 of the report: its maps are not shipped, but ours are as large and take as long.
#[test]
fn look_alikes_are_what_they_look_like() {
    let file = include_str!("../../../data/sokoban/look-alikes.xsb");
    let levels = read_levels(file).unwrap().into_iter();
    let levels: Vec<Level> = levels.map(|entry| entry.level.unwrap()).collect();
    let expected = [
        ("map1MA", (8, 9), 30, (6, 2), 16),
        ("map5", (10, 8), 41, (5, 1), 51),
        ("map10", (7, 6), 18, (2, 1), 23),
        ("map11", (7, 7), 20, (2, 1), 31),
        ("map12", (8, 6), 21, (3, 1), 37),
        ("map13", (7, 7), 21, (4, 1), 70),
    ];
    assert_eq!(levels.len(), expected.len());
    for (level, (name, size, floor, (boxes, players), optimum)) in levels.iter().zip(expected) {
        assert_eq!(level.title(), Some(format!("like {name}").as_str()));
        assert_eq!((level.width(), level.height()), size, "{name}");
        let cells = (0..level.cells() as u16).filter(|&cell| level.is_floor(cell));
        assert_eq!(cells.count(), floor, "{name}");
        assert_eq!(level.boxes().len(), boxes, "{name}");
        assert_eq!(level.goals().count(), boxes, "{name}");
        assert_eq!(level.players().len(), players, "{name}");
        for wait in [true, false] {
            let answer = solved(level, Objective::Moves, wait, Engine::Auto);
            assert_eq!(answer.status, Status::Optimal, "{name}");
            assert_eq!(answer.bounds.upper, Some(optimum), "{name}");
        }
    }
}

#[test]
fn a_crew_is_searched_from_both_ends_once_that_is_less_work() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sokoban/map1.txt");
    let alone = std::fs::read_to_string(path).unwrap();
    let level = parse_level(&alone.replacen("WWWXXX", "WWWPXX", 1)).unwrap();
    assert_eq!(level.players().len(), 2);
    let answer = solved(&level, Objective::Moves, true, Engine::Auto);
    assert_eq!(answer.engine, Engine::Bidirectional);
    assert_eq!(answer.bounds.upper, Some(16));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn every_engine_gives_the_optimum(level in levels(), wait in any::<bool>()) {
        for &objective in objectives(&level) {
            let by = |engine| costs(&level, objective, &solved(&level, objective, wait, engine));
            let optimum = by(ENGINES[0]);
            for engine in ENGINES {
                prop_assert_eq!(by(engine), optimum, "{} {}", engine, objective);
            }
            if level.players().len() == 1 {
                prop_assert_eq!(by(Engine::Anytime), optimum, "anytime {}", objective);
            }
            // SAT takes too long to prove that there is no plan, and it does not break ties.
            if let Some((cost, _)) = optimum {
                let found = by(Engine::Sat).map(|found| found.0);
                prop_assert_eq!(found, Some(cost), "sat {}", objective);
            }
        }
    }

    #[test]
    fn the_optimum_is_the_same_in_every_view(level in levels()) {
        for &objective in objectives(&level) {
            let optimum = costs(&level, objective, &solved(&level, objective, true, Engine::Auto));
            for view in View::all() {
                let seen = view.of(&level);
                let again = costs(&seen, objective, &solved(&seen, objective, true, Engine::Auto));
                prop_assert_eq!(again, optimum, "{:?} {}", view, objective);
            }
        }
    }
}
