//! The reports on limits from the real service, their cache, and the export of a table to a file.

use filedeck::engine::limits::{EntrySubject, LimitEntry, Measure, Report, Snapshot, readings};

use super::*;
use filedeck::engine::Answer;
use filedeck::engine::question::{ReadLimits, SaveSnapshot, WriteExport};

async fn read(engine: &mut Engine, report: Report) -> Vec<LimitEntry> {
    match engine.answer(Request::ReadLimits(ReadLimits(report))).await {
        Answer::ReadLimits(entries) => entries,
        other => panic!("{other:?}"),
    }
}

#[rstest]
#[case::v3(Version::V3)]
#[case::march(Version::Dated202603)]
#[case::september(Version::Dated202609)]
#[tokio::test]
async fn all_nine_reports_are_read_in_every_version(#[case] version: Version) {
    let service = TestService::start().await;
    let mut engine = Engine::start(client_of(&service, version)).await;
    let pair = Report::Pair {
        from: "0-1".to_owned(),
        to: "0-5".to_owned(),
    };
    let of_types = [
        Report::Targets {
            from: "0-1".to_owned(),
        },
        pair,
    ];
    for report in Report::OF_ACCOUNT.into_iter().chain(of_types) {
        assert!(
            !read(&mut engine, report.clone()).await.is_empty(),
            "{report:?}"
        );
    }
}

#[tokio::test]
async fn entries_say_what_the_reports_say() {
    let (_service, mut engine, _dir) = started().await;
    let properties = read(&mut engine, Report::CustomProperties).await;
    assert_eq!(properties[0].subject, EntrySubject::All);
    let contacts = properties
        .iter()
        .find(|entry| entry.id().as_deref() == Some("0-1"))
        .unwrap();
    assert!(
        contacts
            .share()
            .is_some_and(|share| share.usage > 0 && share.usage + share.left() == share.limit)
    );
    let records = read(&mut engine, Report::Records).await;
    let custom = records
        .iter()
        .find(|entry| entry.subject == EntrySubject::Custom)
        .unwrap()
        .share()
        .unwrap();
    let counted: u64 = records
        .iter()
        .map(|entry| {
            if let Measure::Count(count) = entry.measure {
                count
            } else {
                0
            }
        })
        .sum();
    assert_eq!(
        custom.usage, counted,
        "the custom types have no limit of their own"
    );
    let labels = read(&mut engine, Report::Labels).await;
    assert!(
        labels
            .iter()
            .all(|pair| pair.share().unwrap().usage == pair.labels.len() as u64)
    );
    let pair = Report::Pair {
        from: "0-1".to_owned(),
        to: "0-5".to_owned(),
    };
    let records = read(&mut engine, pair).await;
    let Measure::Totals { limit, at, near } = records[0].measure else {
        panic!("{records:?}")
    };
    assert!(
        limit > 0 && at + near > 0 && records.len() as u64 <= 1 + at + near,
        "{records:?}"
    );
}

#[tokio::test]
async fn what_was_read_is_remembered() {
    let (_service, mut engine, _dir) = started().await;
    let entries = read(&mut engine, Report::Pipelines).await;
    let snapshot = |at: &str, usage| {
        let mut readings = readings(&Report::Pipelines, &entries);
        readings[0].usage = usage;
        Snapshot {
            at: at.parse().unwrap(),
            readings,
        }
    };
    engine
        .answer(Request::SaveSnapshot(SaveSnapshot(snapshot(
            "2026-11-20T08:00:00Z",
            3,
        ))))
        .await;
    let Answer::SaveSnapshot(past) = engine
        .answer(Request::SaveSnapshot(SaveSnapshot(snapshot(
            "2026-11-21T08:00:00Z",
            4,
        ))))
        .await
    else {
        panic!()
    };
    let first = &past[&snapshot("2026-11-21T08:00:00Z", 4).readings[0].gauge];
    assert_eq!(first.before.map(|(usage, _)| usage), Some(3));
    assert_eq!(
        first.days.iter().map(|day| day.usage).collect::<Vec<_>>(),
        [3, 4]
    );
}

#[tokio::test]
async fn a_table_goes_into_a_file_of_its_own() {
    let (_service, mut engine, dir) = started().await;
    local(&dir, "limits a.csv", b"mine");
    let export = |text: &str| {
        Request::WriteExport(WriteExport {
            folder: dir.path().to_owned(),
            name: "limits a.csv".to_owned(),
            text: text.to_owned(),
        })
    };
    assert_eq!(
        engine.answer(export("1")).await,
        Answer::WriteExport(dir.path().join("limits a (1).csv"))
    );
    assert_eq!(
        engine.answer(export("2")).await,
        Answer::WriteExport(dir.path().join("limits a (2).csv"))
    );
    assert_eq!(fs::read(dir.path().join("limits a.csv")).unwrap(), b"mine");
    assert_eq!(fs::read(dir.path().join("limits a (2).csv")).unwrap(), b"2");
    let nowhere = Request::WriteExport(WriteExport {
        folder: dir.path().join("none"),
        name: "../x.csv".to_owned(),
        text: String::new(),
    });
    assert!(
        engine
            .run(nowhere)
            .await
            .unwrap_err()
            .message
            .contains("Cannot write into")
    );
}
