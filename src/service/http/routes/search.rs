//! Searches of files and folders; listing a folder is one of them (`contract.md#search`).

mod parameters;

use axum::extract::{OriginalUri, State};
use axum::http::{Uri, header};
use axum::response::{IntoResponse as _, Response};
use serde_json::{Map, Value};
use url::Url;

use crate::api::model::{File, Folder, NextPage, Page, Paging};
use crate::service::answer::error::ApiError;
use crate::service::answer::render::{self, FileObject};
use crate::service::domain::names::{FilePath, FolderPath};
use crate::service::http::extract::RawQuery;
use crate::service::policy;
use crate::service::state::AppState;
use crate::service::store::{
    CommonFilter, FieldRange, FileFilter, FileKey, SearchOrder, SortField, StoreError, Window,
};
use parameters::{FileParameters, FolderParameters};

/// Fields that `properties` cannot remove.
const REQUIRED_FIELDS: [&str; 5] = ["id", "createdAt", "updatedAt", "archived", "access"];

/// The key of no file: ids begin far above it.
const NO_FILE: FileKey = FileKey(0);

/// The approximate size of a page of a hundred files.
const PAGE_BYTES: usize = 64 << 10;

pub(crate) const FOLDER_SORTS: [(&str, SortField); 4] = [
    ("id", SortField::Id),
    ("name", SortField::Name),
    ("createdAt", SortField::CreatedAt),
    ("updatedAt", SortField::UpdatedAt),
];
pub(crate) const FILE_SORTS: [(&str, SortField); 11] = [
    ("id", SortField::Id),
    ("name", SortField::Name),
    ("extension", SortField::Extension),
    ("type", SortField::Kind),
    ("access", SortField::Access),
    ("size", SortField::Size),
    ("height", SortField::Height),
    ("width", SortField::Width),
    ("createdAt", SortField::CreatedAt),
    ("updatedAt", SortField::UpdatedAt),
    ("expiresAt", SortField::ExpiresAt),
];

/// `GET /files/search`.
#[utoipa::path(
    get,
    path = "/files/search",
    operation_id = "searchFiles",
    tag = "files",
    summary = "A page of files; hidden and deleted ones are left out",
    params(FileParameters),
    responses((status = 200, body = Page<File>, description = "A page, and where the next one starts"))
)]
pub(crate) async fn files(
    State(state): State<AppState>,
    OriginalUri(uri): OriginalUri,
    query: RawQuery,
) -> Result<Response, ApiError> {
    let mut common = common_filter(&query)?;
    for (name, field) in [
        ("size", SortField::Size),
        ("height", SortField::Height),
        ("width", SortField::Width),
    ] {
        common.ranges.extend(number_range(&query, name, field)?);
    }
    common
        .ranges
        .extend(time_range(&query, "expiresAt", SortField::ExpiresAt)?);
    let filter = FileFilter {
        common,
        extension: query
            .text("extension")
            .map(|text| text.trim_start_matches('.').to_ascii_lowercase()),
        kind: query.text("type").map(str::to_ascii_uppercase),
        encoding: query.text("encoding").map(str::to_owned),
        md5: query.text("fileMd5").map(str::to_ascii_lowercase),
        usable: query.flag("isUsableInContent")?,
        public: query.flag("allowsAnonymousAccess")?,
        only: match query.text("url") {
            Some(url) => Some(named(&state, url).await?),
            None => None,
        },
    };
    let window = window(&query)?;
    let sort = sort(&query, &FILE_SORTS)?;
    let found = state
        .store
        .search_files(&filter, &sort, window, state.clock.now())
        .await?;
    let next = found.has_more.then(|| next(window, &uri, &state.base_url));
    let files = found
        .rows
        .into_iter()
        .map(|file| render::file(file, &state.base_url));
    answer(files, FileObject::write, &query, next)
}

