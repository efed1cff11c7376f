#!/usr/bin/env bash
# Sees to the programs that the tests run and PyPI does not have, or says what this machine lacks:
# a Chromium with a font for the web app, and on Linux bubblewrap for the sandbox. Debian's Chromium without
# a window renders the same pages in about half the time.
# Run by make; CHROMIUM=... chooses another Chromium.
set -euo pipefail

find_browser() {
    local name
    for name in ${CHROMIUM:-} chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null && return
    done
    return 1
}

find_sandbox() { [ "$(uname)" != Linux ] || command -v bwrap >/dev/null; }

missing=()
find_browser || missing+=(chromium-headless-shell fonts-dejavu-core)
find_sandbox || missing+=(bubblewrap)
[ ${#missing[@]} -gt 0 ] || exit 0

lacks() {
    printf '\nThe tests need %s, which this machine does not have%s.\n' "${missing[*]/-headless-shell/}" "$1" >&2
    printf 'Install it with one of\n' >&2
    printf '    %-15s %s\n' 'Debian:' "sudo apt install ${missing[*]/-headless-shell/}" \
        'Ubuntu:' 'sudo snap install chromium; sudo apt install bubblewrap' \
        'Fedora:' 'sudo dnf install chromium dejavu-sans-fonts bubblewrap' \
        'macOS:' 'brew install --cask chromium' >&2
    printf 'or name a Chromium by CHROMIUM=/path/to/chrome, and run make again.\n\n' >&2
    exit 1
}

command -v apt-get >/dev/null || lacks ''
root=
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || lacks ', and no right to install it'
    root='sudo -n'
fi
echo "installing ${missing[*]} (for the tests)"
export DEBIAN_FRONTEND=noninteractive
install() { $root apt-get install -qq -y --no-install-recommends "$@" >/dev/null; }
# The lists of packages may be old or missing, and older systems have the Chromium with a window only.
install "${missing[@]}" 2>/dev/null ||
    { $root apt-get update -qq && install "${missing[@]}" 2>/dev/null; } ||
    install "${missing[@]/chromium-headless-shell/chromium}" ||
    lacks ', and apt-get cannot install it'
find_browser && find_sandbox || lacks ', not even after apt-get install'
