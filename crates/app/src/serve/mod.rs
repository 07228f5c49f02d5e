//! `noyes serve`: the web page and the REST service.
//!
//! A request comes over one of the [`connections`], passes [`headers`] and [`token`], and finds its route in [`routes`].
//! There its [`body`] becomes a question to `noyes_answer`, or a [`problem`] goes back. Long searches are [`jobs`]; short ones, and whatever else takes time, run in [`quick`]. Finished jobs are kept in the [`store`]. [`limits`] says
//! how much of everything is allowed, and [`server`] holds what all answers share.

mod body;
mod certify;
mod connections;
mod docs;
mod events;
mod headers;
mod hints;
mod hosts;
mod jobs;
mod limits;
mod metrics;
mod openapi;
mod page;
mod problem;
mod quick;
mod routes;
mod server;
mod store;
mod token;

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use anyhow::{Context, Result};
use axum::Router;
use axum::middleware::from_fn_with_state;
use axum::routing::{get, post};
use hyper_util::server::graceful::GracefulShutdown;
use noyes_answer::wish::Shelf;
use noyes_solver::TilesCache;
use tokio::net::{TcpListener, TcpSocket};
use tokio::sync::Notify;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;

use crate::args::Serve;
use crate::terminal::exit::{Exit, at_once};
use crate::terminal::fault::BadInput;
use crate::terminal::print::complain;
use crate::terminal::print::print;
use crate::terminal::tables::tables;
use hints::Hints;
use hosts::Hosts;
use jobs::Jobs;
use limits::Limits;
use metrics::Metrics;
use quick::Quick;
use server::{Server, Shared};
use store::Store;
use token::Token;

/// When the server stops, searches have this time to end, and after them answers that are under way.
const PATIENCE: Duration = Duration::from_secs(3);

/// The requests that may wait for each puzzle that is being made, which can take seconds.
const WAITING_FOR_ONE: usize = 4;

pub fn run(args: &Serve) -> Result<Exit> {
    outlive_panics();
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .context("no thread can be started")?;
    let done = runtime.block_on(serve(args));
    runtime.shutdown_background(); // without waiting for short searches, which see their flags
    done
}

/// A panic ends an answer, not the service.
fn outlive_panics() {
    std::panic::set_hook(Box::new(|panic| {
        complain(format_args!(
            "noyes: internal error, please report it: {panic}"
        ));
    }));
}

async fn serve(args: &Serve) -> Result<Exit> {
    let cannot = |what: &str, error: &dyn std::fmt::Display| {
        BadInput::new(format!("cannot {what}: {error}"))
    };
    if let Some(folder) = &args.page {
        let index = folder.join("index.html");
        std::fs::metadata(&index).map_err(|e| {
            cannot(
                "read the page of --page",
                &format_args!("{}: {e}", index.display()),
            )
        })?;
    }
    let address = resolve(&args.host, args.port).await?;
    let token = token::choose(args, address.ip())?;
    let listener = listen(address, &args.host)?;
    let address = listener.local_addr()?;
    let store =
        Store::open(args.store.as_deref()).map_err(|e| cannot("use the file of --store", &e))?;
    let limits = Limits::new(args);
    let metrics = Arc::new(Metrics::new());
    let jobs = jobs(args, &limits, store, metrics.clone()).await?;
    let server = Arc::new(Server {
        tables: Shelf {
            small: Arc::default(),
            large: Arc::new(TilesCache::new(tables(args.pdb_dir.as_ref(), 1))),
        },
        reading: Quick::new(
            "their requests to be read",
            limits.threads,
            limits.connections,
        ),
        quick: Quick::new("hints", limits.threads, limits.queue),
        making: Quick::new("puzzles", limits.makers, limits.makers * WAITING_FOR_ONE),
        proving: Quick::new("certificates", 1, WAITING_FOR_ONE),
        hints: Hints::default(),
        hosts: Hosts::new(&args.host, address.ip(), &args.name),
        token: token.as_deref().map(Token::new),
        page: args.page.clone(),
        stopping: Arc::default(),
        cors: args.cors.clone(),
        limits,
        jobs,
        metrics,
    });
    if args.warm {
        server.hints.warm(&server.tables.large, &server.stopping);
    }
    let stop = stop_signal();
    let url = url(&args.host, address, token.as_deref());
    if !address.ip().is_loopback() {
        complain(match token {
            Some(_) => {
                "noyes: open to the network, for clients with the token; connections are not encrypted"
            }
            None => "noyes: open to the network, for everyone who can reach this machine",
        });
    }
    print(&format!("noyes serves {url} (Ctrl-C stops it)\n"))?;
    if args.open {
        open(&url);
    }
    let connections = GracefulShutdown::new();
    tokio::select! {
        () = connections::accept(listener, router(server.clone()), server.limits.connections, &connections) => {}
        () = stop.notified() => {}
    }
    // Searches first, so that those who wait get the bounds; then the answers.
    server.stopping.store(true, SeqCst);
    let jobs = server.jobs.clone();
    let ended = tokio::task::spawn_blocking(move || jobs.close(PATIENCE)).await;
    if !matches!(ended, Ok(true)) {
        complain("noyes: some searches did not end in time");
    }
    let _ = tokio::time::timeout(PATIENCE, connections.shutdown()).await;
    Ok(Exit::Answered)
}

