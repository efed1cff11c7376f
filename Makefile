# Every target sets up what it needs in .venv, once. `make` alone lists the targets.
SHELL := /bin/bash
.DELETE_ON_ERROR:
.DEFAULT_GOAL := help
# `make V=1 TARGET` shows the commands of a target.
ifneq ($(V),1)
.SILENT:
endif

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# Where it is set, each of the hundreds of processes of the tests compiles every module it imports again.
unexport PYTHONDONTWRITEBYTECODE
BIN := .venv/bin
# uv installs in a fraction of the time; pip steps in where uv cannot, with an index that only pip knows say.
PIP = $(BIN)/python tools/setup/install.py
PYTHON_FILES := src tests benchmarks examples tools native/tools
NATIVE_FILES := $(shell find native -name "*.cpp" -o -name "*.hpp")
# What the compiled module is made of. Python files are used where they are and need no new build.
SOURCES := pyproject.toml CMakeLists.txt $(NATIVE_FILES) $(wildcard native/*/*.inc native/*/*.net)
# Node comes from PyPI, too, and what it runs is in node_modules.
NPM := PATH="$(CURDIR)/$(BIN):$$PATH" npm --silent

# At most two compilers at once: they need memory, too.
export CMAKE_BUILD_PARALLEL_LEVEL ?= 2
INSTALL = $(PIP) --no-build-isolation -C build-dir=build/dev
# Warnings are errors for those who change the code, and not for those who only want to play.
DEVELOP := -C cmake.define.FOURCAST_WERROR=ON -C cmake.define.FOURCAST_TESTS=ON

# Twice as many as there are processors: many tests wait for processes, servers and browsers.
TEST_PROCESSES := $(shell expr $$(getconf _NPROCESSORS_ONLN) \* 2)
# Neighbors stay together, so that what the tests of a file share is made once; who is done helps others.
IN_BLOCKS := --dist worksteal
# A browser on a busy machine may stall. What fails is tried once more, and the summary names what was.
ONCE_MORE := --reruns 1 -r fER

# ---- Setting up: each of these files stands for a step that was done ---------------------------------
VENV := .venv/.setup-done
READY_TO_PLAY := .venv/.install-done
READY_TO_SERVE := .venv/.web-install-done
READY_TO_TEST := .venv/.test-install-done
READY_TO_TEST_SLOWLY := .venv/.slow-install-done
READY_TO_BENCH := .venv/.bench-install-done
READY_TO_COMPILE_WASM := .venv/.wasm-install-done
READY_TO_MAKE_REPERTOIRE := .venv/.repertoire-install-done
READY_TO_MAKE_WHEELS := .venv/.wheels-install-done
READY_TO_DOCUMENT := .venv/.docs-install-done
READY_TO_CHECK_PAGE := node_modules/.package-lock.json
API_TYPES := build/page/openapi.d.ts
BUNDLE := src/fourcast/web/page/bundled/sources.sha256

$(VENV): pyproject.toml tools/setup/setup.sh
	tools/setup/setup.sh
	touch $@

$(READY_TO_PLAY): $(VENV) $(SOURCES)
	echo "building fourcast (a few minutes the first time)"
	$(INSTALL) -e .
	echo "done; to use the command fourcast in this shell: . .venv/bin/activate"
	touch $@

$(READY_TO_SERVE): $(VENV) $(SOURCES)
	echo "building fourcast with its web app (a few minutes the first time)"
	$(INSTALL) -e '.[web]'
	touch $@ $(READY_TO_PLAY)

$(READY_TO_TEST): $(VENV) $(SOURCES)
	echo "building fourcast and its tests (some minutes the first time)"
	$(INSTALL) $(DEVELOP) -e '.[test]'
	touch $@ $(READY_TO_PLAY) $(READY_TO_SERVE)

# With the kernels of all processors, as wheels are built.
$(READY_TO_TEST_SLOWLY): $(READY_TO_TEST)
	echo "installing what the slow tests need, and building fourcast with all kernels (some minutes)"
	$(PIP) --group slow
	$(PIP) --no-build-isolation --no-deps -C build-dir=build/all-kernels $(DEVELOP) \
	    -C cmake.define.FOURCAST_KERNELS=all -e .
	touch $@

