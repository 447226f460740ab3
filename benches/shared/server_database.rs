//! The server database of a measured service where `FILEDECK_TEST_DATABASE` names one: a schema of
//! its own for each directory.

use std::path::Path;
use std::process::Command;

/// The address of the schema; `None` where a service keeps its rows in its directory.
pub(crate) fn address(dir: &Path) -> Option<String> {
    let address = std::env::var("FILEDECK_TEST_DATABASE").ok()?;
    let schema = schema(dir);
    psql(&address, &format!("CREATE SCHEMA IF NOT EXISTS {schema}"));
    Some(format!("{address}?options=-csearch_path%3D{schema},public"))
}

fn schema(dir: &Path) -> String {
    let name = dir.file_name().unwrap().to_string_lossy().to_lowercase();
    format!(
        "bench_{}",
        name.replace(|char: char| !char.is_ascii_alphanumeric(), "")
    )
}

/// The result of a query; empty if there is none.
pub(crate) fn psql(address: &str, statements: &str) -> String {
    let mut psql = Command::new("psql");
    let output = psql
        .args(["-qAt", "-v", "ON_ERROR_STOP=1", address, "-c", statements])
        .output()
        .unwrap();
    assert!(
        output.status.success(),
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}
