//! The built-in themes: names and files.

pub(super) const ALL: [(&str, &str); 12] = [
    ("dark", include_str!("../../../../assets/themes/dark.toml")),
    (
        "light",
        include_str!("../../../../assets/themes/light.toml"),
    ),
    (
        "high-contrast",
        include_str!("../../../../assets/themes/high-contrast.toml"),
    ),
    ("ansi", include_str!("../../../../assets/themes/ansi.toml")),
    ("mono", include_str!("../../../../assets/themes/mono.toml")),
    (
        "catppuccin",
        include_str!("../../../../assets/themes/catppuccin.toml"),
    ),
    (
        "catppuccin-latte",
        include_str!("../../../../assets/themes/catppuccin-latte.toml"),
    ),
    (
        "gruvbox",
        include_str!("../../../../assets/themes/gruvbox.toml"),
    ),
    ("nord", include_str!("../../../../assets/themes/nord.toml")),
    (
        "tokyo-night",
        include_str!("../../../../assets/themes/tokyo-night.toml"),
    ),
    (
        "solarized",
        include_str!("../../../../assets/themes/solarized.toml"),
    ),
    (
        "solarized-light",
        include_str!("../../../../assets/themes/solarized-light.toml"),
    ),
];

pub(super) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    ALL.into_iter().find(|(known, _)| *known == name)
}

pub(super) fn names() -> impl Iterator<Item = &'static str> {
    ALL.into_iter().map(|(name, _)| name)
}
