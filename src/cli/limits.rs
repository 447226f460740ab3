//! `filedeck limits`: the CRM limits reports, and a check for scripts.

/// Show how much of the account's CRM limits is used
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Which object types have records near or at the association limit with this one, as in 0-1
    #[arg(long, value_name = "TYPE")]
    pub associations: Option<String>,

    /// Exit with 1 when any limit is used to this percentage or more. The association report knows 80 (near) and 100
    #[arg(long, value_name = "PERCENT", value_parser = clap::value_parser!(u8).range(1..=100))]
    pub fail_at: Option<u8>,

    /// Print the report as one JSON object
    #[arg(long)]
    pub json: bool,
}
