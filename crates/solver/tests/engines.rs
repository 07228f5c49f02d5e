//! What the engines promise beyond the optimum: unequal costs, inconsistent heuristics, limits and bounds.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use noyes_puzzle::tiles::{Board, Generator, Goal, random_board};
use noyes_puzzle::{Nibbles, Position, Reverse, Slide, SlideSpace, Space};
use noyes_solver::search::{Heuristic, Zero};
use noyes_solver::search::{
    a_star, bfs, bidirectional, dijkstra, ida_star, iddfs, layers, sma_star,
};
use noyes_solver::tiles::heuristic::GraphDistance;
use noyes_solver::{Ask, Control, Engine, HeuristicName, Outcome, Status, Stop, solve};

/// Cities and roads with tolls; some roads are one-way.
#[derive(Clone)]
struct Roads {
    /// For each city, where its roads lead and their tolls.
    from: Vec<Vec<(u16, u32)>>,
    start: u16,
    goal: u16,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Road {
    from: u16,
    to: u16,
    toll: u32,
}

impl Space for Roads {
    type State = u16;
    type Move = Road;
    type Moves<'a> = std::vec::IntoIter<Road>;

    fn start(&self) -> u16 {
        self.start
    }

    fn is_goal(&self, &city: &u16) -> bool {
        city == self.goal
    }

    fn moves(&self, &from: &u16) -> Self::Moves<'_> {
        let road = |&(to, toll): &(u16, u32)| Road { from, to, toll };
        let roads: Vec<Road> = self.from[usize::from(from)].iter().map(road).collect();
        roads.into_iter()
    }

    fn moves_after(&self, &from: &u16, last: Road) -> Self::Moves<'_> {
        let mut roads: Vec<Road> = self.moves(&from).collect();
        roads.retain(|road| road.to != last.from);
        roads.into_iter()
    }

    fn apply(&self, city: &mut u16, road: Road) {
        *city = road.to;
    }

    fn undo(&self, city: &mut u16, road: Road) {
        *city = road.from;
    }

    fn cost(&self, road: Road) -> u32 {
        road.toll
    }
}

impl Reverse for Roads {
    type Back = Roads;

    fn reversed(&self) -> Roads {
        let mut from = vec![vec![]; self.from.len()];
        for (city, roads) in self.from.iter().enumerate() {
            for &(to, toll) in roads {
                from[usize::from(to)].push((city as u16, toll));
            }
        }
        Roads {
            from,
            start: self.goal,
            goal: self.start,
        }
    }

    fn turned(&self, road: Road) -> Road {
        Road {
            from: road.to,
            to: road.from,
            toll: road.toll,
        }
    }

    fn least_cost(&self) -> u32 {
        let tolls = self.from.iter().flatten().map(|&(_, toll)| toll);
        tolls.min().unwrap_or(0)
    }
}

impl Roads {
    /// A random network with tolls up to `dearest`. There may be several roads between the same two cities.
    fn random(cities: u16, roads: usize, dearest: usize, generator: &mut Generator) -> Roads {
        let mut from = vec![vec![]; usize::from(cities)];
        for _ in 0..roads {
            let road = (
                generator.below(cities.into()) as u16,
                1 + generator.below(dearest) as u32,
            );
            from[generator.below(cities.into())].push(road);
        }
        Roads {
            from,
            start: 0,
            goal: cities - 1,
        }
    }

    /// The least cost from each city to the goal, by relaxing all roads until nothing changes.
    fn costs(&self) -> Vec<Option<u32>> {
        let mut cost = vec![None; self.from.len()];
        cost[usize::from(self.goal)] = Some(0);
        loop {
            let before = cost.clone();
            for (city, roads) in self.from.iter().enumerate() {
                for &(to, toll) in roads {
                    if let Some(rest) = cost[usize::from(to)] {
                        let through = rest + toll;
                        cost[city] = Some(cost[city].map_or(through, |c: u32| c.min(through)));
                    }
                }
            }
            if cost == before {
                return cost;
            }
        }
    }
}

/// A heuristic that looks up each state's bound in a list: admissible, but inconsistent.
struct Listed(Vec<u32>);

impl Listed {
    /// Random numbers up to the true costs, so that a state with a high bound may be next to one with bound 0.
    fn below(costs: &[Option<u32>], generator: &mut Generator) -> Listed {
        let part = |cost: &Option<u32>| generator.below(cost.unwrap_or(0) as usize + 1) as u32;
        Listed(costs.iter().map(part).collect())
    }
}

