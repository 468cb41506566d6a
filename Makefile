# Marvin's Makefile. `make` without a target builds the program.

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
RELEASE  = CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)'

PREFIX  ?= /usr/local
BINARY  ?= ./marvin
SHARE    = $(DESTDIR)$(PREFIX)/share
INSTALL ?= install

.PHONY: build install uninstall lean ports run try test test-faults lives race lint fuzz fuzz-changed nightly crash torture soak race-all redteam reality eval bench figures house golden screenshots deps clean dist slow sumtypes linter

build: ## build one static binary, stripped, with its version
	$(RELEASE) -o marvin ./cmd/marvin

install: build ## install the binary, completions and manual page below PREFIX; packagers set DESTDIR
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d $(SHARE)/man/man1
	$(INSTALL) -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/marvin
	$(BINARY) completion bash > $(SHARE)/bash-completion/completions/marvin
	$(BINARY) completion zsh > $(SHARE)/zsh/site-functions/_marvin
	$(BINARY) completion fish > $(SHARE)/fish/vendor_completions.d/marvin.fish
	$(BINARY) man > $(SHARE)/man/man1/marvin.1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/marvin $(SHARE)/bash-completion/completions/marvin $(SHARE)/zsh/site-functions/_marvin \
		$(SHARE)/fish/vendor_completions.d/marvin.fish $(SHARE)/man/man1/marvin.1

dist: ## make archives for six systems, checksums and bills of materials: make dist VERSION=0.2.0
	rm -rf dist
	$(MAKE) install VERSION=$(VERSION) DESTDIR=dist/stage PREFIX=
	go run ./cmd/marvin/testdata/dist -version '$(VERSION)' -with dist/stage/share -out dist
	rm -rf dist/stage

# If the program calls reflect's Method with a name that is not constant, the linker keeps every
# method of every type. This adds 6 MB, which each process maps. google.golang.org/protobuf before
# version 1.36 had such a call: of Methods, which is also a method of reflect.Value since Go 1.26.
lean: ## check that the linker can remove unused methods
	@! CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -dumpdep' -o /dev/null ./cmd/marvin 2>&1 | grep -m1 '<ReflectMethod>'

ports: ## check that it compiles for macOS and Windows
	GOOS=darwin go vet ./...
	GOOS=windows go build ./...

run: build ## build and start Marvin
	./marvin

try: build ## run one prompt that needs no key; the first build downloads Go modules
	@echo "Built (the first time go downloads the modules of go.mod, and nothing else). Now: what changed in the last 5 commits?"
	./marvin --non-interactive --prompt "show the last 5 commits"

# How the tests are run, with the measured effects:
#
# -ldflags="-s -w" omits debug information from the test programs. Linking it took 77 of the
# 512 s of processor time of all tests.
#
# -short leaves out table rows and random rounds that take long: some tests try a third of their
# cases, or every case in one mode of the sandbox instead of two. SHORT= runs them all, as "make
# nightly" does.
#
# -vet=off: the linter runs vet.
#
# -count=1 turns off Go's cache of test results. The cache does not notice new programs on PATH: a
# test that was skipped without Chromium stayed skipped after Chromium was installed. The cache also
# used 150 of 850 s of processor time, to resolve the links of all files that tests had opened.
#
# The tests are built without cgo, like the program: 598 s instead of 632 s.
#
# GOGC: compiler, linker and tests collect garbage less often. Building and linking alone takes 65 s
# instead of 75 s.
#
# -p: two packages per processor run at once, because many tests wait for processes and clocks. On
# two processors three packages at once took 323 s, four took 295 s, and six took 311 s with 5 %
# more processor time. On one processor, one package runs at a time.
#
# The slowest packages are listed first, so that none of them starts last.
PROCESSORS = $(shell nproc 2>/dev/null || echo 2)
AT_ONCE    = $(if $(filter 1,$(PROCESSORS)),1,$$(($(PROCESSORS) * 2)))
SHORT      = -short
TESTED     = $(SHORT) -count=1 -vet=off -ldflags="-s -w" -timeout 25m -p $(AT_ONCE) ./cmd/marvin ./actors ./providers/copilot ./persistence ./tools/internal/language ./ui/tui ./tools/language ./tools/internal/jail ./tools/shell ./...
# Temporary files go below a directory of their own. Its attribute T (chattr +T) makes ext4 place the
# subdirectories in different parts of the disk. Reason: without a journal, as on many throw-away
# machines, ext4 checks for each new file all files removed nearby in the last five minutes. The
# tests of tools/git spend 12 to 14 s in the kernel without the attribute, 9 s with it, and 8 s on a
# memory file system. The umask and mode 1777 matter because tests check file modes, and run some
# programs as another user.
APART = umask 022 && scratch=$${TMPDIR:-/tmp}/m.$$(id -u) && mkdir -p "$$scratch" && { test -O "$$scratch" -a ! -L "$$scratch" || { echo "$$scratch is not your own directory: remove it, or set TMPDIR" >&2; exit 1; }; } && chmod 1777 "$$scratch" && { chattr +T "$$scratch" 2>/dev/null || true; } && export TMPDIR="$$scratch" &&