/// `GET /folders/search`.
#[utoipa::path(
    get,
    path = "/folders/search",
    operation_id = "searchFolders",
    tag = "folders",
    summary = "A page of folders",
    params(FolderParameters),
    responses((status = 200, body = Page<Folder>, description = "A page, and where the next one starts"))
)]
pub(crate) async fn folders(
    State(state): State<AppState>,
    OriginalUri(uri): OriginalUri,
    query: RawQuery,
) -> Result<Response, ApiError> {
    let window = window(&query)?;
    let sort = sort(&query, &FOLDER_SORTS)?;
    let found = state
        .store
        .search_folders(&common_filter(&query)?, &sort, window)
        .await?;
    let next = found.has_more.then(|| next(window, &uri, &state.base_url));
    let folders = found.rows.into_iter().map(render::folder);
    answer(
        folders,
        |folder, json| serde_json::to_writer(json, folder),
        &query,
        next,
    )
}

/// Returns the file at an address; the key of no file if there is none, or the address is not ours.
async fn named(state: &AppState, url: &str) -> Result<FileKey, StoreError> {
    let path = render::path_of_public_url(url, &state.base_url)
        .and_then(|path| FilePath::parse(&path).ok());
    let file = match path {
        Some(path) => state.store.file_at(&path, state.clock.now()).await?,
        None => None,
    };
    Ok(file.map_or(NO_FILE, |file| file.key))
}

fn common_filter(query: &RawQuery) -> Result<CommonFilter, ApiError> {
    let name_contains = query.text("name").map(str::to_owned);
    if name_contains
        .as_ref()
        .is_some_and(|name| name.chars().count() > policy::MAX_NAME_FILTER_CHARS)
    {
        let message = format!(
            "name must not have more than {} characters",
            policy::MAX_NAME_FILTER_CHARS
        );
        return Err(ApiError::validation(message));
    }
    let path = query
        .text("path")
        .map(|path| match FolderPath::parse(path) {
            Ok(path) => Ok(path.to_string()),
            Err(error) => FilePath::parse(path)
                .map(|path| path.to_string())
                .map_err(|_| error),
        });
    let mut ranges = Vec::new();
    ranges.extend(number_range(query, "id", SortField::Id)?);
    ranges.extend(time_range(query, "createdAt", SortField::CreatedAt)?);
    ranges.extend(time_range(query, "updatedAt", SortField::UpdatedAt)?);
    if let Some(before) = query.time("before")? {
        let to = Some(before.as_millisecond() - 1);
        ranges.push(FieldRange {
            field: SortField::UpdatedAt,
            from: None,
            to,
        });
    }
    Ok(CommonFilter {
        ids: query.numbers("ids")?,
        parents: query.numbers("parentFolderIds")?,
        name_contains,
        path: path
            .transpose()
            .map_err(|error| ApiError::validation(format!("path: {error}")))?,
        ranges,
    })
}

fn number_range(
    query: &RawQuery,
    name: &str,
    field: SortField,
) -> Result<Vec<FieldRange>, ApiError> {
    // `ids` is a filter, but `id` itself is not.
    let exact = if field == SortField::Id {
        None
    } else {
        query.number(name)?
    };
    let (from, to) = (
        query.number(&format!("{name}Gte"))?,
        query.number(&format!("{name}Lte"))?,
    );
    Ok(vec![
        FieldRange {
            field,
            from: exact,
            to: exact,
        },
        FieldRange { field, from, to },
    ])
}

fn time_range(query: &RawQuery, name: &str, field: SortField) -> Result<Vec<FieldRange>, ApiError> {
    let millis =
        |name: &str| Ok::<_, ApiError>(query.time(name)?.map(jiff::Timestamp::as_millisecond));
    let exact = millis(name)?;
    let (from, to) = (
        millis(&format!("{name}Gte"))?,
        millis(&format!("{name}Lte"))?,
    );
    Ok(vec![
        FieldRange {
            field,
            from: exact,
            to: exact,
        },
        FieldRange { field, from, to },
    ])
}