impl Heuristic<Roads> for Listed {
    type Memo = u32;

    fn start(&self, &city: &u16) -> u32 {
        self.0[usize::from(city)]
    }

    fn after(&self, _: u32, _: &u16, road: Road) -> u32 {
        self.0[usize::from(road.to)]
    }

    fn bound(&self, memo: u32) -> u32 {
        memo
    }
}

fn assert_cheapest(roads: &Roads, outcome: &Outcome<Road>, cost: Option<u32>, name: &str) {
    assert_eq!(outcome.bounds.upper, cost, "{name}");
    let Some(plan) = &outcome.plan else {
        assert_eq!(outcome.status, Status::Unsolvable, "{name}");
        return;
    };
    assert_eq!(outcome.status, Status::Optimal, "{name}");
    let mut city = roads.start;
    for road in plan {
        assert!(road.from == city && roads.from[usize::from(city)].contains(&(road.to, road.toll)));
        city = road.to;
    }
    assert_eq!(city, roads.goal, "{name}");
    let tolls: u32 = plan.iter().map(|road| road.toll).sum();
    assert_eq!(Some(tolls), cost, "{name}");
}

#[test]
fn unequal_costs_and_inconsistent_heuristics_give_the_cheapest_plan() {
    let control = Control::new();
    for i in 0..2000 {
        let generator = &mut Generator::new(5, i);
        let cities = 2 + generator.below(30) as u16;
        let count = usize::from(cities) * (1 + generator.below(3));
        let dearest = [1, 4, 30, 100_000][generator.below(4)];
        let roads = Roads::random(cities, count, dearest, generator);
        let back = roads.reversed();
        let costs = roads.costs();
        let cost = costs[0];
        let listed = Listed::below(&costs, generator);
        let behind = Listed::below(&back.costs(), generator);
        let all = [
            ("dijkstra", dijkstra(&roads, &control)),
            ("astar", a_star(&roads, &listed, &control)),
            (
                "bidirectional",
                bidirectional(&roads, &listed, &back, &behind, &control),
            ),
            (
                "blind bidirectional",
                bidirectional(&roads, &Zero, &back, &Zero, &control),
            ),
        ];
        for (name, outcome) in &all {
            assert_cheapest(&roads, outcome, cost, &format!("{name} on network {i}"));
        }
        // Engines that follow paths end only if there is a plan, and many different tolls would take many rounds.
        if cost.is_some() && cities <= 12 && dearest <= 30 {
            let paths = [
                ("idastar", ida_star(&roads, &listed, &control)),
                ("iddfs", iddfs(&roads, &control)),
                ("sma", sma_star(&roads, &listed, &control)),
                (
                    "sma in 6000 bytes",
                    sma_star(&roads, &listed, &control.clone().memory_limit(6000)),
                ),
            ];
            for (name, outcome) in &paths {
                assert_cheapest(&roads, outcome, cost, &format!("{name} on network {i}"));
            }
        }
    }
}

#[test]
fn a_star_reopens_a_state_if_the_heuristic_was_misleading() {
    // 0 → 1 → 2 → 3 costs 1 + 1 + 4. City 1 looks expensive, so city 2 is first reached, and expanded, by 0 → 2 at 3.
    let roads = Roads {
        from: vec![vec![(1, 1), (2, 3)], vec![(2, 1)], vec![(3, 4)], vec![]],
        start: 0,
        goal: 3,
    };
    let outcome = a_star(&roads, &Listed(vec![0, 5, 0, 0]), &Control::new());
    assert_cheapest(&roads, &outcome, Some(6), "astar");
    assert_eq!(outcome.counts.expanded, 4, "0, 2, 1 and 2 again");
}

#[test]
fn stale_queue_entries_are_not_expanded() {
    // City 2 is opened at 5 and then at 2. The entry at 5 is taken before the goal at 12 is proven.
    let roads = Roads {
        from: vec![vec![(1, 1), (2, 5)], vec![(2, 1)], vec![(3, 10)], vec![]],
        start: 0,
        goal: 3,
    };
    let outcome = dijkstra(&roads, &Control::new());
    assert_cheapest(&roads, &outcome, Some(12), "dijkstra");
    assert_eq!(outcome.counts.expanded, 3);
}

type Tiles = SlideSpace<Nibbles>;

