//! Boards of tiles, rule by rule: what is a board, how it is read and written, and how the blank moves on it.
//!
//! Nothing here is random: each test fails for certain if the rule it names is
//! broken (docs/mutants.md).

use noyes_puzzle::tiles::{Board, BoardError, Direction, MAX_CELLS};

fn board(text: &str) -> Board {
    text.parse().unwrap()
}

fn error(text: &str) -> BoardError {
    text.parse::<Board>().unwrap_err()
}

#[test]
fn a_board_knows_its_size_its_tiles_and_where_each_lies() {
    let wide = board("1 2 3/4 0 5");
    assert_eq!((wide.width(), wide.height()), (3, 2));
    assert_eq!(wide.size(), "3x2");
    assert_eq!(wide.tiles(), [1, 2, 3, 4, 0, 5]);
    assert_eq!(wide.blank(), 4);
    assert_eq!(wide.places(), [4, 0, 1, 2, 3, 5]);
}

#[test]
fn the_usual_goals_have_the_blank_last_or_first() {
    assert_eq!(Board::blank_last(3, 2).to_string(), "1 2 3/4 5 0");
    assert_eq!(Board::blank_first(3, 2).to_string(), "0 1 2/3 4 5");
    assert_eq!(Board::blank_last(1, 1), Board::blank_first(1, 1));
    assert_eq!(Board::blank_last(256, 256).tiles().len(), MAX_CELLS);
    assert_eq!(Board::blank_first(MAX_CELLS, 1).width(), 65536);
}

#[test]
#[should_panic(expected = "a board has 1 to 65536 cells")]
fn a_goal_has_at_least_one_cell() {
    let _ = Board::blank_last(0, 4);
}

#[test]
#[should_panic(expected = "a board has 1 to 65536 cells")]
fn a_goal_has_at_most_as_many_cells_as_a_tile_has_numbers() {
    let _ = Board::blank_first(65537, 1);
}

#[test]
fn a_board_is_a_rectangle_with_each_tile_once() {
    let new = Board::new;
    assert_eq!(new(2, vec![1, 2, 3, 0]), Ok(board("1 2/3 0")));
    assert_eq!(new(2, vec![]), Err(BoardError::Empty));
    assert_eq!(new(0, vec![0]), Err(BoardError::Empty));
    assert_eq!(
        new(3, vec![1, 2, 3, 0]),
        Err(BoardError::Count {
            found: 4,
            width: 3,
            height: 2,
            expected: 6
        })
    );
    // The largest tile is one less than the cells.
    assert_eq!(
        new(3, vec![1, 2, 3, 4, 6, 0]),
        Err(BoardError::OutOfRange {
            tile: "6".into(),
            row: 2,
            column: 2,
            width: 3,
            height: 2,
            last: 5
        })
    );
    assert_eq!(
        new(3, vec![1, 2, 3, 4, 3, 5]),
        Err(BoardError::Duplicate {
            tile: 3,
            first: (1, 3),
            second: (2, 2),
            missing: 0
        })
    );
}

#[test]
fn a_board_has_at_most_as_many_cells_as_a_tile_has_numbers() {
    let largest: Vec<u16> = (0..=u16::MAX).collect();
    assert_eq!(Board::new(256, largest.clone()).unwrap().height(), 256);
    let larger = [&largest[..], &[0]].concat();
    assert_eq!(Board::new(65537, larger), Err(BoardError::TooLarge));
}

#[test]
fn neighbours_are_the_cells_above_left_right_and_below() {
    let wide = Board::blank_last(3, 2);
    let all = |cell: usize| Direction::ALL.map(|d| wide.neighbour(cell, d));
    // Up, left, right, down.
    assert_eq!(all(0), [None, None, Some(1), Some(3)]);
    assert_eq!(all(1), [None, Some(0), Some(2), Some(4)]);
    assert_eq!(all(2), [None, Some(1), None, Some(5)]);
    assert_eq!(all(3), [Some(0), None, Some(4), None]);
    assert_eq!(all(4), [Some(1), Some(3), Some(5), None]);
    assert_eq!(all(5), [Some(2), Some(4), None, None]);
    let tall = Board::blank_last(1, 3);
    assert_eq!(
        Direction::ALL.map(|d| tall.neighbour(1, d)),
        [Some(0), None, None, Some(2)]
    );
}

