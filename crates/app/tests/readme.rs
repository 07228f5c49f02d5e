//! The examples in the README show what the program prints.

use std::path::Path;
use std::process::Command;

/// Marks commands that only some machines can run, that wait for keys, or that print times or paths.
const LEFT_OUT: [&str; 9] = [
    "kissat",
    "decode",
    " > ",
    " -o ",
    " -v",
    "noyes pdb",
    "noyes show",
    "noyes play",
    "noyes serve",
];

/// The commands of the README that run anywhere, each with the output shown below it.
fn examples(readme: &str) -> Vec<(String, String)> {
    let mut examples: Vec<(String, String)> = vec![];
    let mut is_console = false;
    for line in readme.lines() {
        if line.starts_with("```") {
            is_console = line == "```console";
        } else if let Some(command) = line.strip_prefix("$ ").filter(|_| is_console) {
            examples.push((command.into(), String::new()));
        } else if is_console && let Some((_, shown)) = examples.last_mut() {
            shown.push_str(line);
            shown.push('\n');
        }
    }
    examples.retain(|(command, shown)| {
        command.starts_with("noyes ")
            && !shown.trim().is_empty()
            && !LEFT_OUT.iter().any(|left_out| command.contains(left_out))
    });
    examples
}

/// A text with all whitespace reduced to single spaces.
fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_examples_print_what_is_shown() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = ["README.md", "docs/guide.md"]
        .map(|name| std::fs::read_to_string(root.join(name)).unwrap())
        .concat();
    let examples = examples(&readme);
    assert!(examples.len() > 10, "{examples:?}");
    let program = format!("'{}' ", env!("CARGO_BIN_EXE_noyes"));
    for (command, shown) in examples {
        let typed = command.replacen("noyes ", &program, 1);
        let output = Command::new("sh")
            .args(["-c", &typed])
            .current_dir(&root)
            .output()
            .unwrap();
        let printed = String::from_utf8(output.stdout).unwrap();
        let (shown, printed) = (words(&shown), words(&printed));
        match shown.strip_suffix(" ...") {
            Some(beginning) => assert!(printed.starts_with(beginning), "{command}\n{printed}"),
            None => assert_eq!(printed, shown, "{command}"),
        }
    }
}

#[test]
fn the_shell_function_of_the_rest_page_passes_all_its_arguments_on() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let page = std::fs::read_to_string(root.join("docs/rest.md")).unwrap();
    let function = page.lines().find_map(|line| line.strip_prefix("$ post() "));
    let function = function.expect("the page defines it");
    // In place of curl, something that prints its arguments.
    let script = format!(
        "curl() {{ printf '%s\\n' \"$@\"; }}\npost() {function}\npost solve '{{\"puzzle\": \"1 0/\"}}' -i --max-time 9"
    );
    let output = Command::new("sh").args(["-c", &script]).output().unwrap();
    let said = String::from_utf8(output.stdout).unwrap();
    let words: Vec<&str> = said.lines().collect();
    assert!(
        words.ends_with(&["-d", "{\"puzzle\": \"1 0/\"}", "-i", "--max-time", "9"]),
        "{said}"
    );
    assert!(said.contains("/api/v1/solve\n"), "{said}");
}

/// The README's first command names no program, so the workspace must have one by default.
#[test]
fn cargo_run_runs_noyes() {
    let manifest = include_str!("../../../Cargo.toml");
    let expected = "default-members = [\"crates/app\"]";
    assert!(manifest.lines().any(|line| line == expected));
}
