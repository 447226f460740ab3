//! All addresses of the API, in every version. The one file that knows how paths differ
//! (`contract.md#endpoints`, `contract.md#crm-limits`, `contract.md#versions`).

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use url::Url;

use super::error::{Error, Kind};
use super::ids::{FileId, FolderId, TaskId};
use super::version::Version;

/// All characters except the unreserved ones of RFC 3986.
const SEGMENT: &AsciiSet = &NON_ALPHANUMERIC
    .remove(b'-')
    .remove(b'.')
    .remove(b'_')
    .remove(b'~');

/// Builds addresses under a base. Ids and names are encoded segment by segment, so that none can
/// escape its position.
#[derive(Debug, Clone)]
pub struct ApiPaths {
    base: Url,
    version: Version,
}

impl ApiPaths {
    /// Creates paths under `base`, which may have a path of its own; its query and fragment are
    /// dropped.
    pub fn new(base: &Url, version: Version) -> Self {
        let mut base = base.clone();
        base.set_query(None);
        base.set_fragment(None);
        Self { base, version }
    }

    /// Returns the version of the API that the paths are for.
    pub fn version(&self) -> Version {
        self.version
    }

    /// The address for uploads.
    pub fn files(&self) -> Url {
        self.under("files", "")
    }

    /// The address of a file.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn file(&self, id: &FileId) -> Result<Url, Error> {
        Ok(self.under("files", &format!("/{}", segment(id.as_str())?)))
    }

    /// The address for file searches.
    pub fn file_search(&self) -> Url {
        self.under("files", "/search")
    }

    /// The address to look up a file or folder by path.
    ///
    /// # Errors
    ///
    /// If a name in the path is `.` or `..`, or the path is the root folder's.
    pub fn stat(&self, path: &str) -> Result<Url, Error> {
        Ok(self.under("files", &format!("/stat/{}", segments(path)?)))
    }

    /// The address that signs a file's address.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn signed_url(&self, id: &FileId) -> Result<Url, Error> {
        Ok(self.under("files", &format!("/{}/signed-url", segment(id.as_str())?)))
    }

    /// The address for downloads; `None` if the version has no such endpoint.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn download(&self, id: &FileId) -> Result<Option<Url>, Error> {
        let tail = format!("/{}/download", segment(id.as_str())?);
        Ok(self
            .version
            .has_download()
            .then(|| self.under("files", &tail)))
    }

    /// The address to delete a file permanently.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn gdpr_delete(&self, id: &FileId) -> Result<Url, Error> {
        Ok(self.under("files", &format!("/{}/gdpr-delete", segment(id.as_str())?)))
    }

    /// The address to start an import.
    pub fn import(&self) -> Url {
        self.under("files", "/import-from-url/async")
    }

    /// The address of the status of an import.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn import_status(&self, task: &TaskId) -> Result<Url, Error> {
        let tail = format!(
            "/import-from-url/async/tasks/{}/status",
            segment(task.as_str())?
        );
        Ok(self.under("files", &tail))
    }

    /// The address that issues access tokens; it has no version.
    pub fn oauth_token(&self) -> Url {
        self.join("/oauth/v1/token")
    }

    /// The address to create folders.
    pub fn folders(&self) -> Url {
        self.under("folders", "")
    }

    /// The address of a folder.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn folder(&self, id: &FolderId) -> Result<Url, Error> {
        Ok(self.under("folders", &format!("/{}", segment(id.as_str())?)))
    }

    /// The address of a folder by path. A folder in the root whose name is all digits gets a
    /// leading slash, because digits alone would be taken for an id (`contract.md#folders`).
    ///
    /// # Errors
    ///
    /// If a name in the path is `.` or `..`, or the path is the root folder's.
    pub fn folder_by_path(&self, path: &str) -> Result<Url, Error> {
        let encoded = segments(path)?;
        let slash = if encoded.bytes().all(|byte| byte.is_ascii_digit()) {
            "/"
        } else {
            ""
        };
        Ok(self.under("folders", &format!("/{slash}{encoded}")))
    }

    /// The address for folder searches.
    pub fn folder_search(&self) -> Url {
        self.under("folders", "/search")
    }

    /// The address to start a folder update; `None` if the version has no asynchronous folder
    /// update.
    pub fn folder_update(&self) -> Option<Url> {
        self.version
            .has_folder_tasks()
            .then(|| self.under("folders", "/update/async"))
    }

    /// The address of the status of a folder update; `None` if the version has no asynchronous
    /// folder update.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn folder_update_status(&self, task: &TaskId) -> Result<Option<Url>, Error> {
        let tail = format!("/update/async/tasks/{}/status", segment(task.as_str())?);
        Ok(self
            .version
            .has_folder_tasks()
            .then(|| self.under("folders", &tail)))
    }

    /// The limits of custom properties.
    pub fn custom_properties(&self) -> Url {
        self.limits("custom-properties")
    }

    /// The report on the object types with which records of type `from` are associated.
    ///
    /// # Errors
    ///
    /// If the id is empty, `.` or `..`.
    pub fn associations(&self, from: &str) -> Result<Url, Error> {
        Ok(self.limits(&format!("associations/records/{}/to", segment(from)?)))
    }

    /// The object types that have records at or near an association limit.
    pub fn association_sources(&self) -> Url {
        self.limits("associations/records/from")
    }

    /// The report on records of type `from` and their associations with records of type `to`.
    ///
    /// # Errors
    ///
    /// If an id is empty, `.` or `..`.
    pub fn association_pair(&self, from: &str, to: &str) -> Result<Url, Error> {
        Ok(self.limits(&format!(
            "associations/records/{}/{}",
            segment(from)?,
            segment(to)?
        )))
    }

    /// The limits of association labels.
    pub fn association_labels(&self) -> Url {
        self.limits("associations/labels")
    }

    /// The limits of calculated properties.
    pub fn calculated_properties(&self) -> Url {
        self.limits("calculated-properties")
    }

    /// The limits of custom object types.
    pub fn custom_object_types(&self) -> Url {
        self.limits("custom-object-types")
    }

    /// The limits of records.
    pub fn records(&self) -> Url {
        self.limits("records")
    }

    /// The limits of pipelines.
    pub fn pipelines(&self) -> Url {
        self.limits("pipelines")
    }

    fn under(&self, resource: &str, tail: &str) -> Url {
        self.join(&format!("/files/{}/{resource}{tail}", self.version))
    }

    /// The limits' paths swap version and resource name in dated versions.
    fn limits(&self, tail: &str) -> Url {
        match self.version {
            Version::V3 => self.join(&format!("/crm/v3/limits/{tail}")),
            dated => self.join(&format!("/crm/limits/{dated}/{tail}")),
        }
    }

    fn join(&self, path: &str) -> Url {
        let mut url = self.base.clone();
        let path = format!("{}{path}", self.base.path().trim_end_matches('/'));
        url.set_path(&path);
        url
    }
}

