#!/usr/bin/env bash
# Sees to the programs that the tests run and PyPI does not have, or says what this machine lacks:
# a Chromium with a font for the web app, PostgreSQL and Redis for several servers, a C compiler, and on Linux
# bubblewrap for the sandbox. Debian's Chromium without a window renders the same pages in about half the time.
# With the argument arm64: a compiler and an emulator for that processor instead; with wheels: emulators of
# the systems that there are wheels for, what unpacks Debian, and what reads modules for macOS; with browsers:
# Firefox, and WebKit with its driver and a screen for it; with coq: the proof assistant; with proxy: nginx
# and Caddy; with languages: those of the starters, and what checks XML.
# Run by make; CHROMIUM=... chooses another Chromium.
set -euo pipefail
wanted=${1:-}

find_browser() {
    local name
    for name in ${CHROMIUM:-} chromium-headless-shell chromium chromium-browser google-chrome google-chrome-stable; do
        command -v "$name" >/dev/null && return
    done
    return 1
}

find_sandbox() { [ "$(uname)" != Linux ] || command -v bwrap >/dev/null; }

find_postgresql() { ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || command -v initdb >/dev/null; }

find_redis() { command -v redis-server >/dev/null; }

find_proxies() { PATH="$PATH:/usr/sbin" command -v nginx >/dev/null && command -v caddy >/dev/null; }

find_arm64() { command -v aarch64-linux-gnu-g++ >/dev/null && command -v qemu-aarch64 >/dev/null; }

find_firefox() { command -v firefox-esr >/dev/null || command -v firefox >/dev/null; }

find_webkit() { command -v WebKitWebDriver >/dev/null && command -v Xvfb >/dev/null; }

find_gcc() { command -v gcc >/dev/null; }

# Each is a program and Debian's package that has it.
languages='node:nodejs javac:default-jdk-headless g++:g++ rustc:rustc go:golang-go ruby:ruby xmllint:libxml2-utils'

missing_languages() {
    local each
    for each in $languages; do command -v "${each%:*}" >/dev/null || printf '%s ' "${each#*:}"; done
}

find_wheels() {
    local name
    for name in debootstrap llvm-objdump qemu-aarch64 wine; do command -v "$name" >/dev/null || return 1; done
    [ -e "/lib/ld-musl-$(uname -m).so.1" ]
}

find_all() {
    case $wanted in
    arm64) find_arm64 ;;
    browsers) find_firefox && find_webkit ;;
    coq) command -v coqc >/dev/null ;;
    proxy) find_proxies ;;
    languages) [ -z "$(missing_languages)" ] ;;
    wheels) find_wheels ;;
    *) find_browser && find_sandbox && find_postgresql && find_redis && find_gcc ;;
    esac
}

missing=()
if [ "$wanted" = arm64 ]; then
    find_arm64 || missing+=(g++-aarch64-linux-gnu qemu-user)
elif [ "$wanted" = browsers ]; then
    find_firefox || missing+=(firefox-esr)
    find_webkit || missing+=(webkit2gtk-driver xvfb)
elif [ "$wanted" = coq ]; then
    command -v coqc >/dev/null || missing+=(coq)
elif [ "$wanted" = proxy ]; then
    find_proxies || missing+=(nginx caddy)
elif [ "$wanted" = languages ]; then
    read -r -a missing <<<"$(missing_languages)"
elif [ "$wanted" = wheels ]; then
    find_wheels || missing+=(debian-archive-keyring debootstrap llvm musl qemu-user wine wine64)
else
    find_browser || missing+=(chromium-headless-shell fonts-dejavu-core)
    find_sandbox || missing+=(bubblewrap)
    find_postgresql || missing+=(postgresql)
    find_redis || missing+=(redis-server)
    find_gcc || missing+=(gcc)
fi
[ ${#missing[@]} -gt 0 ] || exit 0

lacks() {
    printf '\nThe tests need %s, which this machine does not have%s.\n' "${missing[*]/-headless-shell/}" "$1" >&2
    if [ -n "$wanted" ]; then
        printf 'Install it with: sudo apt install %s\n\n' "${missing[*]}" >&2
        exit 1
    fi
    printf 'Install it with one of\n' >&2
    printf '    %-15s %s\n' 'Debian:' "sudo apt install ${missing[*]/-headless-shell/}" \
        'Ubuntu:' 'sudo snap install chromium; sudo apt install bubblewrap postgresql redis-server' \
        'Fedora:' 'sudo dnf install chromium dejavu-sans-fonts bubblewrap postgresql-server redis' \
        'macOS:' 'brew install --cask chromium; brew install postgresql redis' >&2
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
# Another apt-get may be at work, as in the minutes after a machine has started.
apt() { $root apt-get -qq -o DPkg::Lock::Timeout=600 "$@"; }
install() { apt install -y --no-install-recommends "$@" >/dev/null; }
# The lists of packages may be old or missing, and older systems have the Chromium with a window only.
install "${missing[@]}" 2>/dev/null ||
    { apt update && install "${missing[@]}" 2>/dev/null; } ||
    install "${missing[@]/chromium-headless-shell/chromium}" ||
    lacks ', and apt-get cannot install it'
find_all || lacks ', not even after apt-get install'
