//! Turns words into filters, with errors that name the word and say what is allowed there.

use std::mem::discriminant;

use jiff::Zoned;

use super::filters::{self, FILTERS};
use super::lexer::{QueryToken, words};
use super::possible::are_possible;
use super::term::{AccessTerm, Bound, EntryKind, Term, TimeField};
use super::values;
use crate::api::model::{Access, FileKind};
use crate::api::search::Bounds;
use crate::engine::paging::{Sort, SortKey};

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum QueryError {
    #[error("type what to look for: part of a name, or a filter such as type:image")]
    Empty,
    #[error("there is no filter '{key}', only {known}; put it in quotes to search for it in names")]
    UnknownFilter { key: String, known: String },
    #[error("{word}: {key} takes {takes}")]
    Value {
        word: String,
        key: &'static str,
        takes: &'static str,
    },
    #[error("{word}: type takes {takes}; ext:{value} finds files by their extension")]
    Extension {
        word: String,
        value: String,
        takes: &'static str,
    },
    #[error("{word}: {key} can be given once")]
    Twice { word: String, key: &'static str },
    #[error("{word}: a word is part of a name, without * and ?; {instead} finds such names")]
    Wildcard {
        word: String,
        pattern: String,
        instead: String,
    },
    #[error("{word}: a filter has a colon, as in {instead}; in double quotes it is part of a name")]
    NoColon { word: String, instead: String },
    #[error(
        "{word}: '!' before a word or filter leaves out what it finds, and all of them must hold; in double quotes it is part of a name"
    )]
    Operator { word: String },
    #[error("{word}: names have no slash; in:{path} finds what is below a folder")]
    Path { word: String, path: String },
    #[error("{word}: {key} cannot be excluded")]
    Excluded { word: String, key: &'static str },
    #[error("{word} applies to files only, and is:folder leaves them out")]
    FilesOnly { word: String },
    #[error("{word}: together with the words before it, this can match nothing")]
    Nothing { word: String },
}

/// Parses a line; times in it are relative to `now`, days are those of its zone.
pub(super) fn read(line: &str, now: &Zoned) -> Result<Vec<Term>, QueryError> {
    let words = words(line);
    let mut terms: Vec<Term> = Vec::new();
    for word in &words {
        let term = term(word, now)?;
        if let Some(key) = term.stands_once()
            && terms.iter().any(|other| {
                other.stands_once() == Some(key)
                    && discriminant(other.plain()) == discriminant(term.plain())
            })
        {
            return Err(QueryError::Twice {
                word: word.typed.clone(),
                key,
            });
        }
        terms.push(term);
        if !are_possible(&terms) {
            return Err(QueryError::Nothing {
                word: word.typed.clone(),
            });
        }
    }
    if terms.is_empty() {
        return Err(QueryError::Empty);
    }
    let without_files = terms.contains(&Term::Only(EntryKind::Folders));
    match words
        .iter()
        .zip(&terms)
        .find(|(_, term)| without_files && term.is_of_files())
    {
        Some((word, _)) => Err(QueryError::FilesOnly {
            word: word.typed.clone(),
        }),
        None => Ok(terms),
    }
}

fn term(word: &QueryToken, now: &Zoned) -> Result<Term, QueryError> {
    let (key, value) = word.filter().unwrap_or(("name", &word.text));
    let Some(filter) = filters::named(&key.to_ascii_lowercase()) else {
        let known: Vec<&str> = FILTERS.iter().map(|filter| filter.key).collect();
        return Err(QueryError::UnknownFilter {
            key: key.to_owned(),
            known: known.join(", "),
        });
    };
    let lower = value.to_lowercase();
    let wrong = || match (word.typed.clone(), filter.takes) {
        (word, takes) if filter.key == "type" && is_like_extension(&lower, filter.values) => {
            let value = lower.clone();
            QueryError::Extension { word, value, takes }
        }
        (word, takes) => QueryError::Value {
            word,
            key: filter.key,
            takes,
        },
    };
    if filter.key == "name" {
        check_name(word, value)?;
    }
    let terms: Option<Vec<Term>> = filters::values(filter.key, value)
        .into_iter()
        .map(|value| Some(value).filter(|value| !value.is_empty()))
        .map(|value| of(filter.key, value?, now))
        .collect();
    let mut terms = terms.ok_or_else(wrong)?;
    let term = match terms.pop().ok_or_else(wrong)? {
        last if terms.is_empty() => last,
        last => Term::Any(terms.into_iter().chain([last]).collect()),
    };
    if word.sign.is_empty() {
        return Ok(term);
    }
    excluded(term).ok_or_else(|| QueryError::Excluded {
        word: word.typed.clone(),
        key: filter.key,
    })
}