#[test]
fn a_step_swaps_the_blank_with_its_neighbour_and_nothing_at_the_border() {
    for (direction, after) in [
        (Direction::Up, "1 0 3/4 2 5/6 7 8"),
        (Direction::Left, "1 2 3/0 4 5/6 7 8"),
        (Direction::Right, "1 2 3/4 5 0/6 7 8"),
        (Direction::Down, "1 2 3/4 7 5/6 0 8"),
    ] {
        let mut now = board("1 2 3/4 0 5/6 7 8");
        assert!(now.step(direction));
        assert_eq!(now, board(after));
    }
    let mut corner = board("0 1/2 3");
    assert!(!corner.step(Direction::Up) && !corner.step(Direction::Left));
    assert_eq!(corner, board("0 1/2 3"));
}

#[test]
fn with_a_size_rows_need_no_slashes_but_must_fit_it() {
    let parse = |text: &str, width: usize, height: usize| Board::parse(text, Some((width, height)));
    let count = |found: usize, width: usize, height: usize| {
        Err(BoardError::Count {
            found,
            width,
            height,
            expected: width * height,
        })
    };
    assert_eq!(parse("1 2 3 4 5 0", 3, 2), Ok(board("1 2 3/4 5 0")));
    assert_eq!(parse("1 2 3 4 5 0", 2, 3), Ok(board("1 2/3 4/5 0")));
    assert_eq!(parse("1 2 3/4 5 0", 3, 2), Ok(board("1 2 3/4 5 0")));
    assert_eq!(parse("1 2/3 4/5 0", 3, 2), count(6, 3, 2));
    assert_eq!(parse("1 2 3 0", 3, 2), count(4, 3, 2));
    assert_eq!(parse("1 2/3 0", 2, 3), count(4, 2, 3));
    // A square number of tiles may have another size on request.
    assert_eq!(parse("1 2 3 0", 4, 1), Ok(board("1 2 3 0/")));
}

#[test]
fn without_slashes_a_board_is_square() {
    assert_eq!(board("0"), Board::blank_last(1, 1));
    assert_eq!(board("1 2 3 0"), board("1 2/3 0"));
    assert_eq!(error("1 2 0"), BoardError::NotSquare { count: 3 });
    assert_eq!(error("1 2 3 4 0"), BoardError::NotSquare { count: 5 });
    // A slash at the end makes it one row, even for a square number of tiles.
    assert_eq!((board("1 2 3 0/").width(), board("0/").width()), (4, 1));
}

#[test]
fn rows_of_different_lengths_are_refused_with_the_row() {
    let ragged = |row: usize, found: usize, expected: usize| BoardError::Ragged {
        row,
        found,
        expected,
    };
    assert_eq!(error("1 2 3/4 5/6 7 0"), ragged(2, 2, 3));
    assert_eq!(error("1 2/3 4/5 6 0"), ragged(3, 3, 2));
    assert_eq!(error("1 2/3 4//5 0"), BoardError::EmptyRow { row: 3 });
    assert_eq!(error("/1 2/3 0"), BoardError::EmptyRow { row: 1 });
    // One slash may close the last row, two do not.
    assert_eq!(board("1 2/3 0/"), board("1 2/3 0"));
    assert_eq!(error("1 2/3 0//"), BoardError::EmptyRow { row: 3 });
}

