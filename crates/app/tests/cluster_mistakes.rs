//! Many machines, when people get something wrong: the server is narrow or strict, runs are mixed up, files are changed.

use std::fs;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use nkeys::KeyPair;

use crate::common::nats::{Nats, answers, puzzles, wait};
use crate::common::{command, json, noyes};

/// The number of items in the queue, and of stored results and states.
fn stored(url: &str) -> (u64, u64) {
    let status = noyes(&["cluster", "status", "--json", "--nats", url]);
    let status = json(&status.out);
    (
        status["queued"].as_u64().unwrap(),
        status["kept"].as_u64().unwrap(),
    )
}

/// Waits until this is in the queue and stored.
fn until(url: &str, holds: impl Fn(u64, u64) -> bool) {
    poll(url, holds, || ());
}

/// The same for what a client has to send, which must not end before.
fn until_client(client: &mut Child, url: &str, holds: impl Fn(u64, u64) -> bool) {
    poll(url, holds, || {
        if let Some(status) = client.try_wait().unwrap() {
            let mut said = String::new();
            let err = client.stderr.as_mut().expect("a pipe");
            err.read_to_string(&mut said).unwrap();
            panic!("the client ended: {status}, {said}");
        }
    });
}

fn poll(url: &str, holds: impl Fn(u64, u64) -> bool, mut check: impl FnMut()) {
    let begun = Instant::now();
    loop {
        let (queued, kept) = stored(url);
        if holds(queued, kept) {
            return;
        }
        check();
        assert!(
            begun.elapsed() < Duration::from_secs(60),
            "{queued} queued, {kept} kept"
        );
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn the_permissions_in_the_documents_are_enough() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/cluster.md");
    let text = fs::read_to_string(path).unwrap();
    let (_, list) = text.split_once("clients and workers need").unwrap();
    let (list, _) = list.split_once(". ").unwrap();
    let subjects: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    let config = format!(
        "authorization {{ users = [ {{ user: noyes, password: pw, permissions: {{ publish: {subjects:?}, subscribe: {subjects:?} }} }} ] }}\nlog_file: \"FOLDER/log\""
    );
    let Some(nats) = Nats::start_with(&config) else {
        return;
    };
    let url = nats.url();
    let login = ["--nats", &url, "--nats-user", "noyes"];
    let run = |args: &[&str]| {
        let mut run = command(&[args, &login].concat());
        wait(run.env("NOYES_NATS_PASSWORD", "pw").spawn().unwrap())
    };
    let (ours, theirs) = (nats.path("ours"), nats.path("theirs"));
    let pdb = ["pdb", "build", "4-4-3", "--size", "4x3", "--pdb-dir"];
    let built = run(&[&pdb[..], &[ours.to_str().unwrap()]].concat());
    assert_eq!(built.code, 0, "{}", built.err);
    let args = ["worker", "--threads", "1", "--pdb-dir"];
    let mut worker = command(&[&args[..], &[theirs.to_str().unwrap()], &login].concat())
        .env("NOYES_NATS_PASSWORD", "pw")
        .spawn()
        .unwrap();
    let search = ["--engine", "idastar", "--heuristic", "pdb:4-4-3"];
    let solved = run(&[&["solve", "11 10 9 8/7 6 5 4/3 1 2 0"][..], &search].concat());
    assert_eq!(solved.code, 0, "{}", solved.err);
    assert_eq!(run(&["cluster", "status"]).code, 0);
    worker.kill().unwrap();
    worker.wait().unwrap();
    let log = fs::read_to_string(nats.path("log")).unwrap();
    assert!(!log.contains("Violation"), "{log}");
}

/// A JSON web token of NATS, signed by its issuer.
fn token(issuer: &KeyPair, subject: &KeyPair, kind: &str, more: &str) -> String {
    let (issuer_key, subject) = (issuer.public_key(), subject.public_key());
    let head = URL_SAFE_NO_PAD.encode(r#"{"typ":"JWT","alg":"ed25519-nkey"}"#);
    let body = URL_SAFE_NO_PAD.encode(format!(
        r#"{{"jti":"1","iat":1,"iss":"{issuer_key}","name":"{kind}","sub":"{subject}","nats":{{"type":"{kind}","version":2{more}}}}}"#
    ));
    let text = format!("{head}.{body}");
    let signature = issuer.sign(text.as_bytes()).unwrap();
    format!("{text}.{}", URL_SAFE_NO_PAD.encode(signature))
}

#[test]
fn keys_and_tokens_log_in() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_string()
    };
    let status = |nats: &Nats, flags: &[&str]| {
        noyes(&[&["cluster", "status", "--nats", &nats.url()], flags].concat())
    };
    let (user, other) = (KeyPair::new_user(), KeyPair::new_user());
    // 1. The seed of a key.
    let seed = file("seed", &user.seed().unwrap());
    let config = format!(
        "authorization {{ users = [ {{ nkey: {} }} ] }}",
        user.public_key()
    );
    let Some(nats) = Nats::start_with(&config) else {
        return;
    };
    let run = status(&nats, &["--nats-nkey", &seed]);
    assert_eq!(run.code, 0, "{}", run.err);
    let wrong = file("wrong", &other.seed().unwrap());
    assert_eq!(status(&nats, &["--nats-nkey", &wrong]).code, 2);
    assert_eq!(status(&nats, &[]).code, 2);
    // 2. A token with its key.
    let operator = KeyPair::new_operator();
    let (account, system) = (KeyPair::new_account(), KeyPair::new_account());
    let storage = |bytes| {
        format!(
            r#","limits":{{"subs":-1,"data":-1,"payload":-1,"imports":-1,"exports":-1,"wildcards":true,"conn":-1,"leaf":-1,"mem_storage":{bytes},"disk_storage":{bytes},"streams":-1,"consumer":-1}}"#
        )
    };
    let config = format!(
        "operator: {}\nresolver: MEMORY\nsystem_account: {}\nresolver_preload: {{ {}: {}, {}: {} }}",
        token(&operator, &operator, "operator", ""),
        system.public_key(),
        account.public_key(),
        token(&operator, &account, "account", &storage(-1)),
        system.public_key(),
        token(&operator, &system, "account", &storage(0)),
    );
    let Some(nats) = Nats::start_with(&config) else {
        return;
    };
    let credentials = |issuer: &KeyPair| {
        let jwt = token(
            issuer,
            &user,
            "user",
            r#","subs":-1,"data":-1,"payload":-1"#,
        );
        let (begin, end, seed) = ("-----BEGIN", "------END", user.seed().unwrap());
        format!(
            "{begin} NATS USER JWT-----\n{jwt}\n{end} NATS USER JWT------\n\n{begin} USER NKEY SEED-----\n{seed}\n{end} USER NKEY SEED------\n"
        )
    };
    let right = file("right.creds", &credentials(&account));
    let run = status(&nats, &["--nats-creds", &right]);
    assert_eq!(run.code, 0, "{}", run.err);
    let wrong = file("wrong.creds", &credentials(&KeyPair::new_account()));
    assert_eq!(status(&nats, &["--nats-creds", &wrong]).code, 2);
    assert_eq!(status(&nats, &[]).code, 2);
}

