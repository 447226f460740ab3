//! The parameters of the screen's functions: five at most, and no tuples.

use syn::visit::{self, Visit};

use super::sources::sources;

/// The functions with too many parameters, or with a tuple in the place of several.
struct Refused {
    module: &'static str,
    found: Vec<String>,
}

impl<'ast> Visit<'ast> for Refused {
    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        let has_tuple = signature.inputs.iter().any(|input| match input {
            syn::FnArg::Receiver(_) => false,
            syn::FnArg::Typed(input) => is_tuple(&input.ty),
        });
        if has_tuple || signature.inputs.len() > 5 {
            self.found
                .push(format!("{}::{}", self.module, signature.ident));
        }
    }

    fn visit_item_impl(&mut self, item: &'ast syn::ItemImpl) {
        // The trait decides.
        if item.trait_.is_none() {
            visit::visit_item_impl(self, item);
        }
    }
}

fn is_tuple(ty: &syn::Type) -> bool {
    match ty {
        syn::Type::Reference(ty) => is_tuple(&ty.elem),
        syn::Type::Tuple(ty) => !ty.elems.is_empty(),
        _ => false,
    }
}

fn refused(module: &'static str, code: &str) -> Vec<String> {
    let mut refused = Refused {
        module,
        found: Vec::new(),
    };
    refused.visit_file(&syn::parse_file(code).unwrap());
    refused.found
}

#[test]
fn functions_of_the_screen_have_at_most_five_parameters_and_no_tuples() {
    let screen = sources()
        .iter()
        .filter(|source| source.module.starts_with("tui"));
    let found: Vec<String> = screen
        .flat_map(|source| refused(&source.module, &source.code))
        .collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
}

#[test]
fn a_method_counts_its_receiver_and_a_borrowed_tuple_is_a_tuple() {
    let code = "
        trait T { fn six(&self, a: u8, b: u8, c: u8, d: u8, e: u8); }
        impl T for U { fn not_counted(&self, a: u8, b: u8, c: u8, d: u8, e: (u8, u8)) {} }
        impl U { fn borrowed(&self, pair: &(u8, u8)) {} fn five(&self, a: u8, b: u8, c: u8, d: u8) {} }
        fn pairs(pairs: &[(u8, u8)], done: ()) {}
    ";
    assert_eq!(refused("m", code), ["m::six", "m::borrowed"]);
}
