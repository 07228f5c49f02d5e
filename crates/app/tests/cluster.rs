//! Many machines, with a real NATS server: workers, clients and the server itself are killed on the way.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::time::{Duration, Instant};

use async_nats::jetstream::{self, AckKind};
use futures_util::StreamExt;

use crate::common::http::Server;
use crate::common::nats::{Nats, Worker, answers, puzzles, skip, wait};
use crate::common::relay::Relay;
use crate::common::{Run, command, json, noyes};

#[test]
fn workers_answer_as_the_program_itself_does() {
    let Some(nats) = Nats::start() else { return };
    let _workers = [nats.worker(), nats.worker()];
    let boards = puzzles(nats.folder.path(), 60);
    let args = [
        "solve",
        boards.to_str().unwrap(),
        "2 1 3/4 5 6/7 8 0", // unsolvable
        "1 2 3/4 0 6/7 5 5", // not a board
        "7#|#@-$-.#|7#",
        "1 2 3 4/5 6 7 8/9 10 11 12/13 15 14 0",
        "--json",
    ];
    let here = noyes(&args);
    let there = noyes(&[&args[..], &["--nats", &nats.url()]].concat());
    assert_eq!(there.code, here.code, "{}", there.err);
    assert_eq!(answers(&there.out), answers(&here.out));
    assert_eq!(here.out.lines().count(), 64);
    // In words, and one puzzle alone.
    let args = ["solve", "8 6 7/2 5 4/3 0 1", "--nats", &nats.url(), "-q"];
    let run = noyes(&args);
    assert!(
        run.out.starts_with("31 moves, optimal\nplan"),
        "{}",
        run.out
    );
    assert_eq!(run.err, "");
    // Nothing is left on the server.
    let status = noyes(&["cluster", "status", "--json", "--nats", &nats.url()]);
    let status = json(&status.out);
    assert_eq!(status["workers"].as_array().unwrap().len(), 2);
    assert_eq!((&status["queued"], &status["kept"]), (&0.into(), &0.into()));
}

#[test]
fn one_board_is_searched_by_all_workers() {
    let Some(nats) = Nats::start() else { return };
    let _workers = [nats.worker(), nats.worker()];
    let search = [
        "solve",
        BOARD,
        "--goal",
        "blank-first",
        "--engine",
        "idastar",
        "--heuristic",
        "pdb:3-3-3-3-3-3-3-3",
        "--json",
    ];
    let here = json(&noyes(&search).out);
    // The client is killed after a part has left a rest, and some of the rest is searched.
    let url = nats.url();
    let remote = [&search[..], &["--nats", &url, "--attach", "tree"]].concat();
    let mut client = None;
    let begin = || client = Some(command(&remote).spawn().unwrap());
    until_result(&url, begin, |_, item| {
        item.rsplit('-').next().is_some_and(|name| name.len() == 24)
    });
    let mut client = client.unwrap();
    client.kill().unwrap();
    client.wait().unwrap();
    let there = noyes(&remote);
    assert_eq!(there.code, 0, "{}", there.err);
    let there = json(&there.out);
    for field in ["status", "cost", "engine", "heuristic"] {
        assert_eq!(there[field], here[field], "{field}");
    }
    assert!(there["expanded"].as_u64() > Some(1000));
    // A limit ends it with its bounds.
    let run = noyes(&[&search[..], &["--nats", &nats.url(), "--time-limit", "1ms"]].concat());
    assert_eq!(run.code, 3, "{}", run.out);
    assert_eq!(json(&run.out)["stop"], "time");
}

/// Takes seconds with small tables. Some of its parts leave a rest.
const BOARD: &str = "1 2 12 6 16/10 17 21 18 7/13 23 0 19 3/20 15 5 22 9/14 4 8 11 24";
/// How long a worker may be silent before its items are handed out again.
const LEASE: Duration = Duration::from_secs(10);

