//! Plays a history step by step; here are the steps that are not requests, and the final check of
//! the disk.

use jiff::SignedDuration;

use super::compare;
use super::history::Step;
use super::library::Library;
use super::run::{FILES, Run, nth};
use crate::support::service::TestService;

/// Plays the steps on a new service. The error contains the whole history and the failure.
pub(super) async fn play(steps: &[Step]) -> Result<(), String> {
    let service = TestService::start().await;
    let library = Library::new(service.clock.now());
    let mut run = Run {
        service,
        library,
        log: Vec::new(),
    };
    for step in steps {
        if let Step::Restart = step {
            run = run.restart().await;
        } else {
            run.step(step).await.map_err(|wrong| run.report(&wrong))?;
        }
    }
    compare::library(&run.service, &run.library)
        .await
        .map_err(|wrong| run.report(&wrong))?;
    run.disk().await.map_err(|wrong| run.report(&wrong))
}

impl Run {
    fn report(&self, wrong: &str) -> String {
        format!("{wrong}\nafter\n  {}", self.log.join("\n  "))
    }

    async fn restart(mut self) -> Self {
        self.log.push("restart".to_owned());
        let (dir, clock) = self.service.stop().await;
        Self {
            service: TestService::start_in(dir, clock).await,
            ..self
        }
    }

    async fn step(&mut self, step: &Step) -> Result<(), String> {
        match step {
            Step::CreateFolder { parent, name } => self.create_folder(parent, name).await,
            Step::ChangeFolder {
                folder,
                name,
                parent,
            } => self.change_folder(*folder, *name, parent.as_ref()).await,
            Step::DeleteFolder { folder, by_path } => self.delete_folder(*folder, *by_path).await,
            Step::Upload(upload) => self.upload(upload).await,
            Step::Replace {
                file,
                bytes,
                access,
                days,
            } => self.replace(*file, bytes, access, *days).await,
            Step::Patch { file, change } => self.patch(*file, change).await,
            Step::Delete { file } => self.delete(*file).await,
            Step::Erase { file } => self.erase(nth(self.library.files.keys(), *file)).await,
            Step::EraseDeleted { file } => {
                self.erase(nth(self.library.deleted.keys(), *file)).await
            }
            Step::Wait { hours } => self.wait(SignedDuration::from_hours((*hours).into())).await,
            Step::WaitForExpiry { milliseconds_short } => {
                let next = self
                    .library
                    .files
                    .values()
                    .filter_map(|file| file.expires)
                    .min();
                let left = next.map_or(SignedDuration::ZERO, |next| {
                    next.duration_since(self.library.now)
                });
                let time = left - SignedDuration::from_millis((*milliseconds_short).into());
                self.wait(time.max(SignedDuration::ZERO)).await
            }
            // Needs the whole run, so its owner restarts it.
            Step::Restart => Ok(()),
        }
    }

    /// Advances the clock. Expired files must be gone at once, and no others.
    async fn wait(&mut self, time: SignedDuration) -> Result<(), String> {
        self.log.push(format!("wait {time:#}"));
        self.service.clock.advance(time);
        let over = self.library.wait(time);
        compare::files(&self.service, &self.library).await?;
        for id in over {
            compare::is_missing(&self.service, &format!("{FILES}/{id}")).await?;
            // The name is free after the background work. This erasure has the same effect at once;
            // it may come second.
            let answer = self
                .service
                .delete(&format!("{FILES}/{id}/gdpr-delete"))
                .await;
            if !matches!(answer.status.as_u16(), 204 | 404) {
                return Err(format!(
                    "erasing the expired {id} answered {}",
                    answer.status
                ));
            }
        }
        Ok(())
    }

    /// Checks that there is one blob for each live or deleted file, and in time none for others.
    async fn disk(&mut self) -> Result<(), String> {
        self.all_erased().await?;
        self.wait(SignedDuration::from_mins(1)).await?;
        // Files may have expired in that minute, and their bytes need another one.
        self.all_erased().await?;
        self.wait(SignedDuration::from_mins(1)).await?;
        let wanted = self.library.files.len() + self.library.deleted.len();
        let settled = async { while self.service.blob_count().await != wanted {} };
        if within(settled).await.is_none() {
            return Err(format!(
                "{} blobs are on the disk, {wanted} should be",
                self.service.blob_count().await
            ));
        }
        Ok(())
    }

    /// Waits until nothing is left to erase: a file's id means nothing then.
    async fn all_erased(&self) -> Result<(), String> {
        for id in &self.library.erased {
            let path = format!("{FILES}/{id}/gdpr-delete");
            let erased = async { while self.service.delete(&path).await.status != 404 {} };
            within(erased)
                .await
                .ok_or_else(|| format!("{id} was never erased"))?;
        }
        Ok(())
    }
}

async fn within(work: impl Future<Output = ()>) -> Option<()> {
    tokio::time::timeout(std::time::Duration::from_secs(20), work)
        .await
        .ok()
}