/// Splits an absolute remote path into its parts, without empty ones.
pub fn split(path: &str) -> impl Iterator<Item = &str> {
    path.split('/').filter(|part| !part.is_empty())
}

/// Joins a folder's path and a name.
pub fn join(folder: &str, name: &str) -> String {
    format!("{}/{name}", folder.trim_end_matches('/'))
}

fn segments(path: &str) -> Result<String, Error> {
    let parts = split(path).map(segment).collect::<Result<Vec<_>, _>>()?;
    if parts.is_empty() {
        return Err(Error::new(
            Kind::Refused,
            "the root folder has no object of its own",
        ));
    }
    Ok(parts.join("/"))
}

/// Encodes one segment. Refuses `.` and `..`, which any URL parser would resolve, even encoded.
fn segment(text: &str) -> Result<String, Error> {
    match text {
        "" => Err(Error::new(Kind::Refused, "a name or id cannot be empty")),
        "." | ".." => Err(Error::new(
            Kind::Refused,
            format!("a name or id cannot consist of dots only ({text})"),
        )),
        text => Ok(utf8_percent_encode(text, SEGMENT).to_string()),
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;

    fn paths(version: Version) -> ApiPaths {
        ApiPaths::new(&Url::parse("http://127.0.0.1:8787").unwrap(), version)
    }

    fn path(url: &Url) -> &str {
        url.as_str().strip_prefix("http://127.0.0.1:8787").unwrap()
    }

    #[test]
    fn dated_versions_replace_v3_and_turn_the_limits_round() {
        assert_eq!(path(&paths(Version::V3).files()), "/files/v3/files");
        assert_eq!(
            path(&paths(Version::Dated202609).file_search()),
            "/files/2026-09/files/search"
        );
        assert_eq!(
            path(&paths(Version::V3).custom_properties()),
            "/crm/v3/limits/custom-properties"
        );
        let flags = paths(Version::Dated202603).associations("0-1").unwrap();
        assert_eq!(
            path(&flags),
            "/crm/limits/2026-03/associations/records/0-1/to"
        );
    }

    #[test]
    fn endpoints_that_a_version_lacks_have_no_address() {
        let (file, task) = (FileId::new("1"), TaskId::new("t"));
        assert_eq!(paths(Version::Dated202603).download(&file), Ok(None));
        assert_eq!(paths(Version::Dated202609).folder_update(), None);
        assert_eq!(
            paths(Version::Dated202609).folder_update_status(&task),
            Ok(None)
        );
        assert!(
            paths(Version::Dated202609)
                .download(&file)
                .unwrap()
                .is_some()
        );
    }

    #[rstest]
    #[case::nested("/a b/c%d", "/files/v3/folders/a%20b/c%25d")]
    #[case::digits_at_the_root("/123", "/files/v3/folders//123")]
    #[case::digits_deeper("/123/4", "/files/v3/folders/123/4")]
    #[case::query_marks("/what?#", "/files/v3/folders/what%3F%23")]
    #[case::unicode("/Größe", "/files/v3/folders/Gr%C3%B6%C3%9Fe")]
    #[case::controls("/a\nb\tc\\d", "/files/v3/folders/a%0Ab%09c%5Cd")]
    fn folder_paths_keep_their_slashes_and_encode_each_name(
        #[case] folder: &str,
        #[case] expected: &str,
    ) {
        assert_eq!(
            path(&paths(Version::V3).folder_by_path(folder).unwrap()),
            expected
        );
    }

    #[test]
    fn a_task_id_is_opaque_and_cannot_leave_its_segment() {
        let url = paths(Version::V3)
            .import_status(&TaskId::new("a/../b?c=%2F"))
            .unwrap();
        assert_eq!(
            path(&url),
            "/files/v3/files/import-from-url/async/tasks/a%2F..%2Fb%3Fc%3D%252F/status"
        );
    }

    #[rstest]
    #[case::parent("..")]
    #[case::same(".")]
    #[case::empty("")]
    fn ids_that_a_url_would_swallow_are_refused(#[case] id: &str) {
        assert_eq!(
            paths(Version::V3)
                .gdpr_delete(&FileId::new(id))
                .unwrap_err()
                .kind,
            Kind::Refused
        );
        assert!(paths(Version::V3).stat(&format!("/a/{id}/b")).is_err() || id.is_empty());
    }

    #[test]
    fn a_base_with_a_path_keeps_it() {
        let base = Url::parse("https://proxy.example/hub/?x=1#y").unwrap();
        assert_eq!(
            ApiPaths::new(&base, Version::V3).folders().as_str(),
            "https://proxy.example/hub/files/v3/folders"
        );
    }
}
