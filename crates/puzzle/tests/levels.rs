//! Levels as text: nothing makes a reader panic, and what is written reads back.

use noyes_puzzle::sokoban::{
    Format, Level, State, View, Walks, crop, normalise, parse_level, read_levels, step,
};
use noyes_puzzle::tiles::Direction;
use proptest::prelude::*;

/// A level of up to 8 by 6 cells in walls, perhaps with a crew.
fn levels() -> impl Strategy<Value = Level> {
    let cells = (1usize..9, 1usize..7)
        .prop_flat_map(|(width, height)| {
            let cell = prop_oneof![
                6 => Just(' '), 3 => Just('#'), 2 => Just('$'), 2 => Just('.'), 1 => Just('*'), 1 => Just('@'), 1 => Just('+'),
            ];
            (Just(width), prop::collection::vec(cell, width * height))
        });
    cells.prop_filter_map("a player and a goal", |(width, cells)| {
        let mut rows = vec!["#".repeat(width + 2)];
        for row in cells.chunks(width) {
            rows.push(format!("#{}#", row.iter().collect::<String>()));
        }
        rows.push("#".repeat(width + 2));
        parse_level(&rows.join("\n")).ok()
    })
}

proptest! {
    #[test]
    fn no_text_makes_a_reader_panic(
        any in "\\PC{0,120}",
        lines in prop::collection::vec("[#@+$*. _|WBPTX\t\r0-9xpob;:-]{0,12}", 0..12),
        ends in prop::sample::select(vec!["\n", "\r\n", "\r", "|"]),
    ) {
        for text in [any, lines.join(ends)] {
            if let Ok(entries) = read_levels(&text) {
                for entry in entries {
                    match entry.level {
                        // What was read once reads back.
                        Ok(level) => prop_assert_eq!(&parse_level(&Format::Xsb.write(&level)).map(|l| l.titled(None)), &Ok(level.titled(None))),
                        Err(error) => prop_assert!(error.line >= 1 && error.column >= 1),
                    }
                }
            }
        }
    }

    #[test]
    fn what_is_written_reads_back(level in levels()) {
        for format in Format::ALL {
            let text = format.write(&level);
            prop_assert_eq!(parse_level(&text), Ok(level.clone()), "{}", text);
            let entries = read_levels(&format!("; one\n{text}\n; two\n{text}")).unwrap();
            prop_assert_eq!(entries.len(), 2);
            prop_assert_eq!(entries[1].level.as_ref().unwrap().title(), Some("two"));
        }
    }

    #[test]
    fn empty_rows_above_a_level_survive(level in levels(), above in 1usize..4) {
        let rows = format!("{}{}", "-\n".repeat(above), Format::Xsb.write(&level));
        let lower = parse_level(&rows).unwrap();
        prop_assert_eq!(lower.height(), level.height() + above);
        for format in Format::ALL {
            let text = format.write(&lower);
            prop_assert_eq!(parse_level(&text), Ok(lower.clone()), "{}", text);
            let read = read_levels(&format!("{text}\n{text}")).unwrap();
            prop_assert!(read.len() == 2 && read.iter().all(|e| e.level.as_ref() == Ok(&lower)), "{}", text);
        }
    }

    #[test]
    fn a_collection_keeps_every_level(levels in prop::collection::vec(levels(), 1..6)) {
        for format in Format::ALL {
            let text: Vec<String> = levels.iter().map(|level| format.write(level)).collect();
            let read = read_levels(&text.join("\n")).unwrap();
            let read: Vec<Level> = read.into_iter().map(|entry| entry.level.unwrap()).collect();
            prop_assert_eq!(&read, &levels);
        }
    }

    #[test]
    fn the_normal_form_is_one_for_all_views_and_decorations(level in levels()) {
        let normal = normalise(&level);
        prop_assert_eq!(&normalise(&normal), &normal);
        prop_assert_eq!(&crop(&crop(&level)), &crop(&level));
        for view in View::all() {
            prop_assert_eq!(&normalise(&view.of(&level)), &normal);
        }
    }

    #[test]
    fn walks_are_legal_from_every_side(level in levels(), ways in prop::collection::vec(0usize..5, 1..30)) {
        let crew = level.players().len();
        let steps: Vec<Vec<Option<Direction>>> = ways
            .chunks(crew)
            .filter(|chunk| chunk.len() == crew)
            .map(|chunk| chunk.iter().map(|&way| Direction::ALL.get(way).copied()).collect())
            .collect();
        for view in View::all() {
            let seen = view.of(&level);
            let (mut plain, mut turned) = (State::start(&level), State::start(&seen));
            for moves in &steps {
                let there: Vec<_> = moves.iter().map(|m| m.map(|d| view.direction(d))).collect();
                let (a, b) = (step(&level, &mut plain, moves, true), step(&seen, &mut turned, &there, true));
                prop_assert_eq!(a.ok(), b.ok());
            }
            let players: Vec<u16> = plain.players.iter().map(|&p| view.cell(&level, p)).collect();
            prop_assert_eq!(&turned.players, &players);
        }
        let walks = Walks::of_steps(crew, &steps);
        prop_assert_eq!(Walks::parse(&walks.write(&level), crew), Ok(walks));
    }
}
