//! A puzzle of your own: every type that implements `Space` can be searched.
//!
//! Two jugs hold 5 and 3 litres; measure out 4. A move fills a jug, empties it, or
//! pours it into the other. It also stores the state before, so that `undo` can
//! restore it.

use noyes_puzzle::Space;
use noyes_solver::Control;
use noyes_solver::search::bfs;

const SIZE: [u8; 2] = [5, 3];

struct Jugs;

#[derive(Clone, Copy, PartialEq, Debug)]
struct Pour {
    before: [u8; 2],
    after: [u8; 2],
}

impl Eq for Pour {}

impl Space for Jugs {
    type State = [u8; 2];
    type Move = Pour;
    type Moves<'a> = std::vec::IntoIter<Pour>;

    fn start(&self) -> [u8; 2] {
        [0, 0]
    }

    fn is_goal(&self, jugs: &[u8; 2]) -> bool {
        jugs.contains(&4)
    }

    fn moves(&self, &before: &[u8; 2]) -> Self::Moves<'_> {
        let [a, b] = before;
        let right = a.min(SIZE[1] - b);
        let left = b.min(SIZE[0] - a);
        let after = [
            [SIZE[0], b],
            [a, SIZE[1]],
            [0, b],
            [a, 0],
            [a - right, b + right],
            [a + left, b - left],
        ];
        let moves: Vec<Pour> = after
            .into_iter()
            .map(|after| Pour { before, after })
            .collect();
        moves.into_iter()
    }

    fn moves_after(&self, jugs: &[u8; 2], _last: Pour) -> Self::Moves<'_> {
        self.moves(jugs)
    }

    fn apply(&self, jugs: &mut [u8; 2], pour: Pour) {
        *jugs = pour.after;
    }

    fn undo(&self, jugs: &mut [u8; 2], pour: Pour) {
        *jugs = pour.before;
    }
}

fn main() {
    let outcome = bfs(&Jugs, &Control::new());
    for pour in outcome.plan.expect("4 litres can be measured") {
        println!("{:?} -> {:?}", pour.before, pour.after);
    }
}