#[test]
fn a_server_with_small_messages_gets_small_items() {
    let Some(nats) = Nats::start_with("max_payload: 2048") else {
        return;
    };
    let _workers = [nats.worker(), nats.worker()];
    let boards = puzzles(nats.folder.path(), 400);
    let boards = boards.to_str().unwrap();
    let expected = answers(&noyes(&["solve", boards, "--json"]).out);
    let url = nats.url();
    let run = noyes(&["solve", boards, "--json", "--nats", &url]);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(answers(&run.out), expected);
    // A puzzle that does not fit is an error, and the next one is answered.
    let board = "1 2 3/4 0 6/7 5 8";
    let level = format!("5#|#@$.#|#3-#|{}5#", "#3-#|".repeat(500));
    let run = noyes(&["solve", &level, board, "--json", "--nats", &url]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("a message at most"), "{}", run.err);
    assert_eq!(run.out.lines().count(), 2, "{}", run.out);
}

#[test]
fn a_run_is_not_continued_with_other_puzzles() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let path = nats.path("boards");
    let write = |seed: &str| {
        let made = noyes(&["generate", "3x3", "-n", "10", "--seed", seed]);
        fs::write(&path, made.out).unwrap();
    };
    write("1");
    let args = ["solve", path.to_str().unwrap(), "--json", "--nats", &url];
    let args = [&args[..], &["--attach", "changed"]].concat();
    let mut client = command(&args).spawn().unwrap();
    until(&url, |queued, _| queued == 10);
    client.kill().unwrap();
    client.wait().unwrap();
    let _worker = nats.worker();
    until(&url, |queued, kept| (queued, kept) == (0, 11)); // with the state
    write("2");
    let run = noyes(&args);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("expected the same puzzles"), "{}", run.err);
    assert!(!run.err.contains("report"), "{}", run.err);
    until(&url, |queued, kept| (queued, kept) == (0, 11)); // nothing was sent
    // With the old file it goes on.
    write("1");
    let run = noyes(&args);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(run.out.lines().count(), 10);
}

