//! The rows of the tasks view against a model: queues that change, tasks that unfold, and answers
//! that come late.

use std::collections::BTreeSet;
use std::sync::Arc;

use filedeck::engine::batch::{Batch, BatchId, Counts, JobId};
use filedeck::engine::queue_view::{BatchJob, JobState, QueueView};
use filedeck::tui::state::{JobsRead, TaskRow, Tasks};
use jiff::Timestamp;
use proptest::prelude::*;

use super::tasks::{deletion, one_of_five};
use crate::support::queue::ended;

#[derive(Debug, Clone)]
enum Step {
    /// The queue has these tasks, each with the number of its jobs that are done; as many of the
    /// last ones are older.
    Tell(Vec<(i64, usize)>, usize),
    Move(usize),
    Turn,
    /// The screen shows the rows from this one on.
    Ask(usize),
    /// An answer comes, maybe not that to the first question.
    Answer(usize),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let tasks = prop::sample::subsequence((0..5_i64).collect::<Vec<_>>(), 2..=5);
    let tasks = tasks.prop_shuffle();
    let tasks = (tasks, prop::collection::vec(0_usize..4, 5));
    let tell = (tasks, 0_usize..4).prop_map(|((ids, done), older)| {
        let older = older.min(ids.len());
        Step::Tell(ids.into_iter().zip(done).collect(), older)
    });
    let step = prop_oneof![
        2 => tell,
        2 => (0_usize..40).prop_map(Step::Move),
        1 => Just(Step::Turn),
        4 => (0_usize..40).prop_map(Step::Ask),
        4 => (0_usize..2).prop_map(Step::Answer),
    ];
    prop::collection::vec(step, 1..80)
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum Row {
    Batch(BatchId),
    /// A job by its index; its number, if it is known.
    Job(BatchId, usize, Option<u32>),
    Older,
}

#[derive(Debug, Default)]
struct Model {
    tasks: Vec<(BatchId, usize)>,
    older: usize,
    unfolded: BTreeSet<BatchId>,
    lists_older: Option<bool>,
}

impl Model {
    fn rows(&self) -> Vec<Row> {
        let (current, older) = self.tasks.split_at(self.tasks.len() - self.older);
        let of = |tasks: &[(BatchId, usize)]| {
            let mut rows = Vec::new();
            for (id, _) in tasks {
                rows.push(Row::Batch(*id));
                if self.unfolded.contains(id) {
                    rows.extend((0..size(*id)).map(|at| Row::Job(*id, at, None)));
                }
            }
            rows
        };
        let mut rows = of(current);
        if self.older > 0 {
            rows.push(Row::Older);
            rows.extend(
                of(older)
                    .into_iter()
                    .filter(|_| self.lists_older == Some(true)),
            );
        }
        rows
    }
}

fn size(id: BatchId) -> usize {
    usize::try_from(id.0).unwrap() * 7 + 1
}

/// The number of the job at an index, while as many are done: each one that ends goes last.
fn number(id: BatchId, at: usize, done: usize) -> u32 {
    u32::try_from((at + done) % size(id)).unwrap()
}

fn batch(id: i64, done: usize, is_older: bool) -> Batch {
    let batch = deletion(id, Timestamp::UNIX_EPOCH);
    let total = size(batch.id);
    let counts = Counts {
        total,
        done: done.min(total),
        ..batch.counts
    };
    let batch = Batch {
        counts,
        listed: total,
        ..batch
    };
    if is_older {
        ended(batch, done.min(total), 0, Timestamp::UNIX_EPOCH)
    } else {
        batch
    }
}

fn answer(question: &JobsRead) -> Vec<BatchJob> {
    let batch = question.batch.id;
    let job = |at| {
        let number = number(batch, at, question.batch.counts.done);
        BatchJob {
            id: JobId { batch, number },
            ..crate::support::queue::job(batch.0, 1, one_of_five(at), JobState::Waiting)
        }
    };
    question.range.clone().map(job).collect()
}

fn shown(tasks: &Tasks, row: usize, expected: Row) -> Row {
    match (tasks.at(row), expected) {
        (Some(TaskRow::Batch(batch)), _) => Row::Batch(batch.id),
        (Some(TaskRow::Older(_)), _) => Row::Older,
        (Some(TaskRow::Job(job)), Row::Job(_, at, _)) => {
            Row::Job(job.id.batch, at, Some(job.id.number))
        }
        (_, expected) => expected,
    }
}

/// Returns the rows, which must be those of the model as far as they are known.
fn check(tasks: &Tasks, model: &Model) -> Vec<Row> {
    let expected = model.rows();
    assert_eq!(tasks.len(), expected.len());
    let rows: Vec<Row> = (0..)
        .zip(&expected)
        .map(|(row, expected)| shown(tasks, row, *expected))
        .collect();
    let unnumbered = rows.iter().map(|row| match row {
        Row::Job(id, at, _) => Row::Job(*id, *at, None),
        other => *other,
    });
    assert!(
        unnumbered.eq(expected.iter().copied()),
        "{rows:?} {expected:?}"
    );
    assert!(tasks.cursor().at() < rows.len().max(1));
    rows
}

proptest! {
    #[test]
    fn rows_and_the_cursor_are_where_the_queue_has_them(steps in steps()) {
        let (mut tasks, mut model, mut open) = (Tasks::default(), Model::default(), Vec::new());
        for step in steps {
            let before = check(&tasks, &model).get(tasks.cursor().at()).copied();
            let is_move = matches!(step, Step::Move(_));
            match step {
                Step::Tell(now, older) => {
                    let current = now.len() - older;
                    let batches = (0..).zip(&now).map(|(at, (id, done))| {
                        Arc::new(batch(*id, *done, at >= current))
                    });
                    let view = QueueView::new(batches.collect(), older, false);
                    tasks.set_view(view, Timestamp::UNIX_EPOCH);
                    model.tasks = now.into_iter().map(|(id, done)| (BatchId(id), done)).collect();
                    model.older = older;
                    model.lists_older.get_or_insert(current == 0);
                    let ids: BTreeSet<_> = model.tasks.iter().map(|(id, _)| *id).collect();
                    model.unfolded.retain(|id| ids.contains(id));
                }
                Step::Move(row) => tasks.move_cursor(|cursor| cursor.go_to(row)),
                Step::Turn => {
                    tasks.turn();
                    match before {
                        Some(Row::Batch(id) | Row::Job(id, ..)) if !model.unfolded.remove(&id) => {
                            model.unfolded.insert(id);
                        }
                        Some(Row::Older) => {
                            model.lists_older = model.lists_older.map(|lists| !lists);
                        }
                        _ => {}
                    }
                }
                Step::Ask(row) => open.extend(tasks.questions(row..row + 8)),
                Step::Answer(_) if open.is_empty() => {}
                Step::Answer(at) => {
                    let question = open.remove(at % open.len());
                    let jobs = answer(&question);
                    tasks.set_jobs(&question, jobs);
                }
            }
            let rows = check(&tasks, &model);
            // The same job may be at another index.
            let is_it = |row: &Row| match (row, before) {
                (Row::Job(id, _, Some(number)), Some(Row::Job(of, _, Some(before)))) => {
                    (id, number) == (&of, &before)
                }
                _ => Some(*row) == before,
            };
            if !is_move && rows.iter().any(is_it) {
                prop_assert!(rows.get(tasks.cursor().at()).is_some_and(is_it), "{before:?}");
            }
        }
        open.extend(tasks.questions(0..1_000));
        for question in open {
            tasks.set_jobs(&question, answer(&question));
        }
        for row in check(&tasks, &model) {
            if let Row::Job(id, at, known) = row {
                let (_, done) = model.tasks.iter().find(|(task, _)| *task == id).unwrap();
                prop_assert_eq!(known, Some(number(id, at, (*done).min(size(id)))));
            }
        }
    }
}