/// Refuses parts of names that no name has.
fn check_name(word: &QueryToken, part: &str) -> Result<(), QueryError> {
    let typed = word.typed.clone();
    if word.has_wildcards {
        let extension = part.strip_prefix("*.").filter(|end| is_extension(end));
        let parts = part.split(|c: char| c == '*' || c == '?' || c.is_whitespace());
        let parts = parts.map(|part| part.trim_matches(|c: char| !c.is_alphanumeric()));
        let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
        let instead = match (extension, parts.as_slice()) {
            (Some(extension), _) => format!("ext:{extension}"),
            (None, []) => "in:/".to_owned(),
            (None, parts) => parts.join(" "),
        };
        return Err(QueryError::Wildcard {
            word: typed,
            pattern: part.to_owned(),
            instead,
        });
    }
    if typed.len() == part.len() && matches!(part, "AND" | "OR" | "NOT") {
        return Err(QueryError::Operator { word: typed });
    }
    if let Some((key, value)) = part.split_once('=').filter(|_| !typed.contains('"')) {
        let (sign, key) = key.strip_suffix('!').map_or(("", key), |key| ("!", key));
        if filters::named(&key.to_ascii_lowercase()).is_some() {
            let instead = format!("{sign}{key}:{value}");
            return Err(QueryError::NoColon {
                word: typed,
                instead,
            });
        }
    }
    if part.contains('/') {
        let path = format!("/{}", part.trim_matches('/'));
        return Err(QueryError::Path { word: typed, path });
    }
    Ok(())
}

/// Returns the opposite of a term, if there is one.
fn excluded(term: Term) -> Option<Term> {
    Some(match term {
        Term::Usable(is_usable) => Term::Usable(!is_usable),
        Term::Only(EntryKind::Files) => Term::Only(EntryKind::Folders),
        Term::Only(EntryKind::Folders) => Term::Only(EntryKind::Files),
        Term::Not(term) => *term,
        Term::Below(path) if path.is_empty() => return None,
        Term::Address(_) | Term::Duplicates | Term::Order(_) => return None,
        term => Term::Not(Box::new(term)),
    })
}

/// Returns `true` for a text that may stand behind the last dot of a name.
fn is_extension(text: &str) -> bool {
    !text.is_empty()
        && !text.contains(['.', '/', '*', '?', '|', ';'])
        && !text.contains(char::is_whitespace)
}

/// Returns `true` for a value such as `pdf`, and `false` for the start of one that is allowed.
fn is_like_extension(value: &str, values: &[&str]) -> bool {
    let is_short = (2..=5).contains(&value.len());
    let is_begun = values.iter().any(|known| known.starts_with(value));
    is_short && !is_begun && value.chars().all(|c| c.is_ascii_alphanumeric())
}

fn of(key: &str, value: &str, now: &Zoned) -> Option<Term> {
    let lower = value.to_lowercase();
    Some(match key {
        "name" => Term::Name(value.to_owned()),
        "type" => Term::Kind(kind(&lower)?),
        "ext" => {
            let extension = lower.trim_start_matches('.');
            Term::Extension(is_extension(extension).then(|| extension.to_owned())?)
        }
        "size" => Term::Size(values::size(value)?),
        "access" => Term::Access(level(&lower)?),
        "updated" => Term::Time(
            TimeField::Updated,
            values::time(&lower, TimeField::Updated, now)?,
        ),
        "before" | "after" => Term::Time(
            TimeField::Updated,
            values::beside_day(key == "after", value, now)?,
        ),
        "created" => Term::Time(
            TimeField::Created,
            values::time(&lower, TimeField::Created, now)?,
        ),
        "expires" if lower == "never" => Term::Not(Box::new(Term::Time(
            TimeField::Expires,
            Bound {
                range: Bounds::default(),
                description: "expiring".to_owned(),
            },
        ))),
        "expires" => Term::Time(
            TimeField::Expires,
            values::time(&lower, TimeField::Expires, now)?,
        ),
        "in" if value.starts_with('/') => Term::Below(value.trim_end_matches('/').to_owned()),
        "is" => match lower.as_str() {
            "file" => Term::Only(EntryKind::Files),
            "folder" => Term::Only(EntryKind::Folders),
            "duplicate" => Term::Duplicates,
            _ => return None,
        },
        "usable" => Term::Usable(match lower.as_str() {
            "yes" | "true" => true,
            "no" | "false" => false,
            _ => return None,
        }),
        "width" => Term::Width(values::pixels(value, "wide")?),
        "height" => Term::Height(values::pixels(value, "high")?),
        "md5" if lower.len() == 32 && lower.bytes().all(|byte| byte.is_ascii_hexdigit()) => {
            Term::Md5(lower)
        }
        "url" if lower.contains("://") => Term::Address(value.to_owned()),
        "sort" => Term::Order(order(&lower)?),
        _ => return None,
    })
}

fn kind(word: &str) -> Option<FileKind> {
    Some(match word {
        "img" | "image" => FileKind::Image,
        "doc" | "document" => FileKind::Document,
        "audio" => FileKind::Audio,
        "movie" | "video" => FileKind::Movie,
        "other" => FileKind::Unspecified,
        _ => return None,
    })
}

fn level(word: &str) -> Option<AccessTerm> {
    Some(match Access::from_word(word)? {
        Access::PublicIndexable => AccessTerm::Public,
        Access::PublicNotIndexable => AccessTerm::Unlisted,
        _ => AccessTerm::Private,
    })
}

fn order(word: &str) -> Option<Sort> {
    let (descending, key) = word
        .strip_prefix('-')
        .map_or((false, word), |key| (true, key));
    let key = match key {
        "name" => SortKey::Name,
        "size" => SortKey::Size,
        "type" => SortKey::Kind,
        "created" => SortKey::Created,
        "updated" => SortKey::Updated,
        "expires" => SortKey::Expires,
        _ => return None,
    };
    Some(Sort { key, descending })
}