/// Manhattan distance for half of the states, 0 for the others.
struct Patchy<'a>(GraphDistance<'a>);

impl Patchy<'_> {
    fn patch(state: &Position<Nibbles>) -> bool {
        (0..9).fold(7u32, |hash, cell| {
            (hash ^ u32::from(state.tile(cell))).wrapping_mul(0x0100_0193)
        }) & 64
            == 0
    }
}

impl Heuristic<Tiles> for Patchy<'_> {
    type Memo = (u32, bool);

    fn start(&self, state: &Position<Nibbles>) -> Self::Memo {
        let distance = Heuristic::<Tiles>::start(&self.0, state);
        (distance, Patchy::patch(state))
    }

    fn after(&self, memo: Self::Memo, state: &Position<Nibbles>, slide: Slide) -> Self::Memo {
        let distance = Heuristic::<Tiles>::after(&self.0, memo.0, state, slide);
        let mut child = state.clone();
        space_of(&Board::blank_last(3, 3)).apply(&mut child, slide);
        (distance, Patchy::patch(&child))
    }

    fn bound(&self, (distance, patch): Self::Memo) -> u32 {
        if patch { distance } else { 0 }
    }
}

fn space_of(board: &Board) -> Tiles {
    SlideSpace::on_board(board, &Board::blank_last(board.width(), board.height()))
}

/// The answer of an engine on a board, within the limits of a control.
fn by_name(board: &Board, engine: Engine, control: &Control) -> noyes_solver::Answer {
    let request = Ask::board(board.clone(), Goal::BlankLast)
        .engine(engine)
        .request();
    solve(&request.unwrap(), control).unwrap()
}

#[test]
fn a_patchy_heuristic_misleads_no_engine_on_boards() {
    for i in 0..30 {
        let board = random_board(&Board::blank_last(3, 3), &mut Generator::new(8, i));
        let space = space_of(&board);
        let back = space.reversed();
        let control = Control::new();
        let optimum = bfs(&space, &control).bounds.upper;
        let patchy = Patchy(GraphDistance::on_board(&space, 3));
        let behind = Patchy(GraphDistance::on_board(&back, 3));
        let outcomes = [
            a_star(&space, &patchy, &control),
            sma_star(&space, &patchy, &control),
            sma_star(&space, &patchy, &control.clone().memory_limit(20_000)),
            bidirectional(&space, &patchy, &back, &behind, &control),
        ];
        for outcome in outcomes {
            assert_eq!(
                (outcome.status, outcome.bounds.upper),
                (Status::Optimal, optimum),
                "{board}"
            );
        }
    }
}

#[test]
fn sma_finds_the_optimum_in_any_memory_that_holds_its_plan() {
    let mut least = usize::MAX;
    for i in 0..25 {
        let board = random_board(&Board::blank_last(3, 3), &mut Generator::new(21, i));
        let a_star = by_name(&board, Engine::AStar, &Control::new());
        let optimum = a_star.bounds.upper.unwrap();
        let ida = by_name(&board, Engine::IdaStar, &Control::new());
        for limit in (250..8000).step_by(250).chain([20_000, 50_000, 100_000]) {
            let answer = by_name(&board, Engine::Sma, &Control::new().memory_limit(limit));
            assert!(answer.counts.peak_bytes <= limit);
            if answer.status == Status::Optimal {
                assert_eq!(answer.bounds.upper, Some(optimum), "{board} in {limit}");
                let most = a_star.counts.expanded + ida.counts.expanded;
                assert!(answer.counts.expanded <= most);
                least = least.min(limit);
            } else {
                assert_eq!(answer.status, Status::Limit(Stop::Memory));
                assert!(answer.bounds.lower <= optimum);
                // A place on the path, which is copied when it grows, and a fixed part.
                let enough = 1000 + 150 * optimum as usize;
                assert!(limit < enough, "{board} in {limit} bytes");
            }
        }
    }
    assert!(least < 4000, "a few kilobytes are enough for some: {least}");
}

/// What A* and SMA* expand and generate, and how they end.
fn both(ask: &Ask, control: &Control) -> [(Status, u64, u64); 2] {
    [Engine::AStar, Engine::Sma].map(|engine| {
        let request = ask.clone().engine(engine).request().unwrap();
        let answer = solve(&request, control).unwrap();
        (
            answer.status,
            answer.counts.expanded,
            answer.counts.generated,
        )
    })
}

