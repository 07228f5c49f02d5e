//! Tables against the plainest search there is.

use std::collections::{HashMap, VecDeque};

use super::blocks::Counting;
use super::histogram::Histogram;
use super::plain::PlainTable;
use super::table::{Ground, Key, Table};
use crate::control::Control;

/// Distances of all placements by flooding: cells of the tiles, then the cell of the blank.
fn flood(key: &Key) -> HashMap<(Vec<u8>, u8), u32> {
    let start = (key.cells.clone(), key.blank as u8);
    let mut distance = HashMap::from([(start.clone(), 0)]);
    let mut open = VecDeque::from([start]);
    while let Some(state) = open.pop_front() {
        let (tiles, blank) = &state;
        let d = distance[&state];
        for next in 0..(key.width * key.height) as u8 {
            let (r, c) = (blank / key.width as u8, blank % key.width as u8);
            let (nr, nc) = (next / key.width as u8, next % key.width as u8);
            if r.abs_diff(nr) + c.abs_diff(nc) != 1 {
                continue;
            }
            let moved: Vec<u8> = tiles
                .iter()
                .map(|&t| if t == next { *blank } else { t })
                .collect();
            let cost = u32::from(key.counting == Counting::Every || moved != *tiles);
            let child = (moved, next);
            if distance.get(&child).is_none_or(|&old| d + cost < old) {
                distance.insert(child.clone(), d + cost);
                // A move that does not count goes first: 0-1 breadth-first search.
                if cost == 0 {
                    open.push_front(child);
                } else {
                    open.push_back(child);
                }
            }
        }
    }
    distance
}

fn keys() -> Vec<Key> {
    let key = |width, height, blank, cells: &[u8], counting| Key {
        width,
        height,
        blank,
        cells: cells.to_vec(),
        counting,
    };
    vec![
        key(3, 3, 0, &[1], Counting::Pattern),
        key(3, 3, 4, &[1, 2, 5], Counting::Pattern),
        key(3, 3, 8, &[0, 1, 2, 3], Counting::Every),
        key(4, 2, 0, &[1, 2, 3, 4, 5, 6, 7], Counting::Pattern),
        key(2, 4, 7, &[0, 1, 3, 5, 6], Counting::Pattern),
        key(3, 2, 0, &[1, 2, 3, 4], Counting::Every),
        key(4, 4, 0, &[3, 7, 11], Counting::Every),
        key(4, 4, 0, &[1, 2, 4, 5], Counting::Pattern),
        key(4, 4, 5, &[12, 13, 14], Counting::Pattern),
        key(5, 5, 0, &[1, 7, 24], Counting::Pattern),
        key(6, 5, 0, &[1, 6, 29], Counting::Pattern),
        key(3, 3, 0, &[1, 2, 3, 4, 5, 6, 7, 8], Counting::Pattern),
    ]
}

fn table(key: &Key, threads: usize) -> Table {
    let ground = Ground::new(key.clone());
    let bits = ground
        .build(threads, &Control::new(), None, &|_| {})
        .unwrap();
    Table::new(ground, bits)
}

#[test]
fn tables_hold_the_distances_of_flooding() {
    for key in keys() {
        let table = table(&key, 1);
        for ((tiles, blank), distance) in flood(&key) {
            let placed = table.ground().place(|letter| usize::from(tiles[letter]));
            let block = table.ground().blocks.block(placed.map, blank.into());
            assert_eq!(
                table.second_bit(block, placed.code),
                distance & 2 == 2,
                "{tiles:?} {blank} of {key:?}"
            );
            assert_eq!(
                table.distance(placed, blank.into()),
                Some(distance),
                "{tiles:?} {blank} of {key:?}"
            );
        }
    }
}

#[test]
fn wrong_bits_lead_nowhere_but_never_for_ever() {
    for key in keys() {
        for byte in [0, 0x55, 0xff] {
            let ground = Ground::new(key.clone());
            let bits = vec![byte; ground.table_bytes()];
            let table = Table::new(ground, bits);
            let far = |letter: usize| key.cells.len() - 1 - letter;
            let placed = table.ground().place(far);
            let way = table.way_home(placed, key.width * key.height - 1);
            assert!(way.is_none_or(|way| way.len() <= 255));
        }
    }
}

#[test]
fn no_table_is_smaller_than_its_lower_bound() {
    for key in keys() {
        let least = Ground::least_table_bytes(&key);
        let bytes = Ground::new(key.clone()).table_bytes();
        assert!(least <= bytes && bytes <= 16 * least, "{key:?}");
    }
}

#[test]
fn tables_of_5x5_are_not_larger_than_estimated() {
    let key = |tiles: u8| Key {
        width: 5,
        height: 5,
        blank: 0,
        cells: (1..=tiles).collect(),
        counting: Counting::Pattern,
    };
    // Smaller ones have a few bytes.
    for tiles in 4..=7 {
        let bytes = Ground::new(key(tiles)).table_bytes();
        assert!(
            Ground::about_table_bytes(&key(tiles)) >= bytes,
            "{tiles} tiles"
        );
    }
    // The file of such a table has 10.9 GB.
    assert!(Ground::about_table_bytes(&key(8)) >= 10_900_000_000);
}

#[test]
fn threads_build_the_same_bits() {
    for key in keys() {
        assert!(table(&key, 1).bits() == table(&key, 3).bits(), "{key:?}");
    }
}

#[test]
fn plain_values_are_the_smallest_over_all_blanks() {
    for key in keys()
        .into_iter()
        .filter(|k| k.counting == Counting::Pattern)
    {
        let mut smallest: HashMap<Vec<u8>, u32> = HashMap::new();
        for ((tiles, _), distance) in flood(&key) {
            let value = smallest.entry(tiles).or_insert(distance);
            *value = distance.min(*value);
        }
        let plain = PlainTable::build(&key, &Control::new()).unwrap();
        for (tiles, &value) in &smallest {
            let placed = plain.ground().place(|letter| usize::from(tiles[letter]));
            assert_eq!(
                u32::from(plain.value(placed)),
                value,
                "{tiles:?} of {key:?}"
            );
        }
        let histogram = Histogram::of(&key, true, &Control::new()).unwrap();
        assert_eq!(histogram.entries(), smallest.len() as u64);
    }
}

#[test]
fn a_table_and_its_canonical_form_agree() {
    for key in keys() {
        let (kept, symmetry) = key.canonical();
        assert_eq!(kept.canonical().0, kept);
        let (here, there) = (table(&key, 1), table(&kept, 1));
        for ((tiles, blank), distance) in flood(&key).into_iter().take(2000) {
            let letter_at_home = |letter: usize| {
                let home = kept.cells[letter];
                let i = key
                    .cells
                    .iter()
                    .position(|&c| symmetry.cell(c.into()) == usize::from(home))
                    .unwrap();
                symmetry.cell(tiles[i].into())
            };
            let placed = there.ground().place(letter_at_home);
            assert_eq!(
                there.distance(placed, symmetry.cell(blank.into())),
                Some(distance)
            );
        }
        assert_eq!(here.bits().len(), there.bits().len());
    }
}