#[test]
fn another_command_takes_nothing_from_the_queue_of_a_run() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let boards = puzzles(nats.folder.path(), 10);
    let attach = ["--nats", &url, "--attach", "mine"];
    let args = [&["solve", boards.to_str().unwrap()][..], &attach].concat();
    let mut client = command(&args).spawn().unwrap();
    until_client(&mut client, &url, |queued, _| queued == 10);
    let other = ["solve", "1 2 3/4 0 6/7 5 8", "3 1 2/4 0 6/7 5 8"];
    let run = noyes(&[&other[..], &attach].concat());
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("another command"), "{}", run.err);
    assert_eq!(stored(&url).0, 10);
    client.kill().unwrap();
    client.wait().unwrap();
}

#[test]
fn programs_that_begin_at_once_share_a_fresh_server() {
    for _ in 0..5 {
        let Some(nats) = Nats::start() else { return };
        let url = nats.url();
        let status = ["cluster", "status", "--json", "--nats", &url];
        let all: Vec<Child> = (0..6).map(|_| command(&status).spawn().unwrap()).collect();
        for program in all {
            let done = program.wait_with_output().unwrap();
            let said = String::from_utf8(done.stderr).unwrap();
            assert_eq!((done.status.code(), said.as_str()), (Some(0), ""));
        }
    }
}

#[test]
fn a_board_that_is_continued_goes_on_at_once() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let board = "1 2 12 6 16/10 17 21 18 7/13 23 0 19 3/20 15 5 22 9/14 4 8 11 24";
    let search = [
        "solve",
        board,
        "--goal",
        "blank-first",
        "--engine",
        "idastar",
        "--heuristic",
        "pdb:3-3-3-3-3-3-3-3",
        "--attach",
        "tree",
        "--nats",
        &url,
    ];
    let mut client = command(&search).spawn().unwrap();
    until(&url, |queued, _| queued == 1);
    client.kill().unwrap();
    client.wait().unwrap();
    // The new client's item has the same name as the old one's, but is not a duplicate of it.
    let mut client = command(&search).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(2));
    until(&url, |queued, _| queued == 1);
    client.kill().unwrap();
    client.wait().unwrap();
    let _worker = nats.worker();
    let run = noyes(&search);
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(!run.err.contains("without a result"), "{}", run.err);
}

