//! The files of a new store, for the demo.

use std::io;

use super::answer::render;
use super::server::RunningService;
use super::store::{FileFilter, SearchOrder, SortField, Window};
use crate::api::model::File;

impl RunningService {
    /// Returns the first files by id, without a request.
    pub(crate) async fn first_files(&self, most: u32) -> io::Result<Vec<File>> {
        let (sort, window) = (
            SearchOrder {
                field: SortField::Id,
                descending: false,
            },
            Window {
                limit: most,
                offset: 0,
            },
        );
        let now = self.state.clock.now();
        let found = self
            .state
            .store
            .search_files(&FileFilter::default(), &[sort], window, now)
            .await;
        let found = found.map_err(io::Error::other)?;
        let shown = found
            .rows
            .into_iter()
            .map(|file| render::file(file, &self.state.base_url));
        shown
            .map(|file| Ok(serde_json::to_value(file).and_then(serde_json::from_value)?))
            .collect()
    }
}
