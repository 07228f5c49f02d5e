//! Canonical form: the words that stand for a state and all its images under the level's symmetries.

use super::setup::Setup;
use crate::sokoban::field::position::Position;
use crate::sokoban::field::walk::Walk;

/// Writes the words of a state's canonical form: the image whose words are lowest.
///
/// With a walk, the player may be anywhere that the walk reaches, and the lowest of these cells stands for all of them.
pub(crate) fn canonical(
    setup: &Setup,
    position: &Position,
    anywhere: Option<&Walk>,
    spare: &mut Spare,
    to: &mut [u64],
) {
    let Setup {
        packing,
        symmetries,
        ..
    } = setup;
    packing.pack(&position.boxes, 0, to);
    let player = |map: Option<&Vec<u16>>| {
        let image = |cell: u16| map.map_or(cell, |map| map[usize::from(cell)]);
        match anywhere {
            None => image(position.player),
            Some(walk) => {
                let images = walk.reached().iter().map(|&c| image(c));
                images.min().expect("the player is somewhere")
            }
        }
    };
    let mut best = player(None);
    for map in symmetries {
        spare.boxes.clear();
        let images = position.boxes.iter().map(|&c| map[usize::from(c)]);
        spare.boxes.extend(images);
        spare.words.resize(to.len(), 0);
        packing.pack(&spare.boxes, 0, &mut spare.words);
        match (*spare.words).cmp(&*to) {
            std::cmp::Ordering::Greater => {}
            std::cmp::Ordering::Equal => best = best.min(player(Some(map))),
            std::cmp::Ordering::Less => {
                to.copy_from_slice(&spare.words);
                best = player(Some(map));
            }
        }
    }
    to[0] |= u64::from(best);
}

/// Buffers for images of states.
#[derive(Default)]
pub(crate) struct Spare {
    boxes: Vec<u16>,
    words: Vec<u64>,
}