#[test]
fn sma_does_what_a_star_does_while_memory_lasts() {
    let boards = [
        "2 1 3 0/5 6 8 4/9 10 7 11/13 14 15 12",
        "5 1 3 4/2 0 7 8/9 6 10 12/13 14 11 15",
        "1 2 3 4/5 6 7 8/9 10 0 15/13 12 14 11",
        "6 8 3 7/2 5 4 12/10 15 0 11/1 9 14 13",
        "8 6 7/2 5 4/3 0 1",
    ];
    let boards = boards.map(|text| text.parse().unwrap());
    let random = (0..12).map(|i| random_board(&Board::blank_last(3, 3), &mut Generator::new(9, i)));
    let control = Control::new().memory_limit(1 << 30);
    for board in boards.into_iter().chain(random) {
        for heuristic in ["misplaced", "manhattan", "linear-conflict", "walking"] {
            if board.width() == 4 && heuristic == "misplaced" {
                continue; // too many states for a test
            }
            let ask = Ask::board(board.clone(), Goal::BlankLast)
                .heuristic(heuristic.parse::<HeuristicName>().unwrap());
            let [a_star, sma] = both(&ask, &control);
            assert_eq!(a_star, sma, "{board} with {heuristic}");
        }
    }
}

#[test]
fn sma_forgets_what_a_star_never_needs() {
    // Korf's instance 12: 45 moves. A* stores 65,000 states and expands half of them.
    let board: Board = "14 1 9 6/4 8 12 5/7 2 3 0/10 11 13 15".parse().unwrap();
    let ask = Ask::board(board, Goal::BlankFirst).engine(Engine::Sma);
    let request = ask.clone().request().unwrap();
    let mut expanded = vec![];
    for limit in [20_000, 1_000_000, 2_000_000, 100_000_000] {
        let answer = solve(&request, &Control::new().memory_limit(limit)).unwrap();
        assert_eq!(
            (answer.status, answer.bounds.upper),
            (Status::Optimal, Some(45))
        );
        assert!(answer.counts.peak_bytes <= limit);
        expanded.push(answer.counts.expanded);
    }
    let [a_star, sma] = both(&ask, &Control::new());
    assert_eq!(a_star, sma);
    assert_eq!(expanded[2..], [sma.1; 2], "2 MB are enough");
    assert!(
        expanded.is_sorted_by(|a, b| a >= b),
        "more memory saves work: {expanded:?}"
    );
}

#[test]
fn sma_is_optimal_on_networks_in_any_memory() {
    for i in 0..300 {
        let generator = &mut Generator::new(25, i);
        let cities = 3 + generator.below(200) as u16;
        let roads = Roads::random(cities, 3 * usize::from(cities), 3, generator);
        let costs = roads.costs();
        if costs[0].is_none() {
            continue; // it would go round in circles
        }
        let listed = Listed::below(&costs, generator);
        for limit in [2500, 3000, 4000, 5000, 6000, 7000, 9000, 12_000] {
            let control = Control::new().memory_limit(limit);
            for (name, outcome) in [
                ("inconsistent", sma_star(&roads, &listed, &control)),
                ("blind", sma_star(&roads, &Zero, &control)),
            ] {
                assert!(outcome.counts.peak_bytes <= limit);
                let case = format!("{name} heuristic, network {i} in {limit} bytes");
                assert_cheapest(&roads, &outcome, costs[0], &case);
            }
        }
    }
}

#[test]
fn bounds_are_sound_wherever_a_limit_ends_a_search() {
    let goal = Board::blank_last(3, 3);
    for i in 0..40 {
        let generator = &mut Generator::new(34, i);
        let board = random_board(&goal, generator);
        let optimum = bfs(&space_of(&board), &Control::new())
            .bounds
            .upper
            .unwrap();
        for &engine in Engine::ALL {
            for _ in 0..12 {
                let control = match generator.below(3) {
                    0 => Control::new()
                        .time_limit(Duration::from_micros(generator.below(3000) as u64)),
                    _ => Control::new().memory_limit(1 << (8 + generator.below(16))),
                };
                if matches!(engine, Engine::Iddfs | Engine::Sat) && optimum > 20 {
                    continue; // its rounds take long, and the memory limit never ends it
                }
                let answer = by_name(&board, engine, &control);
                let named = format!(
                    "{engine} on {board}: {:?} {:?}",
                    answer.status, answer.bounds
                );
                assert!(answer.bounds.lower <= optimum, "{named}");
                assert!(control.bounds().lower <= optimum, "{named}");
                assert!(
                    answer.bounds.upper.is_none_or(|upper| upper >= optimum),
                    "{named}"
                );
                assert!(
                    control.bounds().upper.is_none_or(|upper| upper >= optimum),
                    "{named}"
                );
                match answer.status {
                    Status::Optimal => assert_eq!(answer.bounds.upper, Some(optimum), "{named}"),
                    Status::Limit(Stop::Time | Stop::Memory) => {}
                    Status::Solved if !engine.is_optimal() => {}
                    _ => panic!("{named}"),
                }
            }
        }
    }
}

