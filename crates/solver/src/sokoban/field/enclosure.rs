//! The field: the floor that the player can ever reach, numbered without gaps.
//!
//! Walls never move, so only the cells of the player's own enclosure matter: what
//! lies beyond is sealed, its boxes stay and its goals are as they are. Cells are
//! numbered from 0, and one number beyond the last stands for every wall, so that
//! a look at a neighbour needs no test.
//!
//! A single box on cell c parts the floor around it: whether two sides of c are
//! connected without c is the question whether the edges from c to them lie in the
//! same block (biconnected component) of the floor. Tarjan's depth-first search
//! answers this for all cells at once in linear time, and its entry times tell
//! on which side of c a far player is: if c's child v in the search tree has the
//! player below it, on v's side, else on the side of c's parent.
//!
//! Tarjan: Depth-first search and linear graph algorithms. SIAM Journal on
//! Computing 1, 1972.

use noyes_puzzle::sokoban::Level;
use noyes_puzzle::tiles::Direction;

use crate::control::Pace;

/// A cell that parts the floor.
const SEVERAL: u8 = 4;
/// No cell at all.
const NONE: u16 = u16::MAX;

/// The way back: directions count up, left, right, down.
#[inline]
pub(crate) fn back(direction: usize) -> usize {
    3 - direction
}

/// The floor of one enclosure.
#[derive(Clone)]
pub(crate) struct Field {
    /// The level's number of each cell.
    pub(crate) cells: Vec<u16>,
    /// The four neighbours of each cell; `wall()` where there is none. The wall has none but itself.
    pub(crate) next: Vec<[u16; 4]>,
    /// Whether a box belongs here.
    pub(crate) is_goal: Vec<bool>,
    /// Where boxes belong, in order.
    pub(crate) goals: Vec<u16>,
    /// Where boxes are at the start, in order.
    pub(crate) boxes: Vec<u16>,
    /// Where the player starts.
    pub(crate) player: u16,
    /// Level cells of goals in other enclosures that hold no box and never will.
    pub(crate) sealed_goals: Vec<u16>,
    /// Of each side of a cell, the first side in the same block.
    sides: Vec<[u8; 4]>,
    /// The side of a cell that all its sides are connected with, if it is so.
    only: Vec<u8>,
    /// When the search entered and left each cell.
    enter: Vec<u32>,
    leave: Vec<u32>,
    /// The side on which the search came in.
    parent: Vec<u8>,
}

impl Field {
    /// The enclosure of the level's first player.
    pub(crate) fn new(level: &Level) -> Field {
        // 1. The cells, in the level's order.
        let mut inside = vec![false; level.cells()];
        let mut open = vec![level.players()[0]];
        while let Some(cell) = open.pop() {
            if !std::mem::replace(&mut inside[usize::from(cell)], true) {
                open.extend(
                    Direction::ALL
                        .iter()
                        .filter_map(|&d| level.neighbour(cell, d)),
                );
            }
        }
        let cells: Vec<u16> = (0..level.cells())
            .filter(|&c| inside[c])
            .map(|c| c as u16)
            .collect();
        let mut number = vec![NONE; level.cells()];
        for (i, &cell) in cells.iter().enumerate() {
            number[usize::from(cell)] = i as u16;
        }
        let of = |cell: u16| number[usize::from(cell)];
        // 2. What is where.
        let wall = cells.len() as u16;
        let mut next: Vec<[u16; 4]> = (cells.iter())
            .map(|&c| Direction::ALL.map(|d| level.neighbour(c, d).map_or(wall, of)))
            .collect();
        next.push([wall; 4]);
        let mut is_goal: Vec<bool> = cells.iter().map(|&c| level.is_goal(c)).collect();
        is_goal.push(false);
        let within = |list: &[u16]| -> Vec<u16> {
            let all = list.iter().map(|&c| of(c));
            all.filter(|&c| c != NONE).collect()
        };
        let all_goals: Vec<u16> = level.goals().collect();
        let sealed = |c: &u16| of(*c) == NONE && level.boxes().binary_search(c).is_err();
        let mut field = Field {
            goals: within(&all_goals),
            boxes: within(level.boxes()),
            player: of(level.players()[0]),
            sealed_goals: all_goals.iter().copied().filter(sealed).collect(),
            sides: vec![[0, 1, 2, 3]; cells.len()],
            only: vec![SEVERAL; cells.len()],
            enter: vec![0; cells.len()],
            leave: vec![0; cells.len()],
            parent: vec![0; cells.len()],
            cells,
            next,
            is_goal,
        };
        // 3. Which sides of a cell are connected without it.
        field.find_blocks();
        field
    }

