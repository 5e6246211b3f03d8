//! `gridbug serve [FILE]`: the page in a browser, with the engine of this process.

use crate::protocol::ServedFile;
use crate::serve::{Limits, Server};
use crate::terminal::output::Screen;
use crate::terminal::{detect_language, fail, missing_file};
use std::io;
use std::path::Path;
use std::process::{Command, ExitCode, Stdio};

/// Prints the link to the page, and serves it until the process ends.
pub fn run(
    file: Option<&str>,
    port: u16,
    opens_browser: bool,
    lang: Option<&str>,
    screen: &mut Screen,
) -> io::Result<ExitCode> {
    let served = match file.map(|path| served_file(path, lang)).transpose() {
        Ok(served) => served,
        Err(reason) => return Ok(fail(&reason)),
    };
    let server = match Server::bind(port, served, Limits::default()) {
        Ok(server) => server,
        Err(error) => {
            return Ok(fail(&format!(
                "cannot listen on port {port}: {error}; use another one with `--port N`"
            )));
        }
    };
    let link = server.link();
    screen.print_raw(&link)?;
    screen.print_raw("Open this link in a browser on this computer. Ctrl-C ends gridbug.")?;
    if opens_browser && let Err(error) = open_browser(&link) {
        screen.print_raw(&format!("Cannot start a browser: {error}"))?;
    }
    server.run();
    Ok(ExitCode::SUCCESS)
}

/// The file to serve, if it exists and its language is known.
fn served_file(path: &str, lang: Option<&str>) -> Result<ServedFile, String> {
    missing_file(path).map_or(Ok(()), Err)?;
    let is_session = path.ends_with(".session");
    let language = match is_session {
        true => None,
        false => Some(detect_language(Some(path), lang)?.info().name),
    };
    let name = Path::new(path).file_name();
    Ok(ServedFile {
        name: name.map_or_else(|| path.to_string(), |n| n.to_string_lossy().into_owned()),
        path: path.to_string(),
        language,
        is_session,
    })
}

/// Starts the browser that the user has chosen.
fn open_browser(link: &str) -> io::Result<()> {
    let (program, arguments): (&str, &[&str]) = match std::env::consts::OS {
        "macos" => ("open", &[]),
        "windows" => ("rundll32", &["url.dll,FileProtocolHandler"]),
        _ => ("xdg-open", &[]),
    };
    let mut command = Command::new(program);
    command.args(arguments).arg(link);
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null());
    silent.stderr(Stdio::null()).spawn().map(drop)
}