# The packages of a group of pyproject.toml, and what they are.
define install-group
echo "installing $(2)"
$(PIP) --group $(1)
touch $@
endef

$(READY_TO_BENCH): pyproject.toml | $(READY_TO_PLAY)
	echo "installing what the benchmarks compare with"
	$(PIP) --group bench || echo "... which did not work; they run without it"
	touch $@

$(READY_TO_COMPILE_WASM): pyproject.toml | $(VENV)
	$(call install-group,wasm,the compiler for WebAssembly (100 MB))

$(READY_TO_MAKE_REPERTOIRE): pyproject.toml | $(READY_TO_PLAY)
	$(call install-group,repertoire,what makes the repertoires)

$(READY_TO_MAKE_WHEELS): pyproject.toml | $(VENV)
	$(call install-group,wheels,the compiler for all systems (100 MB))

$(READY_TO_DOCUMENT): pyproject.toml | $(READY_TO_SERVE)
	$(call install-group,docs,what makes the documentation)

$(READY_TO_CHECK_PAGE): package.json package-lock.json | $(VENV)
	echo "installing what checks and bundles the page's JavaScript"
	$(PIP) --group page
	$(NPM) ci --prefer-offline
	touch $@

$(BUNDLE): $(READY_TO_CHECK_PAGE) $(shell find src/fourcast/web/page/static/js -name "*.js") src/fourcast/notebook/widget.js | $(READY_TO_SERVE)
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/page/bundle.py

# What the server sends, as types for the page's JavaScript.
$(API_TYPES): $(READY_TO_CHECK_PAGE) tools/page/describe_server.py $(wildcard src/fourcast/web/*.py src/fourcast/web/routes/*.py src/fourcast/messages/*.json src/fourcast/messages/*/*.json) | $(READY_TO_TEST)
	$(BIN)/python tools/page/describe_server.py $(@D)
	$(NPM) run types >/dev/null 2>&1 || $(NPM) run types

# ---- For everybody -----------------------------------------------------------------------------------
.PHONY: help docs reference release play serve site test test-slow bench bench-full bench-explain bench-page bench-wasm bench-web lint style types page-bundle page-lint page-test native-test wasm wheels npm puzzles repertoire line-book level-choices train-order train-values build-training recorded regenerate format clean

help:  ## list the targets
	grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## /\1\t/' | expand -t 14

play: $(READY_TO_PLAY)  ## play in the terminal; ARGS="--second random" and the like are handed on
	$(BIN)/fourcast play $(ARGS)

serve: $(READY_TO_SERVE) page-bundle-if-possible  ## serve the web app on this machine; ARGS="--port 9000" and the like are handed on
	$(BIN)/fourcast serve $(ARGS)

site: $(READY_TO_SERVE) $(BUNDLE)  ## write the page as a static site to dist/site
	$(BIN)/fourcast site --out dist/site

test:  ## all checks and tests but the slow ones; ARGS="tests/book" and the like pick Python tests
	$(MAKE) --no-print-directory -j2 test-programs $(READY_TO_TEST)
	$(MAKE) --no-print-directory page-bundle
ifdef ARGS
	$(BIN)/python -m pytest -q $(ARGS)
else
	$(MAKE) --no-print-directory -j2 -Otarget types native-test style page-lint page-test
	$(BIN)/python -m pytest -q -n $(TEST_PROCESSES) $(IN_BLOCKS) --ignore tests/browser
	echo "the page in a browser"
	$(BIN)/python -m pytest -q -n $(TEST_PROCESSES) $(IN_BLOCKS) $(ONCE_MORE) tests/browser
endif

