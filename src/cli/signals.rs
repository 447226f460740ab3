//! The signals that end a run.

use super::exit::Exit;

/// Waits for the first signal that asks the program to end; gives the exit code that it stands for.
#[cfg(unix)]
pub async fn ended() -> Exit {
    use tokio::signal::unix::{SignalKind, signal};

    let (Ok(mut interrupt), Ok(mut terminate), Ok(mut hangup)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()), signal(SignalKind::hangup()))
    else {
        // Without handlers the system's own way of ending the program stays in force.
        return std::future::pending().await;
    };
    tokio::select! {
        _ = interrupt.recv() => Exit::Interrupted,
        _ = terminate.recv() => Exit::Terminated,
        _ = hangup.recv() => Exit::Terminated,
    }
}

/// Waits for Ctrl-C.
#[cfg(not(unix))]
pub async fn ended() -> Exit {
    match tokio::signal::ctrl_c().await {
        Ok(()) => Exit::Interrupted,
        Err(_) => std::future::pending().await,
    }
}