/// Waits until a result of such an item of such a run is stored, after something has begun.
fn until_result(url: &str, begin: impl FnOnce(), is_it: impl Fn(&str, &str) -> bool) {
    let wait = async {
        let client = async_nats::connect(url).await.unwrap();
        let mut results = client.subscribe("noyes.kept.>").await.unwrap();
        client.flush().await.unwrap();
        begin();
        loop {
            // Only a hang takes this long.
            let next = tokio::time::timeout(Duration::from_secs(120), results.next());
            let result = next.await.expect("a result").unwrap();
            let mut words = result.subject.rsplit('.');
            let (item, run) = (words.next().unwrap(), words.next().unwrap());
            if is_it(run, item) {
                return;
            }
        }
    };
    tokio::runtime::Runtime::new().unwrap().block_on(wait);
}

/// Waits until something holds.
fn until(holds: impl Fn() -> bool) {
    let begun = Instant::now();
    while !holds() {
        // Only a hang takes this long.
        assert!(begun.elapsed() < Duration::from_secs(120), "never");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn nothing_is_lost_or_doubled_when_workers_client_and_server_are_killed() {
    let Some(mut nats) = Nats::start() else {
        return;
    };
    let boards = puzzles(nats.folder.path(), 700);
    // Slow enough for all the kills below.
    let args = [
        "solve",
        boards.to_str().unwrap(),
        "--engine",
        "bfs",
        "--json",
    ];
    let expected = answers(&noyes(&["solve", boards.to_str().unwrap(), "--json"]).out);
    let url = nats.url();
    let remote = [&args[..], &["--nats", &url, "--attach", "kills"]].concat();
    let mut workers = [nats.worker(), nats.worker()];
    // 1. The client is killed; what it has printed is right.
    for _ in 0..2 {
        let mut client = command(&remote).spawn().unwrap();
        std::thread::sleep(Duration::from_millis(1500));
        client.kill().unwrap();
        let run = wait(client);
        let printed: Vec<&str> = run.out.lines().collect();
        let whole = printed.len().saturating_sub(1); // the last line may be cut off
        assert_eq!(
            answers(&printed[..whole].join("\n")),
            expected[..whole],
            "{}",
            run.err
        );
    }
    // 2. Workers and the server are killed while it goes on.
    let client = command(&remote).spawn().unwrap();
    for round in 0..3 {
        std::thread::sleep(Duration::from_millis(400));
        workers[round % 2].kill();
        if round == 1 {
            nats.restart();
        }
        workers[round % 2] = nats.worker();
    }
    let run = wait(client);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(answers(&run.out), expected);
    // 3. Another command does not take the run for its own.
    let remote = [&args[..], &["--nats", &url, "--attach", "taken"]].concat();
    let mut client = command(&remote).spawn().unwrap();
    let status = ["cluster", "status", "--nats", &url];
    until(|| noyes(&status).out.contains("taken"));
    client.kill().unwrap();
    wait(client);
    let other = ["solve", "1 2 3/4 0 6/7 5 8", "3 1 2/4 0 6/7 5 8"];
    let run = noyes(&[&other[..], &["--nats", &url, "--attach", "taken"]].concat());
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("another command"), "{}", run.err);
    let cancelled = noyes(&["cluster", "cancel", "taken", "--nats", &url]);
    assert_eq!(cancelled.code, 0, "{}", cancelled.err);
    // A result of a slow worker may come later still.
    let cancel = || noyes(&["cluster", "cancel", "taken", "--nats", &url]);
    until(|| cancel().code == 2);
    let again = cancel();
    assert!(again.err.contains("no such run"), "{}", again.err);
    // 4. A run that is not there begins anew, and says so.
    let run = noyes(&[&other[..], &["--nats", &url, "--attach", "taken"]].concat());
    assert_eq!(run.code, 0, "{}", run.err);
    assert!(run.err.contains("nothing of this run"), "{}", run.err);
}

#[test]
fn a_network_that_goes_silent_loses_and_doubles_nothing() {
    // A worker whose connection is dead, and clients whose connections wake up; and the reverse, at the same time.
    std::thread::scope(|scope| {
        scope.spawn(|| silence(Relay::heal_for_new_connections, Relay::resume));
        scope.spawn(|| silence(Relay::resume, Relay::heal_for_new_connections));
    });
}

/// A batch and one instance, whose clients and one worker hear nothing for longer than a lease.
fn silence(heal_worker: fn(&Relay), heal_clients: fn(&Relay)) {
    let Some(nats) = Nats::start() else { return };
    let (to_worker, to_clients) = (Relay::to(nats.port), Relay::to(nats.port));
    let _workers = [nats.worker(), Worker::start(&to_worker.url(), &[])];
    let url = to_clients.url();
    let boards = puzzles(nats.folder.path(), 300);
    let boards = boards.to_str().unwrap();
    let expected = answers(&noyes(&["solve", boards, "--json"]).out);
    let batch = ["solve", boards, "--engine", "bfs", "--json", "--nats", &url];
    let tree = [
        "solve",
        BOARD,
        "--goal",
        "blank-first",
        "--engine",
        "idastar",
        "--heuristic",
        "pdb:3-3-3-3-3-3-3-3",
        "--json",
        "--nats",
        &url,
        "--attach",
        "tree",
    ];
    let mut clients = vec![];
    let begin = || clients.extend([&batch[..], &tree].map(|args| command(args).spawn().unwrap()));
    until_result(&nats.url(), begin, |run, item| {
        run == "tree" && item == "74-cut"
    });
    let said: Vec<_> = clients.iter_mut().map(reader).collect();
    to_worker.cut();
    to_clients.cut();
    std::thread::sleep(LEASE + Duration::from_secs(1));
    heal_worker(&to_worker);
    heal_clients(&to_clients);
    let runs = clients.iter_mut().zip(said).map(|(client, said)| {
        let code = client.wait().unwrap().code();
        let (out, err) = said.join().unwrap();
        assert_eq!(code, Some(0), "{err}");
        out
    });
    let out: Vec<String> = runs.collect();
    assert_eq!(answers(&out[0]), expected);
    let record = json(&out[1]);
    assert_eq!(
        (&record["status"], &record["cost"]),
        (&"optimal".into(), &76.into())
    );
}

#[test]
fn runs_that_end_take_nothing_from_others() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let boards = puzzles(nats.folder.path(), 300);
    let args = ["solve", boards.to_str().unwrap(), "--json", "--nats", &url];
    let mut long = command(&args).spawn().unwrap();
    let said = reader(&mut long);
    std::thread::sleep(Duration::from_secs(1));
    // Its items wait; another run is put into the queue and cancelled.
    let mut other = command(&args).spawn().unwrap();
    std::thread::sleep(Duration::from_secs(1));
    let stopped = Command::new("kill")
        .args(["-INT", &other.id().to_string()])
        .status();
    assert!(stopped.unwrap().success());
    assert_eq!(other.wait().unwrap().code(), Some(130));
    let _worker = nats.worker();
    assert_eq!(long.wait().unwrap().code(), Some(0));
    let (out, err) = said.join().unwrap();
    assert_eq!(out.lines().count(), 300, "{err}");
    let status = noyes(&["cluster", "status", "--json", "--nats", &url]);
    let status = json(&status.out);
    assert_eq!((&status["queued"], &status["kept"]), (&0.into(), &0.into()));
}