    /// How many cells there are.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The number that stands for every wall.
    #[inline]
    pub(crate) fn wall(&self) -> u16 {
        self.cells.len() as u16
    }

    /// The neighbour of a cell.
    #[inline]
    pub(crate) fn step(&self, cell: u16, direction: usize) -> u16 {
        self.next[usize::from(cell)][direction]
    }

    /// The name of a side of a cell: sides that are connected without the cell share it.
    #[inline]
    pub(crate) fn side(&self, cell: u16, direction: usize) -> usize {
        self.sides[usize::from(cell)][direction].into()
    }

    /// On which side of a cell a player elsewhere is.
    #[inline]
    pub(crate) fn side_of(&self, cell: u16, player: u16) -> usize {
        if self.only[usize::from(cell)] != SEVERAL {
            return self.only[usize::from(cell)].into();
        }
        let sides = self.sides[usize::from(cell)];
        let next = self.next[usize::from(cell)];
        let (time, enter) = (self.enter[usize::from(player)], &self.enter);
        for d in 0..4 {
            let child = usize::from(next[d]);
            if next[d] != self.wall()
                && enter[child] > enter[usize::from(cell)]
                && usize::from(self.parent[child]) == back(d)
                && (enter[child]..self.leave[child]).contains(&time)
            {
                return sides[d].into();
            }
        }
        sides[usize::from(self.parent[usize::from(cell)])].into()
    }

    /// The same field with walls on some cells, whose numbers stay.
    pub(crate) fn with_frozen(&self, frozen: &[u16]) -> Field {
        let mut next = self.next.clone();
        for &cell in frozen {
            for d in 0..4 {
                let other = self.step(cell, d);
                next[usize::from(other)][back(d)] = self.wall();
            }
            next[usize::from(cell)] = [self.wall(); 4];
        }
        next[self.len()] = [self.wall(); 4];
        let mut field = Field {
            next,
            sides: vec![[0, 1, 2, 3]; self.len()],
            enter: vec![0; self.len()],
            leave: vec![0; self.len()],
            parent: vec![0; self.len()],
            ..self.clone()
        };
        field.find_blocks();
        field
    }

    /// Tarjan's search for blocks, without recursion.
    fn find_blocks(&mut self) {
        const UNSEEN: u32 = u32::MAX;
        let mut low = vec![0; self.len()];
        let mut block = vec![[u32::MAX; 4]; self.len()]; // of each edge, at both ends
        self.enter.fill(UNSEEN);
        let (mut time, mut blocks) = (0, 0);
        let mut path: Vec<(u16, usize)> = vec![]; // cells and the side to look at next
        let mut edges: Vec<(u16, usize)> = vec![];
        for root in 0..self.wall() {
            if self.enter[usize::from(root)] != UNSEEN {
                continue;
            }
            self.enter[usize::from(root)] = time;
            low[usize::from(root)] = time;
            path.push((root, 0));
            while let Some(&mut (cell, ref mut side)) = path.last_mut() {
                let (c, d) = (usize::from(cell), *side);
                *side += 1;
                if d < 4 {
                    let other = self.next[c][d];
                    let o = usize::from(other);
                    if o == self.len() {
                        continue;
                    }
                    if self.enter[o] == UNSEEN {
                        time += 1;
                        self.enter[o] = time;
                        low[o] = time;
                        self.parent[o] = back(d) as u8;
                        edges.push((cell, d));
                        path.push((other, 0));
                    } else if self.enter[o] < self.enter[c] {
                        // A way up, be it to the parent or past it.
                        if d != usize::from(self.parent[c]) {
                            edges.push((cell, d));
                            low[c] = low[c].min(self.enter[o]);
                        }
                    }
                    continue;
                }
                self.leave[c] = time + 1;
                path.pop();
                let Some(&(up, _)) = path.last() else { break };
                low[usize::from(up)] = low[usize::from(up)].min(low[c]);
                if low[c] >= self.enter[usize::from(up)] {
                    let first = (up, back(self.parent[c].into()));
                    while let Some((from, d)) = edges.pop() {
                        let to = self.step(from, d);
                        block[usize::from(from)][d] = blocks;
                        block[usize::from(to)][back(d)] = blocks;
                        if (from, d) == first {
                            break;
                        }
                    }
                    blocks += 1;
                }
            }
            time += 1;
        }
        for (cell, block) in block.iter().enumerate() {
            let (next, wall) = (self.next[cell], self.wall());
            let open = |d: &usize| next[*d] != wall;
            let any = (0..4).find(open).unwrap_or(0); // stands for sides where a wall is
            for d in 0..4 {
                let d_or_any = if open(&d) { d } else { any };
                let first = (0..4).find(|&e| block[e] == block[d_or_any]);
                self.sides[cell][d] = first.expect("itself at least") as u8;
            }
            let only = self.sides[cell][any];
            let is_only = self.sides[cell].iter().all(|&side| side == only);
            self.only[cell] = if is_only { only } else { SEVERAL };
        }
    }
}

