//! Tables in files: believed only with a known hash, and refused if a value is wrong.

use std::fs;

use noyes_check::{Pattern, Store};

#[test]
fn a_table_with_one_value_raised_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let pattern = Pattern {
        width: 4,
        height: 4,
        goals: vec![1, 4, 5, 8, 9],
        blank: 0,
    };
    let table = |computed: usize| {
        let mut store = Store::new(Some(folder.path()), 2);
        let table = store.table(&pattern).map(|table| table.values().to_vec());
        assert!(table.is_err() || store.computed == computed);
        table
    };
    let values = table(1).unwrap();
    assert_eq!(table(0).unwrap(), values, "read, not computed");
    let file = |end: &str| {
        let entries = fs::read_dir(folder.path()).unwrap();
        let mut paths = entries.map(|entry| entry.unwrap().path());
        paths
            .find(|path| path.to_str().unwrap().ends_with(end))
            .unwrap()
    };
    // Without its hash, the file is compared with a new computation, and is right.
    fs::remove_file(file(".txt")).unwrap();
    assert_eq!(table(1).unwrap(), values);
    // With one value raised, it has another hash, and is wrong.
    let mut raised = values.clone();
    let at = raised.iter().position(|&value| value == 1).unwrap();
    raised[at] += 1;
    fs::write(file(".table"), &raised).unwrap();
    let refusal = table(1).unwrap_err().to_string();
    let said = format!("tables: the file has 2 as value {at}, but it is 1");
    assert!(refusal.starts_with(&said), "{refusal}");
    // A file of another length is no table; it is computed and written again.
    fs::write(file(".table"), &values[1..]).unwrap();
    assert_eq!(table(1).unwrap(), values);
    assert_eq!(fs::read(file(".table")).unwrap(), values);
}