#[test]
fn ctrl_c_is_heard_while_answers_come() {
    let Some(nats) = Nats::start() else { return };
    let _workers = [nats.worker(), nats.worker()];
    let boards = puzzles(nats.folder.path(), 5000);
    let url = nats.url();
    let args = ["solve", boards.to_str().unwrap(), "--engine", "bfs"];
    let more = ["--json", "--nats", &url];
    let mut client = command(&[&args[..], &more].concat()).spawn().unwrap();
    let said = reader(&mut client);
    std::thread::sleep(Duration::from_secs(3));
    let stopped = Command::new("kill")
        .args(["-INT", &client.id().to_string()])
        .status();
    assert!(stopped.unwrap().success());
    assert_eq!(client.wait().unwrap().code(), Some(130));
    let (out, err) = said.join().unwrap();
    let printed = out.lines().count();
    assert!((1..5000).contains(&printed), "{printed} answers: {err}");
}

#[test]
fn work_that_kills_workers_is_reported_and_not_tried_for_ever() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let client = command(&["solve", "8 6 7/2 5 4/3 0 1", "--nats", &url])
        .spawn()
        .unwrap();
    // A worker that always comes to grief: it hands the item back five times.
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let client = async_nats::connect(&url).await.unwrap();
        let jetstream = jetstream::new(client);
        let begun = Instant::now();
        let stream = loop {
            if let Ok(stream) = jetstream.get_stream("NOYES_WORK").await
                && stream.cached_info().state.messages > 0
            {
                break stream;
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "an item");
            tokio::time::sleep(Duration::from_millis(50)).await;
        };
        let name = format!("workers-{}-3", env!("CARGO_PKG_VERSION").replace('.', "_"));
        let config = jetstream::consumer::pull::Config {
            durable_name: Some(name.clone()),
            filter_subject: format!("noyes.work.{}.>", &name["workers-".len()..]),
            ack_wait: Duration::from_secs(10),
            max_deliver: -1,
            max_ack_pending: 100_000,
            max_waiting: 20_000,
            ..jetstream::consumer::pull::Config::default()
        };
        let queue = stream.get_or_create_consumer(&name, config).await.unwrap();
        let mut tries = 0;
        while tries < 5 {
            let wait = Duration::from_secs(2);
            let fetch = queue.fetch().max_messages(1).expires(wait);
            let mut batch = fetch.messages().await.unwrap();
            while let Some(message) = batch.next().await {
                message.unwrap().ack_with(AckKind::Nak(None)).await.unwrap();
                tries += 1;
            }
        }
        // Not a message of ours at all.
        let subject = format!("noyes.work.{}.foreign.0", &name["workers-".len()..]);
        let ack = jetstream.publish(subject, "rm -rf /".into()).await.unwrap();
        ack.await.unwrap();
    });
    let _worker = nats.worker();
    let run = wait(client);
    assert_eq!(run.code, 2, "{}", run.out);
    assert!(run.err.contains("given up"), "{}", run.err);
}

