#!/usr/bin/env bash
# Sees to a Chromium and a font for the tests of the web app, or says what this machine lacks.
# Run by make; CHROMIUM=... chooses another Chromium.
set -euo pipefail

find_browser() {
    local name
    for name in ${CHROMIUM:-} chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" && return
    done
    return 1
}

if find_browser >/dev/null; then exit; fi

lacks() {
    printf '\nThe tests of the web app drive a Chromium, and there is none here%s.\n' "$1" >&2
    printf 'Install it with one of\n' >&2
    printf '    %-15s %s\n' 'Debian:' 'sudo apt install chromium fonts-dejavu-core' \
        'Ubuntu:' 'sudo snap install chromium' 'Fedora:' 'sudo dnf install chromium dejavu-sans-fonts' \
        'macOS:' 'brew install --cask chromium' >&2
    printf 'or name one by CHROMIUM=/path/to/chrome, and run make again.\n\n' >&2
    exit 1
}

command -v apt-get >/dev/null || lacks ''
root=
if [ "$(id -u)" != 0 ]; then
    sudo -n true 2>/dev/null || lacks ', and no right to install it'
    root='sudo -n'
fi
echo "installing chromium (for the tests of the web app)"
export DEBIAN_FRONTEND=noninteractive
install() { $root apt-get install -qq -y --no-install-recommends chromium fonts-dejavu-core >/dev/null; }
# The lists of packages may be old or missing.
install 2>/dev/null || { $root apt-get update -qq && install; } || lacks ', and apt-get cannot install it'
find_browser >/dev/null || lacks ', not even after apt-get install'