test: ## run every test, without the rows and rounds that only nightly runs
test slow: export CGO_ENABLED = 0
test slow: export GOGC ?= 400
test:
	@$(APART) set -x && go test $(TESTED)

slow: ## run every test and list the ten slowest tests and packages
	@$(APART) go test -json $(TESTED) > "$$scratch/slow.json"; failed=$$?; \
	sed -nE 's/.*"Action":"fail","Package":"([^"]*)"(,"Test":"([^"]*)")?.*/FAILED \1 \3/p' "$$scratch/slow.json"; \
	for kind in ',"Test":"([^"/]*)"' '()'; do \
		sed -nE 's/.*"Action":"(pass|fail)","Package":"([^"]*)"'"$$kind"',"Elapsed":([0-9.]+).*/\4 s  \2 \3/p' "$$scratch/slow.json" | sort -rn | head; echo; \
	done; exit $$failed

test-faults: ## print a table of the outcome of every simulated fault of a model
	@FAULT_TABLE=1 go test -v -count=1 -run 'TestFaults' ./actors | grep -vE '^ *(---|===)'

# With the race detector, a process starts ten times slower, and the tests of cmd/marvin and of the
# jail start thousands of processes. So race-all omits the jail, and of cmd/marvin it runs only
# RACED, the tests with the most concurrency. HOOKS=40 reduces a test in which each hook starts the
# test program again in a sandbox: 300 hooks took 235 s. internal/graphics is omitted, because one
# goroutine draws the pictures: its tests took 100 s.
RACED = Soak|Fleet|FullScreen|PlainSession|RPC|Batch|SixtyFour|Bridge|BehindTheDeadline
# CHANGED lists the directories of MOST packages with the most new lines that match a pattern since
# SINCE, by default in the three hours before the newest commit. The race detector runs in packages
# with new lines about goroutines, channels or locks, and fuzzing where any code is new. Lines that
# begin with a slash are comments.
SINCE   ?= $(shell git rev-list -1 --before="$$(($$(git log -1 --format=%ct) - 10800))" HEAD)
MOST    ?= 6
CODE     = ^[+][[:space:]]*[^[:space:]\/]
SHARES   = ^[+][[:space:]]*(go func|[^[:space:]\/].*[^a-zA-Z](go func|chan |<-|sync[.]|atomic[.]))
CHANGED  = git diff -U0 $(SINCE) -- '*.go' ':!*_test.go' ':!*/testdata/*' | awk '/^[+][+][+] b/ { sub(/^b/, ".", $$2); sub("/[^/]*$$", "", $$2); place = $$2; next } /$(1)/ { new[place]++ } END { for (place in new) print new[place], place }' | sort -rn | head -n $(MOST) | awk '{ print $$2 }' | tr '\n' ' '

lives: ## run 2,000 random histories of a conversation and check that resuming restores it; run 500 of a forgotten fact
	test -w /dev/shm && export TMPDIR=/dev/shm; GOGC=400 LIVES=2000 go test -vet=off -count=1 -parallel 8 -run TestAConversationSurvives ./actors
	test -w /dev/shm && export TMPDIR=/dev/shm; GOGC=400 FORGETTING_LIVES=500 go test -vet=off -count=1 -parallel 8 -run TestForgettingLeavesNoWordInAnyLife ./actors

race: ## run the tests of changed packages with the race detector; SINCE=COMMIT sets the start
	@changed="$$($(call CHANGED,$(SHARES)))"; if test -n "$$changed"; then $(MAKE) -s race-all RACEIN="$$changed"; else echo "no package has new lines about goroutines, channels or locks"; fi

RACEIN ?= ./...
race-all: export CGO_ENABLED = 1
race-all: ## run the tests of all packages with the race detector
	@$(APART) raced="$$(go list -e -f '{{if not .Error}}{{.ImportPath}}{{end}}' $(RACEIN) | grep -vE '/(cmd/marvin|internal/jail|internal/graphics)$$')"; set -x; test -z "$$raced" || HOOKS=40 go test -race $(SHORT) -vet=off -timeout 25m $$raced
	@$(APART) set -x && go test -race $(SHORT) -vet=off -timeout 25m -run '$(RACED)' ./cmd/marvin

SUMTYPES = github.com/alecthomas/go-check-sumtype/cmd/go-check-sumtype@v0.3.1
sumtypes: ## check that every switch over events and ops has all cases
	@GOPROXY="file://$$(go env GOMODCACHE)/cache/download|$$(go env GOPROXY)" go run $(SUMTYPES) $(or $(IN),./...)

