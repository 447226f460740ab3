//! The nine reports on limits.

/// What the service is asked about.
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
    /// Object types towards which records of this one are at or near it. Ids, as in `0-1`.
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
    /// Those on the whole account, which need to know nothing before.
    pub const OF_ACCOUNT: [Self; 7] = [
        Self::CustomProperties,
        Self::Records,
        Self::Pipelines,
        Self::Labels,
        Self::CalculatedProperties,
        Self::CustomObjectTypes,
        Self::Sources,
    ];

    /// Names it where it is written down; never changes.
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
