//! The forms in which people write boards: each reads as the board it was made from, and none reads as another board.

use noyes_puzzle::tiles::{Board, BoardError, is_board_text};
use proptest::prelude::*;

fn board(text: &str) -> Board {
    text.parse()
        .unwrap_or_else(|error| panic!("{text:?}: {error}"))
}

fn error(text: &str) -> String {
    text.parse::<Board>().unwrap_err().to_string()
}

/// Any board of up to 5 by 5 cells.
fn boards() -> impl Strategy<Value = Board> {
    (1usize..=5, 1usize..=5).prop_flat_map(|(width, height)| {
        let tiles: Vec<u16> = (0..(width * height) as u16).collect();
        let shuffled = Just(tiles).prop_shuffle();
        shuffled.prop_map(move |tiles| Board::new(width, tiles).unwrap())
    })
}

/// The rows of a board as words, with this word for the blank.
fn rows(board: &Board, blank: &str) -> Vec<Vec<String>> {
    let word = |&tile: &u16| match tile {
        0 => blank.to_string(),
        tile => tile.to_string(),
    };
    let rows = board.tiles().chunks(board.width());
    rows.map(|row| row.iter().map(word).collect()).collect()
}

/// Rows joined by one text, their tiles by another, and something around each row and around the whole.
fn joined(
    rows: &[Vec<String>],
    around: [&str; 4],
    between_tiles: &str,
    between_rows: &str,
) -> String {
    let [open, first, last, close] = around;
    let rows = rows
        .iter()
        .map(|row| format!("{first}{}{last}", row.join(between_tiles)));
    format!(
        "{open}{}{close}",
        rows.collect::<Vec<_>>().join(between_rows)
    )
}

proptest! {
    #[test]
    fn every_form_reads_as_the_same_board(board in boards()) {
        let (plain, none) = (["", "", "", ""], ["", "", "", "/"]);
        for blank in ["0", "_", ".", "x", "X"] {
            if board.tiles().len() == 1 && !"0_".contains(blank) {
                continue; // a dot or a letter alone is no board
            }
            let rows = rows(&board, blank);
            let mut forms = vec![
                joined(&rows, none, " ", "/"),
                joined(&rows, none, ",", "/"),
                joined(&rows, none, " ", "/\n"),
                joined(&rows, ["[", "[", "]", "]"], ",", ","),
                joined(&rows, ["[", "[", "]", "]\n"], ", ", ",\n "),
                joined(&rows, ["[", "[", "]", "]"], " ", "\n "),
                joined(&rows, ["(", "(", ")", ")"], ", ", ", "),
                joined(&rows, ["{", "{", "}", "};"], ", ", ", "),
                joined(&rows, ["[\n", "  [\n    ", "\n  ]", "\n]\n"], ",\n    ", ",\n"),
            ];
            if board.height() > 1 {
                forms.extend([
                    joined(&rows, plain, ",", ";"),
                    joined(&rows, ["[", "", "", "]"], " ", "; "),
                    joined(&rows, ["[", "", "", "];"], " ", ";\n"),
                    joined(&rows, plain, " ", "\n"),
                    joined(&rows, plain, "\t", "\r\n"),
                    joined(&rows, ["\n", "  ", "  ", "\n\n"], "   ", "\n\n"),
                    joined(&rows, ["", "[", "]", ""], ", ", "\n"),
                    joined(&rows, ["", "{", "}", ""], ",", ","),
                ]);
            }
            if board.height() > 1 && board.width() > 1 {
                forms.push(joined(&rows, plain, " ", "|"));
            }
            if board.height() == board.width() {
                forms.push(joined(&rows, plain, " ", " "));
                forms.push(joined(&rows, ["[", "", "", "]"], ", ", ",\n "));
            }
            for text in forms {
                if ["./", "x/", "X/"].iter().any(|path| text.starts_with(path)) {
                    continue; // a path
                }
                prop_assert_eq!(text.parse::<Board>(), Ok(board.clone()), "{:?}", text);
                prop_assert!(is_board_text(&text), "{:?}", text);
            }
        }
    }

    #[test]
    fn digits_need_no_separators_while_every_tile_has_one(board in boards()) {
        let size = (board.width(), board.height());
        for blank in ["0", "_"] {
            let rows = rows(&board, blank);
            let slashes = joined(&rows, ["", "", "", "/"], "", "/");
            let nothing = joined(&rows, [""; 4], "", "");
            if board.tiles().len() <= 10 {
                prop_assert_eq!(slashes.parse::<Board>(), Ok(board.clone()));
                prop_assert_eq!(Board::parse(&nothing, Some(size)), Ok(board.clone()));
            } else if board.width() > 1 {
                prop_assert_ne!(slashes.parse::<Board>(), Ok(board.clone()));
                prop_assert!(Board::parse(&nothing, Some(size)).is_err());
            }
        }
    }

    #[test]
    fn the_one_empty_place_is_the_blank(board in boards()) {
        prop_assume!(board.width() > 1 && board.height() > 1);
        let rows = rows(&board, "");
        for (tiles, ends) in [(",", "\n"), (",", "/"), ("\t", "\n"), (", ", ";")] {
            let text = joined(&rows, [""; 4], tiles, ends);
            prop_assert_eq!(text.parse::<Board>(), Ok(board.clone()), "{:?}", text);
        }
        let text = joined(&rows, ["[", "[", "]", "]"], ",", ",");
        prop_assert_eq!(text.parse::<Board>(), Ok(board.clone()), "{:?}", text);
    }

    #[test]
    fn nothing_that_is_read_has_a_second_reading(text in "[0-9 /,;|.x_\\[\\](){}\t\n]{0,40}") {
        if let Ok(board) = text.parse::<Board>() {
            prop_assert!(is_board_text(&text));
            prop_assert_eq!(&board.to_string().parse::<Board>().unwrap(), &board);
            let size = Some((board.width(), board.height()));
            prop_assert_eq!(Board::parse(&text, size), Ok(board));
        }
    }
}

