# Marvin. `make` builds; every target is a line or two.

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo development)
RELEASE  = CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -X main.version=$(VERSION)'

PREFIX  ?= /usr/local
BINARY  ?= ./marvin
SHARE    = $(DESTDIR)$(PREFIX)/share
INSTALL ?= install

.PHONY: build install uninstall lean ports run try test test-faults lives race lint fuzz crash torture soak race-all redteam reality eval bench figures house golden screenshots deps clean dist slow sumtypes linter

build: ## one static binary, stripped and stamped
	$(RELEASE) -o marvin ./cmd/marvin

install: build ## binary, completions and manual page below PREFIX; DESTDIR for packagers
	$(INSTALL) -d $(DESTDIR)$(PREFIX)/bin $(SHARE)/bash-completion/completions $(SHARE)/zsh/site-functions $(SHARE)/fish/vendor_completions.d $(SHARE)/man/man1
	$(INSTALL) -m 755 $(BINARY) $(DESTDIR)$(PREFIX)/bin/marvin
	$(BINARY) completion bash > $(SHARE)/bash-completion/completions/marvin
	$(BINARY) completion zsh > $(SHARE)/zsh/site-functions/_marvin
	$(BINARY) completion fish > $(SHARE)/fish/vendor_completions.d/marvin.fish
	$(BINARY) man > $(SHARE)/man/man1/marvin.1

uninstall:
	rm -f $(DESTDIR)$(PREFIX)/bin/marvin $(SHARE)/bash-completion/completions/marvin $(SHARE)/zsh/site-functions/_marvin \
		$(SHARE)/fish/vendor_completions.d/marvin.fish $(SHARE)/man/man1/marvin.1

dist: ## archives for six systems, checksums and bills of materials: make dist VERSION=0.2.0
	rm -rf dist
	$(MAKE) install VERSION=$(VERSION) DESTDIR=dist/stage PREFIX=
	go run ./cmd/marvin/testdata/dist -version '$(VERSION)' -with dist/stage/share -out dist
	rm -rf dist/stage

# A call of reflect's Method with a name that the linker cannot see makes it keep every
# method of every type: 6 MB, which each process maps. google.golang.org/protobuf
# before 1.36 had one ("Methods", which reflect.Value has too since Go 1.26).
lean: ## does the linker leave out what is not called?
	@! CGO_ENABLED=0 go build -trimpath -ldflags '-s -w -dumpdep' -o /dev/null ./cmd/marvin 2>&1 | grep -m1 '<ReflectMethod>'

ports: ## does it build where nobody here runs it?
	GOOS=darwin go vet ./...
	GOOS=windows go build ./...

run: build ## talk to it
	./marvin

try: build ## one real job without a key; the first build downloads Go modules
	@echo "Built (the first time go downloads the modules of go.mod, and nothing else). Now: what changed in the last 5 commits?"
	./marvin --non-interactive --prompt "show the last 5 commits"

# Test programs are linked without what a debugger reads: that took 77 of the 512 seconds of
# processor time of all tests. Vet is in the linter.
#
# Each test runs each time: what Go keeps of results knows nothing of the programs on the PATH,
# so that a test which was skipped without Chromium stayed skipped with it. To keep them it also
# resolved the links of all names that tests had opened: 150 of 850 s of processor time.
# They are built without cgo, as the program is: 598 s instead of 632.
#
# The longest packages begin first, since the last to end decides how long all take, and
# two run at once for each processor: many wait for processes and clocks. On two processors
# three at once took 323 s, four 295, six 311 (and 5 % more processor time). One has one.
PROCESSORS = $(shell nproc 2>/dev/null || echo 2)
AT_ONCE    = $(if $(filter 1,$(PROCESSORS)),1,$$(($(PROCESSORS) * 2)))
TESTED     = -count=1 -vet=off -ldflags="-s -w" -timeout 25m -p $(AT_ONCE) ./cmd/marvin ./actors ./providers/copilot ./persistence ./tools/internal/language ./ui/tui ./tools/language ./tools/internal/jail ./...
# For each file that is made ext4 without a journal, which machines for one use have, looks at
# all that were removed nearby within five minutes: the tests of tools/git spend 12 to 14 s in the
# system, and 9 below a directory with this mark, 8 in memory. Below a directory with this mark, where there is one, directories lie far apart.
# Tests look at the modes of what they and their programs make, and run some as an ordinary user.
APART = umask 022 && scratch=$${TMPDIR:-/tmp}/m.$$(id -u) && mkdir -p "$$scratch" && { test -O "$$scratch" -a ! -L "$$scratch" || { echo "$$scratch is not your own directory: remove it, or set TMPDIR" >&2; exit 1; }; } && chmod 1777 "$$scratch" && { chattr +T "$$scratch" 2>/dev/null || true; } && export TMPDIR="$$scratch" &&