/// `-field` sorts in descending order. Only the first mention of a field counts, since later ones
/// would change nothing.
fn sort(query: &RawQuery, fields: &[(&str, SortField)]) -> Result<Vec<SearchOrder>, ApiError> {
    let mut keys: Vec<SearchOrder> = Vec::new();
    for text in query.list("sort") {
        let (descending, name) = text
            .strip_prefix('-')
            .map_or((false, text), |name| (true, name));
        let Some((_, field)) = fields.iter().find(|(known, _)| *known == name) else {
            let refusal = ApiError::validation("sort must name a field that can be sorted by");
            return Err(refusal.with_context("sort", text));
        };
        if keys.iter().all(|earlier| earlier.field != *field) {
            keys.push(SearchOrder {
                field: *field,
                descending,
            });
        }
    }
    Ok(keys)
}

fn window(query: &RawQuery) -> Result<Window, ApiError> {
    let limit = query
        .number("limit")?
        .map_or(Ok(policy::DEFAULT_PAGE), u32::try_from);
    let limit = limit
        .ok()
        .filter(|limit| (1..=policy::MAX_PAGE).contains(limit));
    let limit = limit.ok_or_else(|| {
        ApiError::validation(format!("limit must be between 1 and {}", policy::MAX_PAGE))
    })?;
    let offset = query.number("after")?.map_or(Ok(0), u64::try_from);
    let offset = offset.ok().filter(|offset| *offset <= policy::MAX_OFFSET);
    let offset = offset.ok_or_else(|| {
        ApiError::validation(format!(
            "after must be between 0 and {}: narrow the search by idGte",
            policy::MAX_OFFSET
        ))
    })?;
    Ok(Window { limit, offset })
}

/// Returns the page, with all fields of its results or those in `properties`. Each result is built
/// when it is written.
fn answer<T>(
    results: impl Iterator<Item = T>,
    write: impl Fn(&T, &mut Vec<u8>) -> serde_json::Result<()>,
    query: &RawQuery,
    next: Option<NextPage>,
) -> Result<Response, ApiError> {
    let wanted = query.list("properties");
    let mut body = Vec::with_capacity(PAGE_BYTES);
    body.extend(br#"{"results":["#);
    for (number, result) in results.enumerate() {
        if number > 0 {
            body.push(b',');
        }
        let start = body.len();
        write(&result, &mut body).map_err(|error| unwritten(&error))?;
        if !wanted.is_empty() {
            let picked = picked(body.get(start..).unwrap_or_default(), &wanted)
                .map_err(|error| unwritten(&error))?;
            body.truncate(start);
            body.extend(picked);
        }
    }
    body.push(b']');
    if let Some(next) = next {
        body.extend(br#","paging":"#);
        serde_json::to_writer(&mut body, &Paging { next: Some(next) })
            .map_err(|error| unwritten(&error))?;
    }
    body.push(b'}');
    Ok(([(header::CONTENT_TYPE, "application/json")], body).into_response())
}

fn picked(object: &[u8], wanted: &[&str]) -> serde_json::Result<Vec<u8>> {
    let mut fields: Map<String, Value> = serde_json::from_slice(object)?;
    fields.retain(|name, _| {
        wanted.contains(&name.as_str()) || REQUIRED_FIELDS.contains(&name.as_str())
    });
    serde_json::to_vec(&fields)
}

fn unwritten(error: &serde_json::Error) -> ApiError {
    ApiError::internal("write JSON", error)
}

/// Returns the start of the next page: the address of the request with another offset.
fn next(window: Window, uri: &Uri, base: &Url) -> NextPage {
    let after = (window.offset + u64::from(window.limit)).to_string();
    let mut link = base.clone();
    link.set_path(&format!(
        "{}{}",
        base.path().trim_end_matches('/'),
        uri.path()
    ));
    let asked = uri.query().unwrap_or_default();
    let kept = url::form_urlencoded::parse(asked.as_bytes()).filter(|(name, _)| name != "after");
    link.query_pairs_mut()
        .extend_pairs(kept)
        .append_pair("after", &after);
    NextPage {
        link: Some(link.into()),
        after,
    }
}