/// Jobs of our threads, or of workers.
#[cfg_attr(
    not(feature = "cluster"),
    expect(clippy::unused_async, reason = "only workers have to be reached")
)]
async fn jobs(
    args: &Serve,
    limits: &Limits,
    store: Store,
    metrics: Arc<Metrics>,
) -> Result<Arc<Jobs>> {
    #[cfg(feature = "cluster")]
    if args.nats.nats.is_some() {
        let desk = crate::cluster::jobs::Desk::open(&args.nats).await?;
        return Ok(Jobs::elsewhere(desk, limits.queue, store, metrics));
    }
    let _ = args;
    Jobs::start(limits.threads, limits.queue, store, metrics).context("no thread can be started")
}

fn cannot_listen(host: &str, port: u16, error: &std::io::Error) -> BadInput {
    BadInput::new(format!("cannot listen at {host}:{port}: {error}"))
}

/// The address of a host, by its name or number.
async fn resolve(host: &str, port: u16) -> Result<SocketAddr, BadInput> {
    let name = host.trim_start_matches('[').trim_end_matches(']');
    tokio::net::lookup_host((name, port))
        .await
        .map_err(|error| cannot_listen(host, port, &error))?
        .next()
        .ok_or_else(|| BadInput::new(format!("{host} has no address")))
}

fn listen(address: SocketAddr, host: &str) -> Result<TcpListener, BadInput> {
    let listen = || {
        let socket = match address {
            SocketAddr::V4(_) => TcpSocket::new_v4()?,
            SocketAddr::V6(_) => TcpSocket::new_v6()?,
        };
        socket.set_reuseaddr(true)?;
        socket.bind(address)?;
        socket.listen(1024)
    };
    listen().map_err(|error| cannot_listen(host, address.port(), &error))
}

/// The address to type into a browser; the page takes the token from it.
fn url(host: &str, address: SocketAddr, token: Option<&str>) -> String {
    let port = address.port();
    let url = match address.ip() {
        ip if ip.is_unspecified() => format!("http://localhost:{port}/"),
        _ if host == "localhost" => format!("http://localhost:{port}/"),
        IpAddr::V4(ip) => format!("http://{ip}:{port}/"),
        IpAddr::V6(ip) => format!("http://[{ip}]:{port}/"),
    };
    match token {
        Some(token) => format!("{url}?token={token}"),
        None => url,
    }
}

/// Opens the page in a browser, if there is one.
fn open(url: &str) {
    let program = if cfg!(target_os = "macos") {
        "open"
    } else if cfg!(windows) {
        "explorer"
    } else {
        "xdg-open"
    };
    if let Err(error) = std::process::Command::new(program).arg(url).spawn() {
        complain(format_args!("noyes: no browser opened: {error}"));
    }
}

/// Notified by the first Ctrl-C or SIGTERM; the second one ends the program at once.
fn stop_signal() -> Arc<Notify> {
    let stop = Arc::new(Notify::new());
    let (notify, again) = (stop.clone(), AtomicBool::new(false));
    let handler = move || {
        if again.swap(true, SeqCst) {
            at_once(Exit::Interrupted);
        }
        notify.notify_one();
    };
    if let Err(error) = ctrlc::set_handler(handler) {
        complain(format_args!(
            "noyes: Ctrl-C will end the program at once: {error}"
        ));
    }
    stop
}

fn router(server: Shared) -> Router {
    // What everyone may read: the page, the description of the service, and that it is alive.
    let open = Router::new()
        .route("/openapi.json", get(openapi::document))
        .route("/api/v1/openapi.json", get(openapi::document))
        .route("/docs", get(docs::folder))
        .route("/docs/", get(docs::index))
        .route("/docs/{file}", get(docs::file))
        .fallback(page::file)
        .layer(CompressionLayer::new())
        .route("/api/v1/healthz", get(routes::health))
        .route("/healthz", get(routes::health));
    let routes = Router::new()
        .route("/api/v1/solve", post(routes::solve))
        .route("/api/v1/jobs/{id}", get(routes::job).delete(routes::cancel))
        .route("/api/v1/jobs/{id}/events", get(routes::job_events))
        .route("/api/v1/hint", post(routes::hint))
        .route("/api/v1/generate", post(routes::generate))
        .route("/api/v1/check", post(routes::check))
        .route("/api/v1/certify", post(routes::certify))
        .route("/api/v1/solvable", post(routes::solvable))
        .route("/api/v1/explain", post(routes::explain))
        .route("/api/v1/levels", get(routes::shipped))
        .route("/api/v1/version", get(routes::version))
        .route("/api/v1/metrics", get(routes::metrics))
        .route("/metrics", get(routes::metrics))
        .route_layer(from_fn_with_state(server.clone(), headers::with_token))
        .merge(open)
        .method_not_allowed_fallback(routes::wrong_method)
        .layer(CatchPanicLayer::custom(routes::panicked));
    let routes = match server.cors.clone() {
        Some(origin) => routes.layer(headers::cors(origin)),
        None => routes,
    };
    routes
        .layer(from_fn_with_state(server.clone(), headers::around))
        .with_state(server)
}
