//! The extension for Visual Studio Code, for those who have the program alone.

macro_rules! files {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../vscode/", $name)))),*]
    };
}

/// Its files: paths in its folder, and what stands in them.
pub const FILES: [(&str, &str); 7] = files![
    ".vscodeignore",
    "LICENSE",
    "README.md",
    "client.js",
    "language-configuration.json",
    "package.json",
    "syntaxes/trackwright.tmLanguage.json",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    fn listed(folder: &Path, start: &str, all: &mut Vec<String>) {
        let entries = std::fs::read_dir(folder).expect("the folder is there");
        for entry in entries.flatten() {
            let name = entry.file_name().to_string_lossy().into_owned();
            // What `.gitignore` names is made by npm.
            let made = name == "node_modules" || name == "package-lock.json";
            if made || name == ".gitignore" || name.ends_with(".vsix") {
                continue;
            }
            match entry.path().is_dir() {
                true => listed(&entry.path(), &format!("{start}{name}/"), all),
                false => all.push(format!("{start}{name}")),
            }
        }
    }

    #[test]
    fn no_file_of_the_extension_is_left_out() {
        let mut there = Vec::new();
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("vscode");
        listed(&folder, "", &mut there);
        there.sort();
        assert_eq!(there, FILES.map(|(name, _)| name));
    }
}