#[test]
fn what_people_paste() {
    let eight = board("1 2 3/4 5 6/7 8 0");
    for text in [
        "123456780",
        "12345678_",
        "123/456/780",
        "123\n456\n780",
        "[[1,2,3],[4,5,6],[7,8,0]]",
        "[1,2,3,4,5,6,7,8,0]",
        "[1, 2, 3,\n 4, 5, 6,\n 7, 8, 0]",
        "[[1 2 3]\n [4 5 6]\n [7 8 0]]",
        "[1, 2, 3]\n[4, 5, 6]\n[7, 8, 0]\n",
        "((1, 2, 3), (4, 5, 6), (7, 8, 0))",
        "{{1,2,3},{4,5,6},{7,8,0}}",
        "[1 2 3; 4 5 6; 7 8 0];",
        "1,2,3;4,5,6;7,8,0",
        "1 2 3|4 5 6|7 8 0",
        "1 2 3\n4 5 6\n7 8 .",
        "1\t2\t3\n4\t5\t6\n7\t8\t",
        "1,2,3,4,5,6,7,8,",
        "[[1, 2, 3], [4, 5, 6], [7, 8, 0],]",
    ] {
        assert_eq!(board(text), eight, "{text:?}");
        assert!(is_board_text(text), "{text:?}");
    }
    assert_eq!(board("[[1,2],[3,0]]"), board("1 2/3 0"));
    assert_eq!(board("[[1,2,0]]"), board("1 2 0/"));
    assert_eq!(
        Board::parse("123450", Some((3, 2))),
        Ok(board("1 2 3/4 5 0"))
    );
    assert_eq!(
        Board::parse("1234567890", Some((5, 2))),
        Ok(board("1 2 3 4 5/6 7 8 9 0"))
    );
}

#[test]
fn what_could_mean_two_things_is_refused() {
    assert!(error("1234567891011121314150").contains("unclear where one tile ends"));
    assert!(error("1|2|3|0").starts_with("character 2: '|'"));
    assert!(error("1 | 2 | 3\n4 | 5 | 6\n7 | 8 | 0").starts_with("character 3: '|'"));
    assert!(error("1.2/3.0").starts_with("character 2: '.'"));
    assert!(error("1x23").starts_with("character 2: 'x'"));
    assert!(error("[[1,2],[3,0]").starts_with("character 1: this [ is never closed"));
    assert!(error("[1,2)").starts_with("character 5: ')'"));
    assert!(error("[[[1,0]]]").starts_with("character 3: '['"));
    assert!(error("1 2 [3 0]").starts_with("character 5: '['"));
    // Two empty places: either might be the blank.
    assert_eq!("1,,2,,3".parse::<Board>(), Err(BoardError::NoBlank));
    // One empty place, but the blank is elsewhere: then it is only a comma too many.
    assert_eq!(board("1,,2,3,0"), board("1 2/3 0"));
}

#[test]
fn file_names_are_no_boards() {
    for name in [
        "-",
        ".",
        "..",
        "x",
        "3x3",
        "1.2",
        "1.txt",
        "boards.txt",
        "./123",
        "[abc]",
        "5#|#@$.#|5#",
        "1 2 3.txt",
        "...",
    ] {
        assert!(!is_board_text(name), "{name}");
    }
}