test: ## every test
test slow: export CGO_ENABLED = 0
test:
	@$(APART) set -x && go test $(TESTED)

slow: ## the ten slowest tests, and packages
	@$(APART) go test -json $(TESTED) > "$$scratch/slow.json"; failed=$$?; \
	sed -nE 's/.*"Action":"fail","Package":"([^"]*)"(,"Test":"([^"]*)")?.*/FAILED \1 \3/p' "$$scratch/slow.json"; \
	for kind in ',"Test":"([^"/]*)"' '()'; do \
		sed -nE 's/.*"Action":"(pass|fail)","Package":"([^"]*)"'"$$kind"',"Elapsed":([0-9.]+).*/\4 s  \2 \3/p' "$$scratch/slow.json" | sort -rn | head; echo; \
	done; exit $$failed

test-faults: ## how every fault of a model ends, as a table
	@FAULT_TABLE=1 go test -v -count=1 -run 'TestFaults' ./actors | grep -vE '^ *(---|===)'

# The tests of cmd/marvin and of the jail start some thousand processes, and each starts ten
# times slower with the detector: of cmd/marvin, those whose program does most at once.
# Each program of a hook starts the test anew in its sandbox, so that 300 of them took 235 s;
# pictures are drawn by one goroutine, and 100 s of arithmetic found nothing.
RACED = Soak|Fleet|FullScreen|PlainSession|RPC|Batch|SixtyFour|Bridge
# Packages where code of goroutines, channels or locks changed within a day of the newest commit;
# a nightly run takes them all. Code of other modules below ours is none of our packages.
SINCE   ?= $(shell git rev-list -1 --before="$$(git log -1 --format=%cI | sed 's/T.*//') 00:00" HEAD)
SHARES   = (^|[^a-zA-Z])(go func|chan |<-|sync\.|atomic\.)
CHANGED  = $$(git diff --name-only --diff-filter=AM -G'$(SHARES)' $(SINCE) -- '*.go' | grep -v testdata/ | xargs -r -n1 dirname | sort -u | sed 's|^|./|' | tr '\n' ' ')
lives: ## 2,000 random lives of a conversation: what is taken up is what was left; and 500 of a fact that is forgotten
	test -w /dev/shm && export TMPDIR=/dev/shm; GOGC=400 LIVES=2000 go test -vet=off -count=1 -parallel 8 -run TestAConversationSurvives ./actors
	test -w /dev/shm && export TMPDIR=/dev/shm; GOGC=400 FORGETTING_LIVES=500 go test -vet=off -count=1 -parallel 8 -run TestForgettingLeavesNoWordInAnyLife ./actors

race: ## the tests of packages that changed, with the race detector; SINCE=COMMIT
	@RACEIN="$(CHANGED) ./actors" && $(MAKE) -s race-all RACEIN="$$RACEIN"

RACEIN ?= ./...
race-all: ## every test with the race detector
	@$(APART) set -x && HOOKS=40 go test -race -vet=off -timeout 25m $$(go list -e -f '{{if not .Error}}{{.ImportPath}}{{end}}' $(RACEIN) | grep -vE '/(cmd/marvin|internal/jail|internal/graphics)$$')
	@$(APART) set -x && go test -race -vet=off -timeout 25m -run '$(RACED)' ./cmd/marvin

SUMTYPES = github.com/alecthomas/go-check-sumtype/cmd/go-check-sumtype@v0.3.1
sumtypes: ## does every switch over events and ops say what it leaves out?
	@GOPROXY="file://$$(go env GOMODCACHE)/cache/download|$$(go env GOPROXY)" go run $(SUMTYPES) $(or $(IN),./...)

