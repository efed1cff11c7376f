#!/usr/bin/env bash
# Makes .venv with all that it takes to build fourcast, or says what this machine lacks.
# Run by make; PYTHON=... chooses the Python, CXX=... the compiler.
set -euo pipefail
cd "$(dirname "$0")/../.."

lacks() {
    printf '\nfourcast needs %s. Install it with one of\n' "$1" >&2
    printf '    %-15s %s\n' 'Debian, Ubuntu:' "$2" 'Fedora:' "$3" 'macOS:' "$4" >&2
    printf 'and run make again.\n\n' >&2
    exit 1
}

is_new_enough() { command -v "$1" >/dev/null && "$1" -c 'import sys; sys.exit(sys.version_info < (3, 10))' 2>/dev/null; }

python=
for candidate in ${PYTHON:-python3 python3.14 python3.13 python3.12 python3.11 python3.10 python}; do
    if is_new_enough "$candidate"; then
        python=$candidate
        break
    fi
done
[ -n "$python" ] || lacks 'Python 3.10 or newer' \
    'sudo apt install python3 python3-venv python3-dev' 'sudo dnf install python3 python3-devel' 'brew install python'
"$python" -c 'import ensurepip, venv' 2>/dev/null || lacks "the venv module of $python" \
    'sudo apt install python3-venv' 'sudo dnf install python3' 'brew install python'
"$python" -c 'import os, sys, sysconfig
sys.exit(not os.path.exists(os.path.join(sysconfig.get_path("include"), "Python.h")))' ||
    lacks "the header files of $python" \
        'sudo apt install python3-dev' 'sudo dnf install python3-devel' 'brew install python'

compiles() { echo '#include <bit>
int main() { return std::popcount(0u); }' | "$1" -std=c++20 -x c++ -fsyntax-only - 2>/dev/null; }
compiles "${CXX:-c++}" || compiles g++ || compiles clang++ || lacks 'a C++20 compiler' \
    'sudo apt install g++' 'sudo dnf install gcc-c++' 'xcode-select --install'

echo "setting up .venv ($("$python" --version))"
[ -x .venv/bin/python ] || "$python" -m venv --without-pip .venv
# uv installs in a fraction of the time; it comes by the pip that is there, which is quicker than a pip of the
# environment's own. Where that is too old or missing, ensurepip's does it; where there is no uv, pip does it
# all, and has to be new enough.
"$python" -m pip --python .venv/bin/python install -qq --only-binary uv uv pip 2>/dev/null || {
    .venv/bin/python -m ensurepip --upgrade --default-pip >/dev/null
    .venv/bin/python -m pip install -qq --only-binary uv uv 2>/dev/null ||
        .venv/bin/python -m pip install -qq --upgrade pip
}
.venv/bin/python tools/setup/install.py --group build
