//! Compares a folder of this machine with one of the account. Reads both, and changes neither.

use super::compare_trees::compare;
use super::md5_sum::Md5Sum;
use super::perform::{OpContext, Perform};
use super::tree_here::TreeHere;
use super::{local_tree, remote_side};
use crate::api::Error;
use crate::engine::folder_comparison::FolderComparison;
use crate::engine::question::{CompareFolders, SumLocalFile};
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
        let here = local_tree::read(&self.local, &filter).await?;
        let there = Box::pin(remote_side::read(
            &context.client,
            &self.remote,
            &filter,
            &here.rules,
        ))
        .await?;
        Ok(Box::new(
            Box::pin(compare(TreeHere::Disk(&here), &there)).await,
        ))
    }
}

impl Perform for SumLocalFile {
    async fn perform(self, _: &OpContext) -> Result<String, Error> {
        Md5Sum::of_local(&self.path, Links::Refused)
            .await
            .map(|sum| sum.to_string())
    }
}
