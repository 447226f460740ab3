//! A web service that passes uploads on to an account as they arrive, without a temporary file.

#[cfg(feature = "client")]
mod relay;

#[cfg(feature = "client")]
pub use relay::relay;

/// Starts the stand-in that the tests of a program talk to.
///
/// # Errors
///
/// If there is no free port.
#[cfg(feature = "service")]
pub async fn stand_in() -> anyhow::Result<filedeck::service::TemporaryService> {
    Ok(filedeck::service::start().await?)
}
