//! `-r`, as people type it from habit, where a folder comes with everything in it anyway.

// No doc comment: it would replace each command's own.
#[derive(Debug, Clone, Copy, Default, clap::Args)]
pub struct Recursion {
    /// Take folders with everything in them, as is done without this option, too
    #[arg(short, long, short_alias = 'R', hide_short_help = true)]
    pub recursive: bool,
}