#[test]
fn a_queue_that_lost_its_place_is_mended() {
    let Some(mut nats) = Nats::start() else {
        return;
    };
    let _worker = nats.worker();
    let url = nats.url();
    let board = ["solve", "8 6 7/2 5 4/3 0 1", "--nats", &url];
    // An empty stream forgets its numbers when the server is killed, or it may: so several times.
    for _ in 0..3 {
        let run = noyes(&board);
        assert_eq!(run.code, 0, "{}", run.err);
        nats.restart();
    }
    let run = noyes(&board);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_worker_that_is_asked_to_stop_returns_its_work() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    // Takes minutes by this engine.
    let board = "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0";
    let slow = ["solve", board, "--engine", "iddfs", "--nats", &url];
    let mut client = command(&slow).spawn().unwrap();
    let busy = |busy: usize| {
        let begun = Instant::now();
        loop {
            let status = noyes(&["cluster", "status", "--json", "--nats", &url]);
            let status = json(&status.out);
            let workers = status["workers"].as_array().unwrap();
            let now: u64 = workers.iter().map(|w| w["busy"].as_u64().unwrap()).sum();
            if now == busy as u64 && workers.len() == 1 {
                return status;
            }
            assert!(begun.elapsed() < Duration::from_secs(60), "{status}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    // More often than an item is tried that kills its workers.
    for _ in 0..6 {
        let mut worker = nats.worker_with(&["--grace", "100ms"]);
        busy(1);
        let begun = Instant::now();
        let stopped = Command::new("kill")
            .args(["-TERM", &worker.0.id().to_string()])
            .status();
        assert!(stopped.unwrap().success());
        assert!(worker.0.wait().unwrap().success());
        assert!(begun.elapsed() < Duration::from_secs(20));
    }
    // Another one gets it at once, not after the lease.
    let _other = nats.worker();
    let begun = Instant::now();
    busy(1);
    assert!(begun.elapsed() < Duration::from_secs(8), "not returned");
    // Ctrl-C at the client stops it everywhere.
    let stopped = Command::new("kill")
        .args(["-INT", &client.id().to_string()])
        .status();
    assert!(stopped.unwrap().success());
    assert_eq!(client.wait().unwrap().code(), Some(130));
    busy(0);
}

#[test]
fn a_restart_of_the_service_loses_no_job() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    let mut first = Server::start(&["--nats", &url]);
    let body = r#"{"puzzle": "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0", "wait_s": 0}"#;
    let reply = first.post("/api/v1/solve", body);
    assert_eq!(reply.status, 202, "{}", reply.body);
    let id = reply.json()["id"].as_str().unwrap().to_string();
    // A job whose id is known is stored, at whatever moment the server is killed.
    first.child.kill().unwrap();
    first.child.wait().unwrap();
    let _worker = nats.worker();
    let servers = [
        Server::start(&["--nats", &url]),
        Server::start(&["--nats", &url]),
    ];
    let place = format!("/api/v1/jobs/{id}");
    for server in &servers {
        server.until("done", |server| server.state(&place) == "done");
        let job = server.get(&place).json();
        assert_eq!(job["result"]["status"], "optimal");
        assert_eq!(job["result"]["id"], id.as_str());
    }
    // A job of one server is cancelled at another.
    let body =
        r#"{"puzzle": "15 14 13 12/11 10 9 8/7 6 5 4/3 1 2 0", "engine": "iddfs", "wait_s": 0}"#;
    let reply = servers[0].post("/api/v1/solve", body);
    let place = format!("/api/v1/jobs/{}", reply.json()["id"].as_str().unwrap());
    servers[0].until("running", |server| server.state(&place) == "running");
    let metrics = servers[1].get("/metrics").body;
    for line in [
        "noyes_queue_waiting 0",
        "noyes_queue_delivered 1",
        "noyes_queue_workers 1",
        "noyes_queue_busy 1",
    ] {
        assert!(metrics.lines().any(|one| one == line), "{line}: {metrics}");
    }
    let reply = servers[1].delete(&place);
    assert_eq!(reply.status, 200, "{}", reply.body);
    for server in &servers {
        server.until("cancelled", |server| server.state(&place) == "cancelled");
    }
    // Ids that would be wildcards of subjects are no jobs.
    for id in ["*", "%3E", "a.b", "0123456789abcdef"] {
        let reply = servers[0].get(&format!("/api/v1/jobs/{id}"));
        assert_eq!(reply.status, 404, "{id}");
    }
}

#[test]
fn tables_come_from_the_server_and_benchmarks_run_on_workers() {
    let Some(nats) = Nats::start() else { return };
    let url = nats.url();
    // 1. Tables.
    let (ours, theirs) = (nats.path("ours"), nats.path("theirs"));
    let build = |folder: &Path| {
        let folder = folder.to_str().unwrap();
        let args = [
            "pdb",
            "build",
            "4-4-3",
            "--size",
            "4x3",
            "--pdb-dir",
            folder,
        ];
        noyes(&[&args[..], &["--nats", &url]].concat())
    };
    let built = build(&ours);
    assert_eq!(built.code, 0, "{}", built.err);
    assert!(built.out.contains("sent, for workers"), "{}", built.out);
    assert!(build(&ours).out.contains("already there, for workers"));
    let _worker = nats.worker_with(&["--pdb-dir", theirs.to_str().unwrap()]);
    let solved = noyes(&[
        "solve",
        "11 10 9 8/7 6 5 4/3 1 2 0",
        "--engine",
        "idastar",
        "--heuristic",
        "pdb:4-4-3",
        "--nats",
        &url,
    ]);
    assert_eq!(solved.code, 0, "{}", solved.err);
    let files = |folder: &Path| -> HashSet<(String, Vec<u8>)> {
        let entries = fs::read_dir(folder).unwrap().map(Result::unwrap);
        let is_table = |entry: &fs::DirEntry| entry.path().extension().is_some_and(|e| e == "pdb");
        entries
            .filter(is_table)
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                (name, fs::read(entry.path()).unwrap())
            })
            .collect()
    };
    assert!(!files(&theirs).is_empty());
    assert_eq!(files(&theirs), files(&ours));
    // 2. A suite.
    let suite = nats.path("small.toml");
    let text = r#"
title = "Small"
about = "A few boards."
time-limit = "20s"
process = "inside"

[[instances]]
name = "random"
generate = "3x3 -n 5 --seed 1"

[[configurations]]
name = "astar"
command = "solve --engine astar"

[[configurations]]
name = "table"
command = "solve --engine table"
"#;
    fs::write(&suite, text).unwrap();
    let out = nats.path("results");
    let args = [
        "bench",
        "run",
        suite.to_str().unwrap(),
        "-o",
        out.to_str().unwrap(),
    ];
    let remote = [&args[..], &["--nats", &url]].concat();
    let run = noyes(&remote);
    assert_eq!(run.code, 0, "{}", run.err);
    let lines = fs::read_to_string(out.join("small.full.workers.jsonl")).unwrap();
    assert_eq!(lines.lines().count(), 10, "{lines}");
    assert!(lines.lines().all(|line| json(line)["status"] == "optimal"));
    // Workers have a process for each run, whatever the suite says.
    assert!(lines.lines().all(|line| json(line)["process"] == "fresh"));
    assert!(json(lines.lines().next().unwrap())["host"]["cores"].as_u64() > Some(0));
    // What has a result is not run again.
    assert!(noyes(&remote).err.contains("10 of 10 runs are already in"));
}