#[test]
fn a_tile_out_of_range_is_named_with_its_place() {
    let wide = |tile: &str, row: usize, column: usize| BoardError::OutOfRange {
        tile: tile.into(),
        row,
        column,
        width: 3,
        height: 2,
        last: 5,
    };
    assert_eq!(error("1 2 3/4 6 0"), wide("6", 2, 2));
    assert_eq!(error("1 2 7/4 5 0"), wide("7", 1, 3));
    assert_eq!(error("1 2 3/4 06 0"), wide("06", 2, 2)); // as it is written
    assert_eq!(error("1 2 3/65536 5 0"), wide("65536", 2, 1));
    // Twelve digits are shown, and no more.
    assert_eq!(error("1 2 0/4 5 123456789012"), wide("123456789012", 2, 3));
    assert_eq!(
        error("1 2 0/4 5 1234567890123"),
        wide("123456789012…", 2, 3)
    );
    assert_eq!(
        Board::new(1, vec![1]).unwrap_err().to_string(),
        "row 1, column 1: 1 is out of range, a 1×1 board has the blank 0 alone"
    );
    assert_eq!(
        error("1 2/4 0").to_string(),
        "row 2, column 1: 4 is out of range, a 2×2 board has the tiles 1 to 3 and the blank 0"
    );
}

#[test]
fn a_duplicate_tile_is_named_with_both_places() {
    let duplicate = |tile: u16, first, second, missing: u16| BoardError::Duplicate {
        tile,
        first,
        second,
        missing,
    };
    assert_eq!(error("1 2 3/4 2 0"), duplicate(2, (1, 2), (2, 2), 5));
    assert_eq!(error("1 2 1/4 5 3"), duplicate(1, (1, 1), (1, 3), 0));
    assert_eq!(error("_ 2 0/1 2 3"), duplicate(0, (1, 1), (1, 3), 4));
}

#[test]
fn a_board_without_a_blank_is_refused_for_that_whatever_its_shape() {
    for text in [
        "1",
        "1 2/3 4",
        "1 2 3",
        "123",
        "1 2 3 4 5 6 7 8",
        "[[1,2],[3,4]]",
    ] {
        assert_eq!(error(text), BoardError::NoBlank, "{text}");
    }
}

#[test]
fn a_symbol_that_boards_do_not_have_is_named_with_its_place() {
    let symbol = |at: usize, found: char| BoardError::Symbol { at, found };
    assert_eq!(error("x"), symbol(1, 'x'));
    assert_eq!(error("1 2/3 -1"), symbol(7, '-'));
    assert_eq!(error("1 2/3 ×"), symbol(7, '×'));
    assert_eq!(error("1\u{3000}é2/3 0"), symbol(3, 'é')); // in characters, not in bytes
}

#[test]
fn the_blank_is_zero_or_an_underscore_with_or_without_space() {
    assert_eq!(board("1 2/3_"), board("1 2/3 0"));
    assert_eq!(board("_1/2 3"), board("0 1/2 3"));
    assert_eq!(board("_"), board("0"));
}

#[test]
fn nothing_but_separators_is_no_board() {
    for text in ["", "  ", ",", "/", ", ,", "//", "\n"] {
        assert_eq!(error(text), BoardError::Empty, "{text:?}");
    }
}

#[test]
fn a_text_of_more_cells_than_a_board_has_is_refused_while_it_is_read() {
    // As many as fit are read to the end and refused only then.
    let most = |separator: &str| "0".to_string() + &format!("{separator}0").repeat(MAX_CELLS - 1);
    for text in [most(" "), most("/"), "_".repeat(MAX_CELLS)] {
        assert!(matches!(error(&text), BoardError::Duplicate { .. }));
    }
    for text in [
        most(" ") + " 0",
        most("/") + "/0",
        "_".repeat(MAX_CELLS + 1),
    ] {
        assert_eq!(error(&text), BoardError::TooLarge);
    }
    // The same goes for rows, even empty ones.
    assert_eq!(error(&"/".repeat(MAX_CELLS)), BoardError::Empty);
    assert_eq!(error(&"/".repeat(MAX_CELLS + 1)), BoardError::TooLarge);
}

#[test]
fn a_single_row_is_written_with_a_slash_at_its_end() {
    for text in ["0", "1 0/", "1/0", "1 2/3 0", "1 2 3/4 5 0", "1 2/3 4/5 0"] {
        assert_eq!(board(text).to_string(), text);
    }
}
