//! `noyes completions` and `noyes man`, both made from the definition of the command line.

use clap::CommandFactory;

use crate::args::Cli;
use crate::terminal::exit::Exit;
use crate::terminal::fault::BadInput;
use crate::terminal::print::print;

pub fn completions(shell: clap_complete::Shell) -> anyhow::Result<Exit> {
    let mut script = vec![];
    clap_complete::generate(shell, &mut Cli::command(), "noyes", &mut script);
    print(&String::from_utf8(script)?)?;
    Ok(Exit::Answered)
}

pub fn man(command: Option<&str>) -> anyhow::Result<Exit> {
    let mut cli = Cli::command();
    cli.build();
    let page = match command {
        None => cli,
        Some(name) => {
            let known: Vec<_> = cli
                .get_subcommands()
                .map(|c| c.get_name().to_string())
                .collect();
            let found = cli.find_subcommand(name).cloned();
            let found = found.ok_or_else(|| {
                BadInput::new(format!(
                    "{name:?} is not a command (expected {})",
                    known.join(", ")
                ))
            })?;
            found.name(format!("noyes-{name}"))
        }
    };
    let mut roff = vec![];
    clap_mangen::Man::new(page).render(&mut roff)?;
    print(&String::from_utf8(roff)?)?;
    Ok(Exit::Answered)
}