#[test]
fn secrets_and_certificates_are_checked() {
    let config = "authorization { user: noyes, password: right }";
    let Some(nats) = Nats::start_with(config) else {
        return;
    };
    let url = nats.url();
    let args = ["cluster", "status", "--nats", &url, "--nats-user", "noyes"];
    let with = |password: &str| {
        let mut status = command(&args);
        wait(status.env("NOYES_NATS_PASSWORD", password).spawn().unwrap())
    };
    assert_eq!(with("right").code, 0);
    let refused = with("wrong");
    assert_eq!(refused.code, 2, "{}", refused.out);
    assert!(refused.err.contains("cannot connect"), "{}", refused.err);
    assert!(!refused.err.contains("wrong"), "{}", refused.err);
    for (flags, said) in [
        (vec!["--nats-creds", "/nonexistent"], "--nats-creds"),
        (vec!["--nats-nkey", "/nonexistent"], "--nats-nkey"),
        (vec!["--nats-ca", "/nonexistent"], "--nats-ca"),
        (vec!["--nats-cert", "/nonexistent"], "expected both"),
        (vec!["--nats-nkey", "/dev/null"], "begins with SU"),
        (vec!["--nats-prefix", "a.b"], "--nats-prefix"),
        (vec!["--nats-prefix", "Noyes"], "small letters"),
    ] {
        let run = noyes(&[&["cluster", "status", "--nats", &url][..], &flags].concat());
        assert_eq!(run.code, 2, "{}", run.err);
        assert!(run.err.contains(said), "{}", run.err);
    }
}

