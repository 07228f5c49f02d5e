//! A relay to a TCP server, whose network can be cut without either side noticing.

use std::io::{ErrorKind, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::time::Duration;

pub struct Relay {
    pub port: u16,
    network: Arc<Network>,
}

#[derive(Default)]
struct Network {
    is_cut: AtomicBool,
    /// Connections from before this number of cuts stay silent for ever.
    dead_before: AtomicU64,
    cuts: AtomicU64,
}

impl Relay {
    pub fn to(server: u16) -> Relay {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let network = Arc::new(Network::default());
        let shared = network.clone();
        std::thread::spawn(move || {
            for client in listener.incoming().map_while(Result::ok) {
                let Ok(server) = TcpStream::connect(("127.0.0.1", server)) else {
                    continue;
                };
                let born = shared.cuts.load(SeqCst);
                let both = [
                    (client.try_clone(), server.try_clone()),
                    (Ok(server), Ok(client)),
                ];
                for (from, to) in both {
                    let network = shared.clone();
                    let (from, to) = (from.unwrap(), to.unwrap());
                    std::thread::spawn(move || pump(from, to, &network, born));
                }
            }
        });
        Relay { port, network }
    }

    pub fn url(&self) -> String {
        format!("nats://127.0.0.1:{}", self.port)
    }

    /// From now on nothing arrives any more.
    pub fn cut(&self) {
        self.network.is_cut.store(true, SeqCst);
    }

    /// What was sent meanwhile arrives late.
    pub fn resume(&self) {
        self.network.is_cut.store(false, SeqCst);
    }

    /// New connections work; old ones stay silent, as behind a router that has forgotten them.
    pub fn heal_for_new_connections(&self) {
        let cuts = self.network.cuts.fetch_add(1, SeqCst) + 1;
        self.network.dead_before.store(cuts, SeqCst);
        self.resume();
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, network: &Network, born: u64) {
    let pause = Duration::from_millis(20);
    from.set_read_timeout(Some(pause)).unwrap();
    let mut piece = vec![0_u8; 1 << 16];
    loop {
        if network.is_cut.load(SeqCst) || born < network.dead_before.load(SeqCst) {
            std::thread::sleep(pause);
            continue;
        }
        let read = match from.read(&mut piece) {
            Ok(read) => read,
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut) => {
                continue;
            }
            Err(_) => 0,
        };
        // What is on its way when the network is cut waits, too.
        while network.is_cut.load(SeqCst) {
            std::thread::sleep(pause);
        }
        let is_dead = born < network.dead_before.load(SeqCst);
        if !is_dead && (read == 0 || to.write_all(&piece[..read]).is_err()) {
            let _ = to.shutdown(Shutdown::Both);
            let _ = from.shutdown(Shutdown::Both);
            return;
        }
    }
}
