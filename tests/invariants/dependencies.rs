//! The crates that gridbug is built from: their licences allow to publish it, and none is there twice.

use serde_json::Value;
use std::collections::BTreeMap;
use std::process::Command;

/// Licences that allow to publish gridbug under its own.
const LICENCES: &[&str] = &[
    "0BSD",
    "Apache-2.0",
    "Apache-2.0 WITH LLVM-exception",
    "BSD-2-Clause",
    "BSD-3-Clause",
    "BSL-1.0",
    "CC0-1.0",
    "ISC",
    "MIT",
    "MIT-0",
    "Unicode-3.0",
    "Unlicense",
    "Zlib",
];

/// Crates that are there in several versions, because others need different ones.
const DUPLICATES: &[&str] = &["cfg_aliases", "foldhash", "hashbrown", "nix", "syn"];

/// The platform of this build: other platforms may need crates that were never downloaded.
fn platform() -> String {
    let done = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(done.stdout).unwrap();
    let host = text.lines().find_map(|line| line.strip_prefix("host: "));
    host.expect("a host").to_string()
}

/// All packages of the lock file that this platform needs, as cargo knows them without a network.
fn packages() -> Vec<Value> {
    let mut command = Command::new(env!("CARGO"));
    command.args(["metadata", "--format-version", "1", "--offline", "--locked"]);
    command.args(["--filter-platform", &platform()]);
    let done = command
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(
        done.status.success(),
        "{}",
        String::from_utf8_lossy(&done.stderr)
    );
    let metadata: Value = serde_json::from_slice(&done.stdout).unwrap();
    metadata["packages"].as_array().unwrap().clone()
}

/// Whether one of the alternatives is allowed in all its parts.
fn is_allowed(licence: &str) -> bool {
    let is_known = |part: &str| LICENCES.contains(&part.trim());
    let alternatives = licence.replace(['(', ')'], "").replace('/', " OR ");
    alternatives
        .split(" OR ")
        .any(|all| all.split(" AND ").all(is_known))
}

#[test]
fn licences_of_dependencies_are_known() {
    let unknown: Vec<String> = packages()
        .iter()
        .filter(|package| !is_allowed(package["license"].as_str().unwrap_or("none")))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(unknown.is_empty(), "{}", unknown.join("\n"));
}

#[test]
fn dependencies_are_there_once() {
    let mut versions: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for package in packages() {
        let text = |key: &str| package[key].as_str().unwrap().to_string();
        versions
            .entry(text("name"))
            .or_default()
            .push(text("version"));
    }
    versions.retain(|_, versions| versions.len() > 1);
    let names: Vec<&str> = versions.keys().map(String::as_str).collect();
    assert_eq!(names, DUPLICATES, "{versions:#?}");
}

#[test]
fn alternatives_and_combinations_of_licences_are_read() {
    assert!(is_allowed("MIT OR Apache-2.0"));
    assert!(is_allowed("GPL-3.0 OR MIT"));
    assert!(is_allowed("(MIT OR Apache-2.0) AND Unicode-3.0"));
    assert!(!is_allowed("MIT AND GPL-3.0"));
    assert!(!is_allowed("none"));
}
