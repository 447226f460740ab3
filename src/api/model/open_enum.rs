//! Enums that stay open: an unknown value is kept as text, and displayed and sent back unchanged.

/// Declares an enum of wire literals with an `Other(String)` variant, its serde, schema, `as_str`
/// and `Display`.
macro_rules! open_enum {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $wire:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Eq, Hash, strum::AsRefStr, strum::Display, strum::EnumString)]
        #[non_exhaustive]
        pub enum $name {
            $($(#[$variant_doc])* #[strum(serialize = $wire)] $variant,)+
            /// A value that this version does not know, unchanged.
            #[strum(default, transparent)]
            Other(String),
        }

        impl $name {
            /// Returns the value as it is on the wire.
            pub fn as_str(&self) -> &str {
                self.as_ref()
            }
        }

        #[cfg(feature = "service")]
        impl utoipa::PartialSchema for $name {
            fn schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                let values = utoipa::openapi::ObjectBuilder::new()
                    .schema_type(utoipa::openapi::schema::Type::String)
                    .enum_values(Some([$($wire),+]));
                values.into()
            }
        }

        #[cfg(feature = "service")]
        impl utoipa::ToSchema for $name {}

        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }

        impl $crate::api::lenient::Plain for $name {
            fn of_text(text: std::borrow::Cow<'_, str>) -> Option<Self> {
                Some(Self::from(text.as_ref()))
            }
        }

        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                struct Text;

                impl serde::de::Visitor<'_> for Text {
                    type Value = $name;

                    fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                        f.write_str("a string")
                    }

                    fn visit_str<E: serde::de::Error>(self, text: &str) -> Result<$name, E> {
                        Ok($name::from(text))
                    }
                }

                deserializer.deserialize_str(Text)
            }
        }
    };
}

pub(super) use open_enum;