/// How often a search of this field polls: about every millisecond, whatever its size.
pub(crate) fn pace(field: &Field) -> Pace {
    Pace::new((32 * field.len()).max(1 << 10))
}

/// Where the player can walk among the boxes, and how far it is.
pub(crate) struct Walk {
    /// Of each cell, how far it is, plus the number of the walk that last came here times 2¹⁶.
    far: Vec<u64>,
    /// The number of this walk times 2¹⁶.
    now: u64,
    /// The cells reached, nearest first; beyond `count`, of earlier walks.
    queue: Vec<u16>,
    count: usize,
    /// The two least of them, if `find_least` was asked.
    least: [u16; 2],
}

/// By the cells around one cell that belong to a region, clockwise from above: whether those beside it are connected
/// by way of those at its corners.
const RING: [bool; 256] = {
    let mut table = [false; 256];
    let mut mask = 0;
    while mask < 256 {
        // Groups of sides, joined where the corner between two of them belongs to the region as well.
        let (mut sides, mut links, mut i) = (0, 0, 0);
        while i < 4 {
            let (side, corner, next) = (1 << (2 * i), 1 << (2 * i + 1), 1 << ((2 * i + 2) % 8));
            sides += (mask & side != 0) as u32;
            links += (mask & side != 0 && mask & corner != 0 && mask & next != 0) as u32;
            i += 1;
        }
        // Links in a row join as many sides as they are and one more; all four make a ring.
        table[mask] = sides <= 1 || links + 1 >= sides;
        mask += 1;
    }
    table
};

impl Walk {
    /// Nothing reached yet.
    pub(crate) fn new(field: &Field) -> Walk {
        Walk {
            far: vec![0; field.len() + 1],
            now: 0,
            queue: vec![0; field.len() + 1],
            count: 0,
            least: [0; 2],
        }
    }

    /// Walks wherever nothing stands; `occupied` is not zero for boxes and the wall.
    pub(crate) fn from(&mut self, field: &Field, start: u16, occupied: &[u16]) {
        self.now += 1 << 16;
        let (far, queue) = (&mut self.far[..], &mut self.queue[..]);
        far[usize::from(start)] = self.now;
        queue[0] = start;
        let (mut next, mut count) = (0, 1);
        while next < count {
            let cell = usize::from(queue[next]);
            next += 1;
            let step = far[cell] + 1;
            for other in field.next[cell] {
                let o = usize::from(other);
                if far[o] < self.now && occupied[o] == 0 {
                    far[o] = step;
                    queue[count] = other;
                    count += 1;
                }
            }
        }
        self.count = count;
    }

    /// The cells reached, nearest first.
    pub(crate) fn reached(&self) -> &[u16] {
        &self.queue[..self.count]
    }

    /// Notes the two least cells reached, for `least_after`.
    pub(crate) fn find_least(&mut self) {
        let (mut first, mut second) = (u16::MAX, u16::MAX);
        for &cell in self.reached() {
            if cell < first {
                (first, second) = (cell, first);
            } else if cell < second {
                second = cell;
            }
        }
        self.least = [first, second];
    }

    /// The least cell that the player reaches after a box went from one cell to the next, if a look around tells.
    ///
    /// If what the player reached around the box's new cell hangs together without it, so does all that it reached.
    /// The old cell joins this if it touches it, and if that opens nothing else, the answer is known.
    pub(crate) fn least_after(
        &self,
        field: &Field,
        occupied: &[u16],
        left: u16,
        taken: u16,
    ) -> Option<u16> {
        let within = |cell: u16| cell != taken && self.reaches(cell);
        let around = field.next[usize::from(left)];
        let joins = around.iter().any(|&c| within(c));
        if joins {
            let opens = |&c: &u16| c != taken && occupied[usize::from(c)] == 0 && !self.reaches(c);
            if around.iter().any(opens) {
                return None;
            }
        }
        if self.reaches(taken) {
            let belongs = |c: u16| within(c) || joins && c == left;
            let [up, west, east, down] = field.next[usize::from(taken)];
            let mut mask = 0;
            for (i, (side, turn)) in [(up, 2), (east, 3), (down, 1), (west, 0)]
                .into_iter()
                .enumerate()
            {
                if belongs(side) {
                    mask |= 1 << (2 * i);
                    if belongs(field.step(side, turn)) {
                        mask |= 1 << (2 * i + 1);
                    }
                }
            }
            if !RING[mask] {
                return None;
            }
        }
        let old = self.least[usize::from(self.least[0] == taken)];
        Some(if joins { old.min(left) } else { old })
    }

