//! `filedeck serve`: the embedded service for other programs. Its first line on standard output is its address.

use std::net::SocketAddr;
use std::path::PathBuf;

use crate::service::fetch::AllowedNetwork;

/// Serve a directory over the API, for other programs
///
/// The first line on standard output is the base address, printed once connections are accepted; logs go to standard
/// error. SIGTERM and SIGINT stop it gracefully: what is in flight is finished, and the exit code is 0.
#[derive(Debug, clap::Args)]
pub struct Args {
    /// Address and port; port 0 takes a free one
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:8787")]
    pub listen: SocketAddr,

    /// Take an address that other machines can reach. The traffic is not encrypted
    #[arg(long)]
    pub allow_remote: bool,

    /// Directory of the store, made if it is not there [default: the local store of this machine]
    #[arg(long, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,

    /// File that holds the token (yours, mode 0600). Without it the token of the environment, else the one in the
    /// store's directory, made at first start
    #[arg(long, value_name = "FILE")]
    pub token_file: Option<PathBuf>,

    /// Fill a new store with the sample library
    #[arg(long)]
    pub sample: bool,

    /// JSON file of the CRM usage that the limits reports are computed from
    #[arg(long, value_name = "FILE")]
    pub crm_usage: Option<PathBuf>,

    /// Let imports fetch from this network too, as in 10.0.0.0/8; public addresses are always allowed
    #[arg(long, value_name = "CIDR")]
    pub import_allow: Vec<AllowedNetwork>,
}