#[test]
fn what_workers_cannot_follow_is_refused() {
    for flags in [
        vec!["--threads", "2"],
        vec!["--checkpoint", "c"],
        vec!["--pdb-dir", "d"],
        vec!["--device", "gpu"],
        vec!["--engine", "human", "--explain"],
        vec!["--engine", "sat", "--backend", "cmd:sh"],
    ] {
        let args = ["solve", "1 2 3/4 0 6/7 5 8", "--nats", "nats://127.0.0.1:1"];
        let run = noyes(&[&args[..], &flags].concat());
        assert_eq!(run.code, 2, "{flags:?}: {}", run.err);
        assert!(
            run.err.contains("not with --nats"),
            "{flags:?}: {}",
            run.err
        );
    }
    let run = noyes(&["solve", "1 2 3/4 0 6/7 5 8", "--nats", "nats://127.0.0.1:1"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(
        run.err.starts_with("noyes: --nats: cannot connect"),
        "{}",
        run.err
    );
    let run = noyes(&["worker", "--nats", "nats://127.0.0.1:1"]);
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.contains("cannot connect"), "{}", run.err);
    let run = noyes(&["worker"]);
    assert!(run.err.contains("expected the address"), "{}", run.err);
    // Where there is no card, or no support for one.
    let url = "nats://127.0.0.1:1";
    let mut worker = command(&["worker", "--nats", url, "--device", "gpu"]);
    let run = wait(worker.env("CUDA_VISIBLE_DEVICES", "").spawn().unwrap());
    assert_eq!(run.code, 2, "{}", run.err);
    assert!(run.err.starts_with("noyes: --device: GPU: "), "{}", run.err);
    assert_eq!(run.err.lines().count(), 1, "{}", run.err);
}

/// Kills workers, the client and the server at random until the client has ended by itself; returns what it printed.
fn with_kills(nats: &mut Nats, args: &[&str], kills: usize, pause: Duration, seed: u64) -> Run {
    let mut workers = [nats.worker(), nats.worker()];
    let mut client = command(args).spawn().unwrap();
    let mut output = reader(&mut client);
    let mut random = seed;
    for _ in 0..kills {
        // A small generator: the moments do not have to be good random numbers.
        random = random
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        std::thread::sleep(pause.mul_f64(0.5 + (random >> 33) as f64 / (1u64 << 31) as f64));
        match random >> 60 {
            0..=8 => {
                let worker = &mut workers[(random >> 40) as usize % 2];
                worker.kill();
                *worker = nats.worker();
            }
            9..=12 => {
                let _ = client.kill();
                let _ = client.wait();
                client = command(args).spawn().unwrap();
                output = reader(&mut client);
            }
            _ => nats.restart(),
        }
    }
    let code = client.wait().unwrap().code().unwrap_or(-1);
    let (out, err) = output.join().unwrap();
    Run { code, out, err }
}

/// Reads what a process prints, so that it is never blocked.
fn reader(child: &mut Child) -> std::thread::JoinHandle<(String, String)> {
    use std::io::Read;
    let (mut out, mut err) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
    std::thread::spawn(move || {
        let said = std::thread::spawn(move || {
            let mut text = String::new();
            let _ = err.read_to_string(&mut text);
            text
        });
        let mut text = vec![];
        let _ = out.read_to_end(&mut text);
        let text = String::from_utf8_lossy(&text).into_owned();
        (text, said.join().unwrap())
    })
}

#[test]
#[ignore = "takes minutes"]
fn fifty_random_kills_lose_and_double_nothing() {
    let Some(mut nats) = Nats::start() else {
        return;
    };
    let url = nats.url();
    // 1. A batch of 10,000 boards.
    let boards = puzzles(nats.folder.path(), 10_000);
    let boards = boards.to_str().unwrap();
    let expected = answers(&noyes(&["solve", boards, "--json"]).out);
    let args = ["solve", boards, "--engine", "bfs", "--json", "--nats", &url];
    let args = [&args[..], &["--attach", "batch"]].concat();
    let run = with_kills(&mut nats, &args, 25, Duration::from_secs(2), 1);
    assert_eq!(run.code, 0, "{}", run.err);
    assert_eq!(answers(&run.out), expected);
    // 2. One long instance: Korf's 40th, in parts.
    let board = "2 17 4 13 7/12 10 3 0 16/21 24 8 5 18/20 15 19 14 9/22 11 6 1 23";
    let args = [
        "solve",
        board,
        "--goal",
        "blank-first",
        "--heuristic",
        "pdb:6-6-6-6",
        "--engine",
        "idastar",
        "--json",
        "--nats",
        &url,
        "--attach",
        "tree",
    ];
    let run = with_kills(&mut nats, &args, 25, Duration::from_secs(2), 2);
    assert_eq!(run.code, 0, "{}", run.err);
    let record = json(&run.out);
    assert_eq!(
        (&record["status"], &record["cost"]),
        (&"optimal".into(), &82.into())
    );
}

/// Makes a certificate authority, and certificates for a server and a client; none if openssl is missing.
fn certificates(folder: &Path) -> Option<()> {
    let script = r"set -e
openssl req -x509 -newkey rsa:2048 -nodes -keyout ca.key -out ca.pem -days 2 -subj /CN=authority
for who in server client; do
    openssl req -newkey rsa:2048 -nodes -keyout $who.key -out $who.csr -subj /CN=$who
    printf 'subjectAltName=DNS:localhost,IP:127.0.0.1' > $who.ext
    openssl x509 -req -in $who.csr -CA ca.pem -CAkey ca.key -CAcreateserial -out $who.pem -days 2 -extfile $who.ext
done";
    let mut openssl = Command::new("sh");
    let made = openssl.args(["-c", script]).current_dir(folder).output();
    let is_made = made.is_ok_and(|made| made.status.success());
    if !is_made {
        skip("cluster: openssl is not installed");
    }
    is_made.then_some(())
}

#[test]
fn connections_are_encrypted_if_the_server_wants_that() {
    let folder = tempfile::tempdir().unwrap();
    if certificates(folder.path()).is_none() {
        return;
    }
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let config = format!(
        "tls {{ cert_file: {:?}, key_file: {:?}, ca_file: {:?}, verify: true }}",
        file("server.pem"),
        file("server.key"),
        file("ca.pem")
    );
    let Some(nats) = Nats::start_with(&config) else {
        return;
    };
    let url = format!("tls://localhost:{}", nats.port);
    let status = |flags: &[&str]| noyes(&[&["cluster", "status", "--nats", &url], flags].concat());
    let (ca, cert, key) = (file("ca.pem"), file("client.pem"), file("client.key"));
    assert_eq!(status(&[]).code, 2);
    assert_eq!(
        status(&["--nats-ca", &ca]).code,
        2,
        "without our certificate"
    );
    let run = status(&["--nats-ca", &ca, "--nats-cert", &cert, "--nats-key", &key]);
    assert_eq!(run.code, 0, "{}", run.err);
}

#[test]
fn a_full_server_is_reported_and_waited_for() {
    let config = "jetstream { max_file_store: 2000 }";
    let Some(nats) = Nats::start_with(config) else {
        return;
    };
    let boards = puzzles(nats.folder.path(), 400);
    let url = nats.url();
    let mut client = command(&["solve", boards.to_str().unwrap(), "--nats", &url])
        .spawn()
        .unwrap();
    let said = reader(&mut client);
    std::thread::sleep(Duration::from_secs(4));
    assert!(client.try_wait().unwrap().is_none(), "it waits");
    let stopped = Command::new("kill")
        .args(["-INT", &client.id().to_string()])
        .status();
    assert!(stopped.unwrap().success());
    assert_eq!(client.wait().unwrap().code(), Some(130));
    let (_, err) = said.join().unwrap();
    assert!(err.contains("does not take work"), "{err}");
}
