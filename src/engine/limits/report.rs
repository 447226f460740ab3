//! The nine reports on limits.

#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Report {
    CustomProperties,
    Records,
    Pipelines,
    Labels,
    CalculatedProperties,
    CustomObjectTypes,
    /// Object types that have records at or near a limit of associations.
    Sources,
    /// Object types to which associations from this type have records at or near a limit. By id, as
    /// in `0-1`.
    Targets {
        from: String,
    },
    /// Records of one type at or near the limit of associations with another.
    Pair {
        from: String,
        to: String,
    },
}

impl Report {
    /// The reports on the whole account, which need no ids.
    pub const OF_ACCOUNT: [Self; 7] = [
        Self::CustomProperties,
        Self::Records,
        Self::Pipelines,
        Self::Labels,
        Self::CalculatedProperties,
        Self::CustomObjectTypes,
        Self::Sources,
    ];

    /// Returns the name under which it is stored; never changes.
    pub fn name(&self) -> &'static str {
        match self {
            Self::CustomProperties => "custom-properties",
            Self::Records => "records",
            Self::Pipelines => "pipelines",
            Self::Labels => "association-labels",
            Self::CalculatedProperties => "calculated-properties",
            Self::CustomObjectTypes => "custom-object-types",
            Self::Sources | Self::Targets { .. } | Self::Pair { .. } => "associations",
        }
    }
}