test-slow: test-programs $(READY_TO_TEST) $(BUNDLE) $(READY_TO_TEST_SLOWLY) $(READY_TO_COMPILE_WASM) $(READY_TO_DOCUMENT) $(API_TYPES)  ## the slow tests, and the C++ tests under sanitizers and for arm64
	$(MAKE) --no-print-directory sanitized-test
	$(MAKE) --no-print-directory sanitized-test SANITIZERS=thread WORD=threads
	$(MAKE) --no-print-directory arm64-test
	tools/setup/test_programs.sh browsers
	tools/setup/test_programs.sh coq
	tools/setup/test_programs.sh proxy
	tools/setup/test_programs.sh languages
	build/all-kernels/fourcast_tests --slow
	$(BIN)/python -m pytest -q -m 'not slow' tests/core/test_kernels.py
	$(BIN)/python -m pytest -q -m slow $(ARGS)

bench: $(READY_TO_BENCH)  ## measure, side by side with peers
	for script in $(filter-out benchmarks/positions.py benchmarks/web.py benchmarks/web_servers.py benchmarks/explain.py benchmarks/page.py benchmarks/wasm.py,$(wildcard benchmarks/*.py)); do $(BIN)/python $$script $(BENCH_FLAGS) || exit; done

bench-full: BENCH_FLAGS := --full
bench-full: bench  ## the same at length

bench-explain: $(READY_TO_TEST)  ## how many positions of fresh games have a short reason, and what finding it costs
	PYTHONPATH=. $(BIN)/python benchmarks/explain.py $(ARGS)
	PYTHONPATH=. $(BIN)/python benchmarks/reviews.py

bench-wasm: $(READY_TO_TEST)  ## the time of the core in WebAssembly next to the native one, and its size
	$(BIN)/python benchmarks/wasm.py $(ARGS)

bench-page: test-programs $(READY_TO_TEST) $(BUNDLE)  ## bytes, requests, times on a slow line and memory of the page, in a browser
	PYTHONPATH=. $(BIN)/python benchmarks/page.py $(ARGS)

bench-web: $(READY_TO_TEST)  ## 200 live games and 50 analysts against a server on this machine, for a minute
	PYTHONPATH=. $(BIN)/python benchmarks/web.py $(ARGS)

puzzles: $(READY_TO_PLAY)  ## make 1% of the shipped puzzles again and compare; ARGS=--all makes all of them
	$(BIN)/python tools/make/repeat_puzzles.py $(ARGS)

repertoire: $(READY_TO_MAKE_REPERTOIRE)  ## make the opening repertoires again; takes some minutes
	$(BIN)/python tools/make/make_repertoire.py

line-book: $(READY_TO_PLAY)  ## make the line book beside the opening book again; takes half an hour
	$(BIN)/python tools/make/make_line_book.py

level-choices: $(READY_TO_PLAY)  ## make again what `fourcast explore` knows of the levels; takes some minutes
	$(BIN)/python tools/make/make_level_choices.py

# Without it the page works, too, and a first visit takes longer.
.PHONY: page-bundle-if-possible
page-bundle-if-possible: | $(READY_TO_SERVE)
	$(MAKE) --no-print-directory page-bundle || echo "... which did not work; the page's modules are sent one by one"

.PHONY: test-programs
test-programs:
	tools/setup/test_programs.sh

# ---- For developers ----------------------------------------------------------------------------------
lint: style types page-lint  ## style and types

style: $(READY_TO_TEST)
	echo "ruff, clang-format"
	$(BIN)/ruff check -q $(PYTHON_FILES)
	$(BIN)/ruff format -q --check $(PYTHON_FILES) || { echo "run: make format"; exit 1; }
	$(BIN)/clang-format --dry-run -Werror $(NATIVE_FILES) || { echo "run: make format"; exit 1; }

types: $(READY_TO_TEST)
	echo "mypy"
	$(BIN)/mypy

page-lint: $(API_TYPES)
	echo "prettier, eslint, tsc"
	$(NPM) run lint

page-test: $(API_TYPES)  ## the tests of the page's JavaScript that need no browser
	$(NPM) run test

page-bundle: $(BUNDLE)  ## bundle the page's JavaScript, for wheels and for quick first visits

native-test: $(READY_TO_TEST)  ## the C++ tests
	build/dev/fourcast_tests

WASM_OUT := src/fourcast/web/page/static/js/core
WASM_BUILD := build/wasm
wasm: $(READY_TO_COMPILE_WASM)  ## compile the core to WebAssembly again, after a change of the C++ code
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -G Ninja -S . -B $(WASM_BUILD) --log-level=WARNING -DCMAKE_BUILD_TYPE=MinSizeRel \
	    -DCMAKE_TOOLCHAIN_FILE=$(CURDIR)/tools/wasm/zig-wasm.cmake -DCMAKE_INSTALL_PREFIX=$(abspath $(WASM_OUT)) \
	    -DFOURCAST_ZIG=$$($(BIN)/python -c "import os, ziglang; print(os.path.dirname(ziglang.__file__))")/zig
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build $(WASM_BUILD) -- --quiet
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --install $(WASM_BUILD)

npm: $(READY_TO_CHECK_PAGE) | $(READY_TO_PLAY)  ## make the npm package fourcast-core in dist
	PATH="$(CURDIR)/$(BIN):$$PATH" $(BIN)/python tools/npm/make_package.py

# TARGETS="win_amd64" and the like pick some; HEADERS names the headers of Python 3.12 or newer, if this is older.
wheels: $(READY_TO_MAKE_WHEELS) $(BUNDLE)  ## make wheels for Linux, macOS and Windows in dist, and test them in emulators
	tools/setup/test_programs.sh wheels
	$(BIN)/python tools/wheels/make_wheels.py $(if $(HEADERS),--headers $(HEADERS)) $(TARGETS)
	$(BIN)/python tools/wheels/check_wheels.py $(TARGETS)

# One build directory for each set of sanitizers; WORD picks tests by their names.
.PHONY: sanitized-test
SANITIZERS := address,undefined
WORD :=
sanitized-test: $(VENV)
	echo "building the C++ tests with -fsanitize=$(SANITIZERS)"
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -G Ninja -S . -B build/sanitize-$(SANITIZERS) --log-level=WARNING \
	    -DFOURCAST_MODULE=OFF -DFOURCAST_TESTS=ON -DFOURCAST_SANITIZE=$(SANITIZERS) -DCMAKE_BUILD_TYPE=RelWithDebInfo
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/sanitize-$(SANITIZERS) -- --quiet
	build/sanitize-$(SANITIZERS)/fourcast_tests $(WORD)

# The C++ tests compiled for another processor, and run by an emulator.
.PHONY: arm64-test
arm64-test: $(VENV)
	tools/setup/test_programs.sh arm64
	echo "building the C++ tests for arm64"
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -G Ninja -S . -B build/arm64 --log-level=WARNING \
	    -DFOURCAST_MODULE=OFF -DFOURCAST_TESTS=ON -DCMAKE_SYSTEM_NAME=Linux -DCMAKE_SYSTEM_PROCESSOR=aarch64 \
	    -DCMAKE_CXX_COMPILER=aarch64-linux-gnu-g++ -DCMAKE_EXE_LINKER_FLAGS=-static
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/arm64 -- --quiet
	qemu-aarch64 build/arm64/fourcast_tests $(WORD)

# For an even number of rows from 7x6, and for an odd number from these.
RECORD_SECONDS := 3600
ODD_SIZES := 7x7 9x5 6x7 7x5 8x5
train-order: $(VENV) build-training  ## learn the whole move order again, from two processes' records (1 1/4 hours)
	$(PIP) numpy scipy
	echo "recording for $(RECORD_SECONDS) seconds"
	build/tools/record_order build/tools/even.records $(RECORD_SECONDS) 1 7x6 & \
	    build/tools/record_order build/tools/odd.records $(RECORD_SECONDS) 2 $(ODD_SIZES) && wait
	$(BIN)/python tools/make/train_order.py build/tools/even.records
	$(BIN)/python tools/make/train_order.py --odd build/tools/odd.records
	$(MAKE) --no-print-directory train-values

# Same compiler, same processor level and same net to record with: same net (docs/how-the-solver-works.md).
# PART=20 records and learns a twentieth, to try the recipe; NET names another file for what is learned. SIZE=8x6 learns
# a net for another size, from searches alone where there is no book, with UNITS=32, 64 or 128, from MILLIONS of positions.
SIZE := 7x6
UNITS := 128
MILLIONS := 100
PART := 1
NET := native/search/values-$(SIZE).net
VALUES := $(addprefix build/tools/,search-1.values search-2.values)
BOOK_VALUES := $(if $(wildcard src/fourcast/book/shipped/$(SIZE)-12.book),build/tools/book.values)
part = $$(($(1) / $(PART)))
train-values: $(VENV) build-training  ## learn the net of the move order again, from searches with the present one (half an hour)
	echo "recording $(call part,50) million positions"
	build/tools/record_values build/tools/check.values $(call part,180000) 7 $(SIZE)
	build/tools/record_values build/tools/search-1.values $(call part,33000000) 20261120 $(SIZE)
	build/tools/record_values build/tools/search-2.values $(call part,16900000) 20261121 $(SIZE)
	$(if $(BOOK_VALUES),build/tools/record_values $(BOOK_VALUES) $(call part,5000000) 20261119 $(SIZE) \
	    src/fourcast/book/shipped/$(SIZE)-12.book 100)
	build/tools/train_values $(NET) $(SIZE) $(UNITS) $(call part,$(MILLIONS)) 1 tools/make/held_out-$(SIZE).txt \
	    build/tools/check.values $(VALUES) $(BOOK_VALUES)
	sha256sum build/tools/check.values $(VALUES) $(BOOK_VALUES) $(NET)

build-training: $(VENV)
	echo "building the recorders and the trainer"
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake -G Ninja -S . -B build/tools --log-level=WARNING \
	    -DFOURCAST_MODULE=OFF -DFOURCAST_TOOLS=ON
	PATH="$(CURDIR)/$(BIN):$$PATH" cmake --build build/tools -- --quiet

reference: $(READY_TO_SERVE)  ## write docs/reference again, after a change of docstrings, help or the HTTP API
	$(BIN)/python tools/docs/write_reference.py

RECORDERS := $(wildcard tools/page/record_*.py)
recorded: $(READY_TO_TEST)  ## record again what the tests compare the page's answers with, after a change of answers
	for recorder in $(RECORDERS); do $(BIN)/python $$recorder || exit; done

# The recorded answers should not change at all if only the code has.
MADE_FROM_CORE := src/fourcast/web/page/static/js/core/*.wasm tests/fixtures docs/reference
regenerate:  ## after a change of the C++ code: make the wasm, the recorded answers and the reference again
	$(MAKE) --no-print-directory wasm
	$(MAKE) --no-print-directory recorded
	$(MAKE) --no-print-directory reference
	git --no-pager diff --stat -- $(MADE_FROM_CORE)
	git diff --quiet -- $(MADE_FROM_CORE) && echo "nothing has changed" || true

# Warnings are errors. The home page has the static page in it. The last step follows every link, and looks for anything from another host.
docs: $(READY_TO_DOCUMENT) $(BUNDLE)  ## build the documentation site in build/site, and check its links
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs --quiet build --strict
	$(BIN)/fourcast site --out build/site/play >/dev/null
	$(BIN)/python tools/docs/check_site.py build/site

release: $(READY_TO_TEST) $(BUNDLE)  ## check what can be checked before a release, and say what is left to do
	$(BIN)/python tools/release/release.py $(if $(VERSION),--version $(VERSION)) $(if $(OWNER),--owner $(OWNER))

format: $(READY_TO_TEST) $(READY_TO_CHECK_PAGE)  ## format the code
	$(BIN)/ruff check -q --fix $(PYTHON_FILES)
	$(BIN)/ruff format -q $(PYTHON_FILES)
	$(BIN)/clang-format -i $(NATIVE_FILES)
	$(NPM) run format >/dev/null

clean:  ## remove all that was built, and .venv
	rm -rf .venv build dist node_modules src/fourcast/*/bundled src/fourcast/web/page/bundled .hypothesis .mypy_cache .pytest_cache .ruff_cache
	find src tests benchmarks -name __pycache__ -prune -exec rm -rf {} +