lint: sumtypes linter
	test -z "$$(gofmt -l .)"
	go vet ./...

LINTER = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.6.2
linter: ## show all findings of golangci-lint; "go run $(LINTER) fmt" formats the code
	@go run $(LINTER) run --max-issues-per-linter 0 --max-same-issues 0
	@go vet $(addprefix ./cmd/marvin/testdata/,dist house minimal peak screenshots) # "./..." omits testdata

FUZZTIME ?= 30s
FUZZJOBS ?= 8
fuzz: ## run each fuzz target for FUZZTIME, FUZZJOBS at a time; FUZZ=Pattern selects some
	@cmd/marvin/testdata/fuzz.sh $(FUZZTIME) $(FUZZJOBS) '$(FUZZ)' $(FUZZIN)

fuzz-changed: ## run the fuzz targets of changed packages; SINCE=COMMIT sets the start
	@changed="$$($(call CHANGED,$(CODE)))"; test -z "$$changed" || $(MAKE) -s fuzz FUZZIN="$$changed"

nightly: ## run all checks for hours: tests, race detector, fuzz targets, attacks, crashes
	$(MAKE) SHORT= lint test race-all fuzz redteam lives torture crash soak

crash: ## kill a running conversation with SIGKILL, 2,000 times; reload its page 1,000 times
	CRASH_ROUNDS=2000 RELOADS=1000 go test -v -count=1 -timeout 60m -run 'TestKilledAtAnyMoment|TestReloadsLoseNoWord' ./cmd/marvin

torture: ## let each system call of persistence fail once, and simulate a power cut at each
	TORTURE=1 go test -v -count=1 -timeout 30m -run 'EveryCall' ./persistence

SOAK ?= 10m
soak: ## run 20 sub-agents with faults, compactions and resizes; memory, goroutines, files and disk must not grow
	SOAK=$(SOAK) go test -v -count=1 -timeout 2h -run 'TestSoak|TestResizesLeakNothing' ./cmd/marvin

redteam: ## run every known attack as an ordinary user in a temporary root; REDTEAM=G13 or a name selects some
	REDTEAM=$(or $(REDTEAM),1) go test -v -count=1 -timeout 60m -run 'TestRedTeam$$' ./cmd/marvin

REALITY_STORE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/marvin-reality
reality: ## test with the real Ollama, the Copilot CLI, agents of other projects and the client of the integration guide
	cmd/marvin/testdata/reality/prepare.sh $(REALITY_STORE)
	REALITY=1 PATH="$(REALITY_STORE)/bin:$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -v -count=1 -timeout 30m -run TestReality ./cmd/marvin
	PATH="$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -count=1 ./providers/copilot
	PATH="$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -v -count=1 -run 'TestARequestBeginsAsTheOneBefore|TestFaults' ./actors
	PATH="$(REALITY_STORE)/agents/node_modules/.bin:$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -v -count=1 -run TestRealAgentsOfOthers ./cmd/marvin

eval: ## show which held-out requests the built-in assistant and find_tools understand
	EVAL=1 go test -v -count=1 -run 'HeldOut' ./cmd/marvin | grep -vE '^ *(===|---)'

bench: build ## measure the figures of docs/performance.md; builds a minimal client to compare with
	go test -run '^$$' -bench . -benchtime 1x -timeout 30m ./cmd/marvin
	go test -run '^$$' -bench Screen -benchtime 1x -timeout 30m ./ui/tui
	go test -run '^$$' -bench Find ./ui/paths
	go test -run '^$$' -bench 'Check|FirstCount|Plan|Schema|Index|Answer|Request' -timeout 30m ./providers/tokens ./actors/internal/budget ./tools ./providers/openaichat
	go test -run '^$$' -bench Find ./persistence/words
	go test -run '^$$' -bench 'Session|UndoAmong|KeepSmall' ./persistence/sessions ./tools/undo

figures: build ## run bench and write the table of docs/performance.md
	$(MAKE) -s bench > bench.out
	awk -f cmd/marvin/testdata/figures.awk bench.out docs/performance.md > bench.page
	mv bench.page docs/performance.md

house: ## print code metrics for each package; ENGLISH=PROGRAM also counts unidiomatic English
	@go run ./cmd/marvin/testdata/house $(if $(ENGLISH),-english '$(ENGLISH)') $(or $(IN),./...)

golden: ## rewrite the golden files; review the diff
	UPDATE_GOLDEN=1 go test ./...

screenshots: ## take the pictures in docs/images again; needs tmux; check the result
	go run ./cmd/marvin/testdata/screenshots docs/images

deps: ## verify the modules and list what is linked
	go mod verify && go list -m all | wc -l && go version -m marvin | head -40

clean:
	rm -f marvin