#[test]
fn suites_of_the_same_name_have_runs_of_their_own() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let suite = |folder: &str, size: &str| {
        let folder = nats.path(folder);
        fs::create_dir(&folder).unwrap();
        let text = format!(
            r#"
title = "Small"
about = "A few boards."
time-limit = "20s"

[[instances]]
name = "random"
generate = "{size} -n 3 --seed 1"

[[configurations]]
name = "astar"
command = "solve --engine astar"
"#
        );
        fs::write(folder.join("small.toml"), text).unwrap();
        folder
    };
    let (first, second) = (suite("first", "3x3"), suite("second", "3x2"));
    let bench = |folder: &Path| {
        let (suite, out) = (folder.join("small.toml"), folder.join("results"));
        let args = ["bench", "run", suite.to_str().unwrap(), "--nats", &url];
        command(&[&args[..], &["-o", out.to_str().unwrap()]].concat())
    };
    let commands = |folder: &Path| {
        let lines = fs::read_to_string(folder.join("results/small.full.workers.jsonl")).unwrap();
        lines
            .lines()
            .map(|line| json(line)["command"].as_str().unwrap().to_string())
            .collect::<Vec<String>>()
    };
    // Workers make the runs of a command that is gone.
    let mut client = bench(&first).spawn().unwrap();
    until(&url, |queued, _| queued == 3);
    client.kill().unwrap();
    client.wait().unwrap();
    let _worker = nats.worker();
    until(&url, |queued, kept| (queued, kept) == (0, 3));
    let run = wait(bench(&second).spawn().unwrap());
    assert_eq!(run.code, 0, "{}", run.err);
    let made = commands(&second);
    assert!(made.iter().all(|one| !one.contains('8')), "{made:?}");
    // They are still there for the same command.
    assert_eq!(stored(&url), (0, 3));
    let run = wait(bench(&first).spawn().unwrap());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(commands(&first).iter().all(|one| one.contains('8')));
    assert_eq!(stored(&url), (0, 0));
}

#[test]
fn a_run_of_a_benchmark_that_nobody_wants_is_stopped() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let text = r#"
title = "Slow"
about = "Takes minutes."
time-limit = "10m"
memory-limit = "1GB"

[[instances]]
name = "hard"
generate = "4x4 -n 1 --seed 1"

[[configurations]]
name = "iddfs"
command = "solve --engine iddfs"
"#;
    let suite = nats.path("slow.toml");
    fs::write(&suite, text).unwrap();
    let out = nats.path("results");
    let (suite, out) = (suite.to_str().unwrap(), out.to_str().unwrap());
    let args = ["bench", "run", suite, "-o", out, "--nats", &url];
    let busy = |busy: u64| {
        let begun = Instant::now();
        loop {
            let status = noyes(&["cluster", "status", "--json", "--nats", &url]);
            let status = json(&status.out);
            if status["workers"][0]["busy"] == busy {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{status}");
            std::thread::sleep(Duration::from_millis(50));
        }
    };
    let signal = |name: &str, process: &Child| {
        let id = process.id().to_string();
        let sent = Command::new("kill").args([name, &id]).status();
        assert!(sent.unwrap().success());
    };
    let mut client = command(&args).spawn().unwrap();
    // A worker that is asked to stop returns the run to the queue, and another one gets it.
    let mut first = nats.worker_with(&["--grace", "100ms"]);
    busy(1);
    signal("-TERM", &first.0);
    assert!(first.0.wait().unwrap().success());
    assert_eq!(stored(&url).0, 1);
    let mut second = nats.worker();
    busy(1);
    // Ctrl-C at the client stops it there.
    signal("-INT", &client);
    assert_eq!(client.wait().unwrap().code(), Some(130));
    assert_eq!(busy(0)["workers"][0]["done"], 0);
    second.kill();
    // A worker makes no run that may take more than it allows.
    for (limit, flag) in [("9m", "--time-limit"), ("900MB", "--memory-limit")] {
        let _worker = nats.worker_with(&[flag, limit]);
        let run = noyes(&args);
        assert_eq!(run.code, 1, "{}", run.err);
        let said = run.err.contains("this worker allows") && run.err.contains(flag);
        assert!(said, "{}", run.err);
    }
}

#[test]
fn tables_are_not_built_for_a_server_that_cannot_be_reached() {
    let folder = tempfile::tempdir().unwrap();
    let tables = folder.path().join("tables");
    let pdb = ["pdb", "build", "3-3-2", "--size", "3x3", "--pdb-dir"];
    let nats = [tables.to_str().unwrap(), "--nats", "nats://127.0.0.1:1"];
    let run = noyes(&[&pdb[..], &nats].concat());
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("cannot connect"), "{}", run.err);
    assert!(!tables.exists());
}
