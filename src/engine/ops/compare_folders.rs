//! Compares a folder of this machine, or of another account, with one of the account. Reads both,
//! and changes neither.

use super::compare_trees::compare;
use super::gitignore_rules::GitignoreRules;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::tree_here::TreeHere;
use super::{local_tree, remote_side};
use crate::api::Error;
use crate::engine::folder_comparison::FolderComparison;
use crate::engine::question::{CompareFolders, FolderHere, SumLocalFile};
use crate::engine::tree_filter::{TreeFilter, TreeRules};
use crate::regular_file::Links;

impl Perform for CompareFolders {
    async fn perform(self, context: &OpContext) -> Result<Box<FolderComparison>, Error> {
        let exclude = if self.with_hidden {
            Vec::new()
        } else {
            vec![".*".to_owned()]
        };
        let filter = TreeFilter::new(&TreeRules {
            exclude,
            ..TreeRules::default()
        })?;
        let there = |rules| remote_side::read(&context.client, &self.remote, &filter, rules);
        let found = match &self.here {
            FolderHere::Disk(local) => {
                let here = local_tree::read(local, &filter).await?;
                let there = Box::pin(there(&here.rules)).await?;
                Box::pin(compare(TreeHere::Disk(&here), &there)).await
            }
            FolderHere::Account(account, folder) => {
                let source = context.sources.client(account).await?;
                let rules = GitignoreRules::default();
                let here = remote_side::read(&source, folder, &filter, &rules);
                let (here, there) =
                    Box::pin(async { tokio::try_join!(here, there(&rules)) }).await?;
                Box::pin(compare(TreeHere::Account(account, &here), &there)).await
            }
        };
        Ok(Box::new(found))
    }
}

impl Perform for SumLocalFile {
    async fn perform(self, _: &OpContext) -> Result<String, Error> {
        Md5Sum::of_local(&self.path, Links::Refused)
            .await
            .map(|sum| sum.to_string())
    }
}