#[test]
fn bounds_rise_while_states_fit() {
    // One of the two farthest boards: 31 moves, with a Manhattan distance of 21.
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    for engine in [Engine::AStar, Engine::Dijkstra, Engine::Bidirectional] {
        let mut lowers = vec![];
        for kib in [150, 400, 1600, 50_000] {
            let control = Control::new().memory_limit(kib << 10);
            let answer = by_name(&board, engine, &control);
            assert!(answer.counts.peak_bytes <= kib << 10);
            assert!(answer.bounds.lower <= 31);
            lowers.push(answer.bounds.lower);
        }
        assert!(
            lowers.is_sorted() && lowers[0] < lowers[2],
            "{engine} {lowers:?}"
        );
        assert_eq!(lowers[3], 31, "{engine}");
    }
}

#[test]
fn a_raised_flag_and_a_time_limit_end_every_engine() {
    // So far from the goal that no engine finishes in time.
    let board: Board = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0".parse().unwrap();
    let searches = |engine: &&Engine| !matches!(engine, Engine::Human | Engine::Table);
    for &engine in Engine::ALL.iter().filter(searches) {
        let raised = Control::new().stop_flag(Arc::new(AtomicBool::new(true)));
        let limits = [
            (raised, Stop::Interrupted),
            (
                Control::new().time_limit(Duration::from_millis(30)),
                Stop::Time,
            ),
        ];
        for (control, stop) in limits {
            let begun = Instant::now();
            let answer = by_name(&board, engine, &control);
            assert_eq!(answer.status, Status::Limit(stop), "{engine}");
            assert!(answer.bounds.lower <= 80);
            assert!(begun.elapsed() < Duration::from_secs(20), "{engine}");
        }
    }
}

#[test]
fn engines_that_store_states_prove_that_there_is_no_plan() {
    let roads = Roads {
        from: vec![vec![(1, 2)], vec![(0, 2)], vec![(0, 1)]],
        start: 0,
        goal: 2,
    };
    let control = Control::new();
    let back = roads.reversed();
    for outcome in [
        dijkstra(&roads, &control),
        a_star(&roads, &Zero, &control),
        bidirectional(&roads, &Zero, &back, &Zero, &control),
        bidirectional(&back, &Zero, &roads, &Zero, &control),
    ] {
        assert_eq!(
            (outcome.status, outcome.bounds.upper),
            (Status::Unsolvable, None)
        );
    }
}

#[test]
fn reversed_slides_lead_back() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let space = space_of(&board);
    let mut state = space.start();
    for slide in space.moves(&space.start()) {
        space.apply(&mut state, slide);
        let turned = space.turned(slide);
        assert!(space.moves(&state).any(|mv| mv == turned) && space.turned(turned) == slide);
        space.apply(&mut state, turned);
        assert_eq!(state, space.start());
    }
    let back = space.reversed();
    assert!(back.is_goal(&space.start()) && space.is_goal(&back.start()));
    let sizes = |space: &Tiles| layers(space, &Control::new()).unwrap().iter().sum::<u64>();
    assert_eq!(sizes(&space), sizes(&back));
}

#[test]
fn a_star_expands_fewer_states_than_dijkstra_and_ida_star() {
    let board: Board = "8 6 7/2 5 4/3 0 1".parse().unwrap();
    let expanded = |engine| by_name(&board, engine, &Control::new()).counts.expanded;
    assert!(expanded(Engine::AStar) < expanded(Engine::Dijkstra));
    assert!(expanded(Engine::AStar) < expanded(Engine::IdaStar));
    assert!(expanded(Engine::Dijkstra) <= 181_440); // the number of states
}
