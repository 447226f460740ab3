//! Finds searches that nothing can match, such as `size:>2M size:<1M` or `type:image !type:image`.

use super::service_filters::{self, contains, is_below};
use super::term::Term;
use crate::api::search::Bounds;

/// Returns `false` if no entry can match all terms, as far as that shows.
pub(super) fn are_possible(terms: &[Term]) -> bool {
    let search = service_filters::files(terms);
    let service_filters::Times { created, updated } = service_filters::times(terms);
    let numbers = [search.size, search.width, search.height];
    let times = [search.expires, created, updated];
    numbers.iter().all(Bounds::is_possible)
        && times.iter().all(Bounds::is_possible)
        && !service_filters::levels(terms).is_empty()
        && !terms.iter().any(|term| is_excluded(term, terms))
}

/// Returns `true` if other terms leave out all that the term finds.
fn is_excluded(term: &Term, terms: &[Term]) -> bool {
    match term {
        Term::Any(values) => values.iter().all(|value| is_excluded(value, terms)),
        value => terms
            .iter()
            .any(|other| matches!(other, Term::Not(left_out) if implies(value, left_out))),
    }
}

/// Returns `true` if what matches the first term matches the second one, too.
fn implies(term: &Term, other: &Term) -> bool {
    match (term, other) {
        (_, Term::Any(values)) => values.iter().any(|value| implies(term, value)),
        (Term::Name(name), Term::Name(part)) => contains(name, part),
        (Term::Below(path), Term::Below(folder)) => path == folder || is_below(path, folder),
        (Term::Size(inner), Term::Size(outer))
        | (Term::Width(inner), Term::Width(outer))
        | (Term::Height(inner), Term::Height(outer)) => inner.range.and(outer.range) == inner.range,
        (Term::Time(field, inner), Term::Time(other, outer)) => {
            field == other && inner.range.and(outer.range) == inner.range
        }
        _ => term == other,
    }
}
