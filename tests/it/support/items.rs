//! Files or folders of a service that responds to searches as the live one does.

use serde_json::json;

use super::capture::{Reply, Seen};

/// The contents of a service, in both orders that are requested.
pub struct Items {
    by_name: Vec<serde_json::Value>,
    by_id: Vec<serde_json::Value>,
}

fn id(item: &serde_json::Value) -> usize {
    item["id"].as_str().unwrap().parse().unwrap()
}

impl Items {
    pub fn new(items: impl IntoIterator<Item = serde_json::Value>) -> Self {
        let mut by_id: Vec<_> = items.into_iter().collect();
        by_id.sort_by_key(id);
        let mut by_name = by_id.clone();
        by_name.sort_by_key(|item| item["name"].as_str().unwrap().to_owned());
        Self { by_name, by_id }
    }

    /// The response to a search, as by the live service: offsets end at 10,000.
    pub fn search(&self, seen: &Seen) -> Reply {
        let number = |key: &str| {
            seen.query(key)
                .first()
                .map(|value| value.parse::<usize>().unwrap())
        };
        let (limit, offset) = (number("limit").unwrap_or(10), number("after").unwrap_or(0));
        if offset > 10_000 || limit > 100 {
            return Reply::json(
                400,
                &json!({ "message": "no", "category": "VALIDATION_ERROR" }),
            );
        }
        let in_order = if seen.query("sort") == ["id"] {
            &self.by_id
        } else {
            &self.by_name
        };
        let from = number("idGte").unwrap_or(0);
        let ids = seen.query("ids");
        let is_asked = |item: &serde_json::Value| {
            ids.is_empty() || ids.iter().any(|asked| item["id"] == asked.as_str())
        };
        let mut rest = in_order
            .iter()
            .filter(|item| id(item) >= from && is_asked(item))
            .skip(offset);
        let mut body = json!({ "results": rest.by_ref().take(limit).collect::<Vec<_>>() });
        if rest.next().is_some() {
            body["paging"] = json!({ "next": { "after": (offset + limit).to_string() } });
        }
        Reply::json(200, &body)
    }
}