    /// Whether the player gets there.
    #[inline]
    pub(crate) fn reaches(&self, cell: u16) -> bool {
        self.far[usize::from(cell)] >= self.now
    }

    /// How many steps it is to a cell that is reached.
    #[inline]
    pub(crate) fn steps(&self, cell: u16) -> u32 {
        (self.far[usize::from(cell)] - self.now) as u32
    }

    /// The directions of a shortest way to a cell that is reached.
    pub(crate) fn path(&self, field: &Field, mut to: u16) -> Vec<Direction> {
        let mut path = vec![];
        while self.steps(to) > 0 {
            let nearer = |d: &usize| {
                let before = field.step(to, back(*d));
                self.reaches(before) && self.steps(before) + 1 == self.steps(to)
            };
            let d = (0..4).find(nearer).expect("some step led here");
            path.push(Direction::ALL[d]);
            to = field.step(to, back(d));
        }
        path.reverse();
        path
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sokoban::test_levels::{random_level, read};

    #[test]
    fn sides_are_those_of_a_flood_fill() {
        for seed in 0..200 {
            let field = Field::new(&random_level(seed));
            let mut walk = Walk::new(&field);
            let mut occupied = vec![0; field.len()];
            occupied.push(u16::MAX);
            for cell in 0..field.wall() {
                occupied[usize::from(cell)] = 1;
                for d in (0..4).filter(|&d| field.step(cell, d) != field.wall()) {
                    walk.from(&field, field.step(cell, d), &occupied);
                    for e in (0..4).filter(|&e| field.step(cell, e) != field.wall()) {
                        let same = field.side(cell, d) == field.side(cell, e);
                        assert_eq!(walk.reaches(field.step(cell, e)), same, "{seed} {cell}");
                    }
                    for player in (0..field.wall()).filter(|&p| p != cell) {
                        let same = field.side_of(cell, player) == field.side(cell, d);
                        assert_eq!(walk.reaches(player), same, "{seed} {cell} {player}");
                    }
                }
                occupied[usize::from(cell)] = 0;
            }
        }
    }

    #[test]
    fn a_look_around_tells_what_a_walk_would() {
        let (mut told, mut all) = (0, 0);
        for seed in 0..300 {
            let field = Field::new(&random_level(seed));
            let (mut walk, mut after) = (Walk::new(&field), Walk::new(&field));
            let mut occupied = vec![0; field.len()];
            occupied.push(u16::MAX);
            for &b in &field.boxes {
                occupied[usize::from(b)] = 1;
            }
            walk.from(&field, field.player, &occupied);
            walk.find_least();
            for &b in &field.boxes {
                for d in 0..4 {
                    let (behind, ahead) = (field.step(b, back(d)), field.step(b, d));
                    let far = field.step(behind, back(d));
                    // A push and a pull.
                    for (to, player, room) in [(ahead, b, ahead), (behind, far, far)] {
                        if !walk.reaches(behind) || occupied[usize::from(room)] != 0 {
                            continue;
                        }
                        occupied[usize::from(b)] = 0;
                        occupied[usize::from(to)] = 1;
                        after.from(&field, player, &occupied);
                        let least = after.reached().iter().copied().min();
                        let quick = walk.least_after(&field, &occupied, b, to);
                        assert!(quick.is_none() || quick == least, "seed {seed}, {b} {d}");
                        told += u32::from(quick.is_some());
                        all += 1;
                        occupied[usize::from(to)] = 0;
                        occupied[usize::from(b)] = 1;
                    }
                }
            }
        }
        assert!(told > all / 4, "{told} of {all}");
    }

    #[test]
    fn what_is_sealed_stays_out() {
        let level = read(&["#######", "#@$.#*#", "#######"]);
        let field = Field::new(&level);
        assert_eq!(
            (field.len(), &*field.boxes, &*field.goals),
            (3, &[1][..], &[2][..])
        );
        assert_eq!(field.sealed_goals, []);
        let level = read(&["#######", "#@$.#.#", "#######"]);
        assert_eq!(Field::new(&level).sealed_goals, [12]);
    }
}
