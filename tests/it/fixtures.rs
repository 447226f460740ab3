//! Bodies written by hand from the contract, read by the wire types: all that the service sends is
//! understood and kept.

use filedeck::api::model::{
    Access, AssociationLimits, CustomPropertyLimits, File, FileKind, Folder, Page, Problem,
    ProblemDetail, SignedUrl, Task, TaskAccepted, TaskStatus,
};
use rstest::rstest;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

fn text(name: &str) -> String {
    let path = format!(
        "{}/tests/fixtures/wire/{name}.json",
        env!("CARGO_MANIFEST_DIR")
    );
    std::fs::read_to_string(path).unwrap()
}

fn read<T: DeserializeOwned>(name: &str) -> T {
    serde_json::from_str(&text(name)).unwrap()
}

fn through<T: DeserializeOwned + Serialize>(name: &str) -> (Value, Value) {
    (read(name), serde_json::to_value(read::<T>(name)).unwrap())
}

#[rstest]
#[case::image("file_image")]
#[case::unknown_fields_and_values("file_from_the_future")]
fn a_file_goes_through_unchanged(#[case] name: &str) {
    let (before, after) = through::<File>(name);
    assert_eq!(after, before);
}

#[test]
fn a_folder_goes_through_unchanged() {
    let (before, after) = through::<Folder>("folder");
    assert_eq!(after, before);
}

#[test]
fn the_fields_of_an_image_are_understood() {
    let file: File = read("file_image");
    assert_eq!(file.full_name(), "banner-01.png");
    assert_eq!(file.kind, Some(FileKind::Image));
    assert_eq!(file.access, Some(Access::PublicIndexable));
    assert_eq!(
        (file.width, file.height, file.size),
        (Some(1600), Some(900), Some(412_338))
    );
    assert_eq!(file.expires_at.unwrap().to_string(), "2027-01-01T00:00:00Z");
}

#[test]
fn a_file_with_nothing_but_the_promised_fields_is_read() {
    let file: File = read("file_least");
    assert_eq!(file.id.as_str(), "8123");
    assert_eq!(file.access, None);
    assert_eq!(file.full_name(), "8123");
}

#[test]
fn unknown_values_are_kept_as_text() {
    let file: File = read("file_from_the_future");
    assert_eq!(
        file.access,
        Some(Access::Other("SHARED_WITH_PARTNERS".to_owned()))
    );
    assert_eq!(file.kind.unwrap().as_str(), "HOLOGRAM");
    assert_eq!(file.extra["depthMap"]["layers"], 3);
}

#[test]
fn a_page_says_where_the_next_one_starts() {
    let page: Page<File> = read("search_page");
    assert_eq!(page.next_after(), Some("100"));
    assert_eq!(page.results[0].access, Some(Access::Private));
}

#[test]
fn an_accepted_import_gives_an_opaque_id() {
    let accepted: TaskAccepted = read("import_accepted");
    assert_eq!(accepted.id.as_str(), "AAAAEZ6whGI");
}

#[rstest]
#[case::pending("import_pending", TaskStatus::Pending, None)]
#[case::complete("import_complete", TaskStatus::Complete, Some("122692044099"))]
#[case::complete_but_with_errors("import_complete_with_errors", TaskStatus::Complete, None)]
fn an_import_succeeds_only_when_complete_and_without_errors(
    #[case] name: &str,
    #[case] status: TaskStatus,
    #[case] file: Option<&str>,
) {
    let task: Task<File> = read(name);
    assert_eq!(task.status, status);
    assert_eq!(task.success().map(|file| file.id.as_str()), file);
}

#[test]
fn a_folder_task_gives_the_folder_at_its_new_path() {
    let task: Task<Folder> = read("folder_task_complete");
    assert_eq!(
        task.success().unwrap().path.as_deref(),
        Some("/marketing/q4-launch")
    );
}

#[test]
fn a_signed_address_says_until_when_it_works() {
    let signed: SignedUrl = read("signed_url");
    assert_eq!(
        signed.expires_at.unwrap().to_string(),
        "2026-11-21T09:33:20Z"
    );
    let (before, after) = through::<SignedUrl>("signed_url");
    assert_eq!(after, before);
}

#[test]
fn the_limits_reports_are_read() {
    let limits: CustomPropertyLimits = read("custom_properties");
    assert_eq!(
        (limits.overall_usage, limits.by_object_type.len()),
        (2215, 2)
    );
    assert!((limits.by_object_type[0].percentage - 87.2).abs() < f64::EPSILON);
    let associations: AssociationLimits = read("associations");
    assert_eq!(associations.results[0].has_records_at_limit, Some(true));
}

#[rstest]
#[case::validation(
    "error_validation",
    Some("VALIDATION_ERROR"),
    "019db16f-2d5c-7c1a-9a53-6f8e0c2b4d71"
)]
#[case::without_category("error_without_category", None, "019db16f-2d5c-7c1a-9a53-6f8e0c2b4d72")]
#[case::causes_as_text("error_with_text_causes", None, "019db16f-2d5c-7c1a-9a53-6f8e0c2b4d73")]
#[case::missing_scopes(
    "error_scopes",
    Some("MISSING_SCOPES"),
    "019db16f-2d5c-7c1a-9a53-6f8e0c2b4d74"
)]
#[case::rate_limit("error_rate_limit", None, "019db16f-2d5c-7c1a-9a53-6f8e0c2b4d75")]
fn error_bodies_are_read_with_and_without_their_fields(
    #[case] name: &str,
    #[case] category: Option<&str>,
    #[case] correlation_id: &str,
) {
    let problem: Problem = read(name);
    assert_eq!(problem.category.as_deref(), category);
    assert_eq!(problem.correlation_id.as_deref(), Some(correlation_id));
}

#[test]
fn causes_may_be_text_or_objects() {
    let plain: Problem = read("error_with_text_causes");
    assert_eq!(
        plain.errors[0],
        ProblemDetail::Text("ttl is too long".to_owned())
    );
    let scopes: Problem = read("error_scopes");
    let ProblemDetail::Object { context, .. } = &scopes.errors[0] else {
        unreachable!("an object was written")
    };
    assert_eq!(context["requiredGranularScopes"], ["files", "files.read"]);
}