lint: sumtypes linter
	test -z "$$(gofmt -l .)"
	go vet ./...

LINTER = github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.6.2
linter: ## what golangci-lint finds, all of it; "go run $(LINTER) fmt" lays code out
	@go run $(LINTER) run --max-issues-per-linter 0 --max-same-issues 0

FUZZTIME ?= 30s
FUZZJOBS ?= 8
fuzz: ## every fuzz target for FUZZTIME, FUZZJOBS at a time; FUZZ=Pattern for some
	@cmd/marvin/testdata/fuzz.sh $(FUZZTIME) $(FUZZJOBS) '$(FUZZ)'

crash: ## kill -9 over a running conversation, 2,000 times
	CRASH_ROUNDS=2000 go test -v -count=1 -timeout 60m -run TestKilledAtAnyMoment ./cmd/marvin

torture: ## every call of the kernel fails once; the power is cut at each
	TORTURE=1 go test -v -count=1 -timeout 30m -run 'EveryCall' ./persistence

SOAK ?= 10m
soak: ## 20 sub-agents, faults, compactions, resizes: memory, goroutines, files and disk stay flat
	SOAK=$(SOAK) go test -v -count=1 -timeout 2h -run 'TestSoak|TestResizesLeakNothing' ./cmd/marvin

redteam: ## every known attack, in a throw-away root with an ordinary user; REDTEAM=G13 or a name for some
	REDTEAM=$(or $(REDTEAM),1) go test -v -count=1 -timeout 60m -run 'TestRedTeam$$' ./cmd/marvin

REALITY_STORE ?= $(or $(XDG_CACHE_HOME),$(HOME)/.cache)/marvin-reality
reality: ## against the real Ollama, Copilot CLI and a client of the integration guide, where they can be had
	cmd/marvin/testdata/reality/prepare.sh $(REALITY_STORE)
	REALITY=1 PATH="$(REALITY_STORE)/bin:$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -v -count=1 -timeout 30m -run TestReality ./cmd/marvin
	PATH="$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -count=1 ./providers/copilot
	PATH="$(REALITY_STORE)/copilot/node_modules/.bin:$$PATH" go test -v -count=1 -run 'TestARequestBeginsAsTheOneBefore|TestFaults' ./actors

eval: ## what the built-in assistant and find_tools get right of the held-out requests, and what not
	EVAL=1 go test -v -count=1 -run 'HeldOut' ./cmd/marvin | grep -vE '^ *(===|---)'

bench: build ## the figures of docs/performance.md, against a minimal client that it builds itself
	go test -run '^$$' -bench . -benchtime 1x -timeout 30m ./cmd/marvin
	go test -run '^$$' -bench Screen -benchtime 1x -timeout 30m ./ui/tui
	go test -run '^$$' -bench Find ./ui/paths
	go test -run '^$$' -bench 'Check|FirstCount|Plan|Schema|Index|Answer|Request' -timeout 30m ./providers/tokens ./actors/internal/budget ./tools ./providers/openaichat
	go test -run '^$$' -bench Find ./persistence/words
	go test -run '^$$' -bench 'Session|UndoAmong|KeepSmall' ./persistence/sessions ./tools/undo

figures: build ## measure, and write the table of docs/performance.md
	$(MAKE) -s bench > bench.out
	awk -f cmd/marvin/testdata/figures.awk bench.out docs/performance.md > bench.page
	mv bench.page docs/performance.md

house: ## the figures of the code for each package; ENGLISH=PROGRAM counts foreign turns of phrase
	@go run ./cmd/marvin/testdata/house $(if $(ENGLISH),-english '$(ENGLISH)') $(or $(IN),./...)

golden: ## rewrite the golden files; read the diff
	UPDATE_GOLDEN=1 go test ./...

screenshots: ## rewrite docs/images from the program as it is; needs tmux. Look at them
	go run ./cmd/marvin/testdata/screenshots docs/images

deps: ## what is linked, and whether the modules are what they were
	go mod verify && go list -m all | wc -l && go version -m marvin | head -40

clean:
	rm -f marvin
