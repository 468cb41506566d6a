package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// fault is a row of the field notes: what went wrong elsewhere. Its tests are those
// named after it, and others that are named here.
type fault struct {
	row    string
	what   string
	others []string
	figure string // what was measured, or why there is no test
}

// faults are sections 2 and 3 of the field notes (../shared/facts/field-notes.md). The
// figures were measured on 2 cores of a virtual machine with ext4.
var faults = []fault{
	{"1", "a power cut leaves a torn line or NULs", nil, "1,094 states of the disk, one for each call and kind of loss: nothing that was reported is missing, every document can be read"},
	{"2", "history lost while it is saved", nil, "2,000 kills (50 in a test run), 5,496 turns begun, 3,496 told to have ended: all of these are there; the append takes 0.2 to 0.9 ms beyond the sync, 0.11 ms in a log above 512 KB"},
	{"3", "two processes in one conversation", nil, "2 and 20 processes with 25 entries each: all there, each in its own order"},
	{"4", "a full disk empties a file", nil, "each of the 654 calls of the kernel fails once, alone and as the beginning of a full disk; of a whole run each of 32"},
	{"5", "parallel processes damage a document", []string{"TestThirtyTwoRunsAtOnceAddUp", "TestSixtyFourProcessesShareOneHome"}, "20 processes × 25 changes; 64 whole runs"},
	{"6", "database is locked", nil, "There is no database: documents are files under a kernel lock, which a reader never needs."},
	{"7", "database is malformed", nil, "There is no database. A damaged document is set aside under another name and reported: rows 1 and 4."},
	{"8", "the clock steps back", nil, ""},
	{"9", "a huge log makes every start slow", nil, "a log of 3 GB is read from its end"},
	{"10", "logs and outputs fill the disk", nil, ""},
	{"11", "a shadow repository grows without end", nil, "Marvin keeps no snapshots."},
	{"12", "a stale index.lock", nil, "Marvin's own locks are the kernel's and die with their process."},
	{"13", "undo resets files that were not touched", []string{"TestWhatToolsWroteIsTakenBackWhole", "TestAFileThatSomebodyChangedSinceStays", "TestWhatCameLaterStaysWhenACallIsTakenBack", "TestOnlyUndoPutsBack"}, "Only what Marvin's tools wrote is put back, file by file, each from its own content before; never by git."},
	{"14", "every delta is written to the disk", nil, "17 changes of the disk a run, for 10 pieces as for 3,000"},
	{"15", "a call without its result", nil, ""},
	{"16", "refused, interrupted and timed out sound alike", nil, ""},
	{"17", "an image bricks the conversation", []string{"TestIssue19PicturesAreKeptOut", "TestFindingT7HostilePicturesAreRefused"}, "A picture that a server refuses becomes a note, and the conversation goes on."},
	{"18", "half a character", []string{"FuzzTruncateUTF8"}, ""},
	{"19", "cut arguments are run", nil, "each prefix of a call, byte by byte"},
	{"20", "the compaction is itself too long", []string{"TestCompactionAtTheLimit"}, ""},
	{"21", "compaction when it is off", nil, ""},
	{"22", "the server cuts the prompt", nil, ""},
	{"23", "calls written as text", nil, ""},
	{"24", "the same call for ever", nil, ""},
	{"25", "honest repetition is stopped", nil, ""},
	{"26", "the stream stalls", nil, ""},
	{"27", "keep-alives, and failures that are no end", nil, ""},
	{"28", "the stream ends without its end", nil, ""},
	{"29", "retries without end or sense", nil, ""},
	{"30", "a turn runs again after its side effect", []string{"TestACutAnswerIsContinuedWithNothingTwice"}, "2,000 kills, 5,496 turns: no command ran twice. A restart begins no turn by itself."},
	{"31", "refreshing a token logs everybody out", nil, "10 at once: 1 refresh"},
	{"32", "sleep and waking", []string{"TestAnAlarmOfNextYearDoesNotRingThisYear"}, "Alarms are cron's; what was slept through is missed, not rung late. A connection that died is asked again (row 29)."},
	{"33", "a sub-agent waits for an answer that nobody gives", nil, ""},
	{"34", "a child in the background holds the call", nil, ""},
	{"35", "a command waits for a terminal", nil, ""},
	{"36", "orphans", nil, ""},
	{"37", "the terminal goes, the process stays", nil, ""},
	{"38", "the terminal stays raw", nil, ""},
	{"39", "Ctrl-Z", nil, ""},
	{"40", "a panic ends the program", []string{"TestPanicInAnActorBecomesAResult", "TestAPanickingSubAgentIsOneFailedReport", "TestGoroutinesStartOnlyAtTheDoors"}, ""},
	{"41", "concurrent map writes", nil, "All tests, the soak included, run with the race detector (`make race`)."},
	{"42", "noise at a closed pipe", nil, ""},
	{"43", "too many open files", nil, ""},
	{"44", "memory grows", nil, "`make soak` for 4 minutes: 22 turns with 20 sub-agents each, 5 % of the answers broken, 12 compactions: heap −2.6 MB of 5.4, goroutines ±0, open files ±0, 24 KB a turn on the disk"},
	{"45", "start-up waits for the terminal", nil, "four kinds of terminals that answer nothing"},
	{"46", "a changed file is overwritten", nil, ""},
	{"47", "line ends and encodings are lost", nil, ""},
	{"48", "names that look alike", nil, ""},
	{"49", "floods of output", nil, ""},
	{"50", "the home directory is deleted", []string{"TestS24TheCorpusIsJudgedAsItSays", "TestS24TheIrreversibleIsRefusedWithoutAPerson"}, ""},
	{"51", "secrets in a shell snapshot", nil, "No environment is ever written down."},
	{"52", "an odd environment", nil, ""},
	{"53", "a turn waits for nothing", nil, ""},
	{"54", "the run is done and does not end", nil, ""},
	{"55", "exit code 0 after a failure", []string{"TestOneOutcomeDecidesTheExitCode", "TestEachOutcomeInEachForm"}, ""},

	{"S1", "a repository's settings run code", []string{"TestProjectFilesAreCappedAndCannotCloseTheirFrame", "TestFindingG13AHookInTheProjectDoesNotRun"}, "Hooks, servers and tools that a repository brings are offers: named, and run only after a person accepted exactly that content. 32 files that try otherwise are left alone by every front end. Its instructions are text for the model, which a person is asked about first; without one they are named."},
	{"S2", "a repository takes the key elsewhere", []string{"TestNoCredentialsAcrossOrigins", "TestS1TheTrapsOfARepositoryAreNotSprung"}, "Addresses and keys come from the user's own files and environment only."},
	{"S3", "the sandbox's root comes from the model", nil, ""},
	{"S4", "commands reach the whole system", nil, ""},
	{"S5", "git runs what a repository names", nil, ""},
	{"S6", "Marvin's own files are changed from inside", nil, ""},
	{"S7", "links lead out", []string{"FuzzPath"}, ""},
	{"S8", "protected names spelled otherwise", []string{"TestS6ProtectedNamesHoweverSpelled"}, ""},
	{"S9", "commands judged by their beginning", []string{"TestS24TheCorpusIsJudgedAsItSays", "FuzzInspect", "FuzzRule"}, "No command is judged to be harmless because it only reads: what nobody looked at runs in the sandbox."},
	{"S10", "limits that fall open", []string{"FuzzConfig"}, ""},
	{"S11", "two parsers, two hosts", []string{"FuzzHost"}, ""},
	{"S12", "fetching what is private", []string{"TestGzipBombIsNotUnpacked"}, ""},
	{"S13", "injected instructions carry data out", nil, "After a tool brought in what strangers wrote or what is private, a person sees all that would be sent to a host of the model's or to others; without one it goes only where the prompt or a rule named the place."},
	{"S14", "hidden text", []string{"TestDiffForPeopleShowsHiddenCharacters", "TestHostileTextChangesNothing", "TestS14HiddenTextOfStrangersIsTakenOut"}, ""},
	{"S15", "escape sequences", []string{"FuzzTermsafe", "TestHostileTextChangesNothing"}, ""},
	{"S16", "consent to something else", nil, ""},
	{"S17", "servers of tools that change", []string{"TestAToolThatDescribesItselfOtherwiseIsAsked", "TestHostileResultsOfAServer", "TestHostileSchemasAreTakenInOrRefused", "TestAServerRunsInWhatItNeeded"}, "A definition that changed is a question before the tool is called again; each server has its own sandbox."},
	{"S18", "local servers", []string{"TestRelayAdmitsOnlyTheTokenAndKeepsIt"}, "Marvin listens on 127.0.0.1 only, for one login, one page or the Copilot CLI, and refuses everybody else."},
	{"S19", "the callback of a login", []string{"TestLoginAddressIsThereAtOnceAndTheBrowserFinishesIt", "TestLoginsThatFailSayWhy", "FuzzCallback"}, ""},
	{"S20", "files that others can read", nil, "every file of a session under umask 000 and 777"},
	{"S21", "secrets in environments and logs", nil, "18 keys, all tools, services that repeat all they are sent: 0 found"},
	{"S22", "a sub-agent may more than its caller", []string{"TestASubAgentHasNoMoreThanItsCaller"}, ""},
	{"S23", "nobody there taken for yes", nil, ""},
	{"S24", "what cannot be undone", nil, ""},
	{"S25", "addresses that open programs", nil, "Marvin registers no address and opens none."},
	{"S26", "showing text loads something", []string{"TestRoomsImportOnlyWhatTheyMay"}, "No front end has a network client."},
	{"S27", "values become options", []string{"TestNoValueBecomesAnOptionAHeaderOrACommand", "FuzzRepository"}, "every parameter of every tool"},
	{"S28", "archives", []string{"TestMembersOfArchives", "TestArchivesThatUnpackToALotAreBounded", "TestHostileDocumentsAreBounded"}, "Archives are read, never unpacked to the disk."},
	{"S29", "updates", nil, "Marvin does not update itself; `make deps` verifies the modules."},
	{"S30", "a conversation as a way in", []string{"TestRow2Row30KilledAtAnyMoment", "TestScripts"}, "A stored conversation gives messages only: no grants are taken from it, its calls are not made again, and one whose outcome is unknown is asked about. Logs of others (sessions_hostile) are bounded and cleaned."},
	{"S31", "content that costs too much", []string{"TestHostilePagesEnd", "TestEveryToolBearsWhatServicesShouldNotAnswer", "FuzzText", "FuzzLayout", "FuzzOccurrences", "FuzzPage"}, ""},
	{"S32", "others on the same machine", []string{"TestFilesOfSomebodyElseAreNamedAndLeftAlone"}, "Temporary directories have random names and mode 0700."},
}

// asks are tests named after what users want (section 1), whose numbers are others.
var asks = []string{"TestRow45QuestionsShowTheirEffectAndTypeAheadIsNoAnswer", "TestRow44WhatIsLeftRunningIsNamedAtTheEnd"}

const reliabilityHead = `# What can go wrong, and what shows that it does not

Each row is a fault that users of such programs reported, or a way in that researchers found (the numbers are those of the field notes). Next to it stand the tests that hold Marvin against it, and what was measured, or why there is no such test. ` + "`make reliability`" + ` writes this page.

| command | what it does |
|---|---|
| ` + "`make test`" + ` | every test below, in small |
| ` + "`make crash`" + ` | kill -9 over a running conversation, 2,000 times |
| ` + "`make torture`" + ` | every call of the kernel fails once; the power is cut at each |
| ` + "`make soak`" + ` | 20 sub-agents, faults, compactions and resizes for 10 minutes |
| ` + "`make fuzz`" + ` | every parser against random input |
| ` + "`make redteam`" + ` | every attack that is known, against the program in a throw-away root |
| ` + "`make guards`" + ` | takes away each guard, to see that a test fails |
| ` + "`make reality`" + ` | the real Ollama 0.17.4 and Copilot CLI 1.0.102, and the Python of the integration guide, where they can be had |

## Programs of others

` + "`make reality`" + ` builds the server of Ollama from its module (5 minutes of one core, once) and installs the Copilot CLI, both into the user's cache directory. It starts the server with a model of 5 MB that the tests write themselves, whose answers are known and which reads prompts at the speed of its machine, and talks with it through ` + "`marvin rpc`" + `; the CLI runs with a key of one's own against the scripted server of the tests. Measured on two cores with much other work (load 11): behind a prompt of 17,000 tokens the first token came after 35.2 s, that of the second prompt after 0.21 s, and the server's own log says that it kept 17,136 of its 17,184 tokens; over 20 prompts with a call each, every one of the 40 requests found at least 99.99 % of the one before kept. What the CLI sends of such a conversation begins with at least 99.9 % of the bytes of the request before.

## Documents

A change of a document is made under a lock of the kernel, beside the old content, and takes its place by a rename. What survives what:

| document | kill -9 | power cut |
|---|---|---|
| chat log, preferences, places, bookmarks, topics, tokens, calendar, alarms, last profile, backups of conversations | what was reported as written | what was reported as written |
| a turn under way | the prompt once it was asked, the answer up to a second ago; the next start puts both into the chat log | perhaps nothing |
| usage.json | what was answered | the old or the new sums, some cents behind at most |
| history of inputs, audit log | what was reported as written | all but the last lines; half a line costs no other |
| which files of which directories you know | what was answered | the old or the new content |
| background jobs | what was reported as written | that there is one, with its state or an earlier one |
| draft of what is not sent | what was typed a second ago | perhaps nothing |
`

// redteamTable is what the last whole run of the red team found.
var redteamTable = filepath.Join("testdata", "redteam", "table.md")

const redteamHead = "\n## The red team\n\n`make redteam` tries each of these against the program, in a throw-away root with an ordinary user and no network but its own. Each has a control run that does the same by hand, outside, and must succeed: else the attack would show nothing. What is tried is in cmd/marvin/testdata/redteam; the findings are those of a day of attacks on an earlier Marvin, and a way in that was tried first here is *new*.\n\n"

func TestReliabilityPageNamesTestsThatExist(t *testing.T) {
	tests := testsByName(t)
	page := reliabilityPage(t, tests)
	path := filepath.Join("..", "..", "docs", "reliability.md")
	if os.Getenv("UPDATE_GOLDEN") == "1" {
		if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range regexp.MustCompile(`\b(Test|Fuzz)[A-Z]\w+`).FindAllString(string(written), -1) {
		if tests[name] == "" {
			t.Errorf("docs/reliability.md names %s, which is no test; make reliability", name)
		}
	}
	if string(written) != page {
		t.Error("docs/reliability.md is not what the tests and guards are now; make reliability")
	}
}

// rowsOf are the rows that a test is named after.
func rowsOf(name string) (rows []string) {
	for _, match := range regexp.MustCompile(`Row(\d+)`).FindAllStringSubmatch(name, -1) {
		rows = append(rows, match[1])
	}
	if match := regexp.MustCompile(`^Test(S\d+)[A-Z]`).FindStringSubmatch(name); match != nil {
		rows = append(rows, match[1])
	}
	return rows
}

func reliabilityPage(t *testing.T, tests map[string]string) string {
	t.Helper()
	named := map[string][]string{}
	for name := range tests {
		if !slices.Contains(asks, name) {
			for _, row := range rowsOf(name) {
				named[row] = append(named[row], name)
			}
		}
	}
	var page strings.Builder
	page.WriteString(reliabilityHead)
	for i, fault := range faults {
		switch {
		case i == 0:
			page.WriteString("\n## Faults\n\n| # | fault | tests | figure, or why there is none |\n|---|---|---|---|\n")
		case fault.row == "S1":
			page.WriteString("\n## Security\n\n| # | risk | tests | figure, or why there is none |\n|---|---|---|---|\n")
		}
		var shown []string
		for _, name := range slices.Sorted(slices.Values(append(named[fault.row], fault.others...))) {
			if tests[name] == "" {
				t.Errorf("row %s: there is no test %s", fault.row, name)
			}
			if entry := fmt.Sprintf("%s `%s`", tests[name], name); !slices.Contains(shown, entry) {
				shown = append(shown, entry)
			}
		}
		if len(shown) == 0 && fault.figure == "" {
			t.Errorf("row %s (%s) has neither a test nor a reason", fault.row, fault.what)
		}
		fmt.Fprintf(&page, "| %s | %s | %s | %s |\n", fault.row, fault.what, strings.Join(shown, "<br>"), fault.figure)
	}
	page.WriteString("\n## Guards\n\nWithout any one of these lines a test fails; `make guards` takes them away one by one.\n\n| guard | where |\n|---|---|\n")
	places := guardPlaces(t)
	for _, guard := range guardLines {
		for _, place := range places[guard.mark] {
			fmt.Fprintf(&page, "| %s | %s |\n", guard.mark, place.file)
		}
	}
	if table, err := os.ReadFile(redteamTable); err == nil {
		page.WriteString(redteamHead + string(table))
	}
	page.WriteString("\n## Parsers\n\nEach has a fuzz target; what once failed is kept in testdata/fuzz and runs with every test.\n\n")
	for _, name := range sortedNames(tests) {
		if strings.HasPrefix(name, "Fuzz") {
			fmt.Fprintf(&page, "- %s `%s`\n", tests[name], name)
		}
	}
	return page.String()
}

// sortedNames orders tests by their package.
func sortedNames(tests map[string]string) (names []string) {
	for name := range tests {
		names = append(names, name)
	}
	slices.SortFunc(names, func(a, b string) int { return strings.Compare(tests[a]+" "+a, tests[b]+" "+b) })
	return names
}

// testsByName finds all tests of the program; a name that is in two packages stands
// with the first.
func testsByName(t *testing.T) map[string]string {
	t.Helper()
	tests, declared := map[string]string{}, regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Z]\w*)\(`)
	root := filepath.Join("..", "..")
	if err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() && entry.Name() == "testdata" {
			if err == nil {
				err = fs.SkipDir
			}
			return err
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		source, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		room, err := filepath.Rel(root, filepath.Dir(path))
		for _, match := range declared.FindAllSubmatch(source, -1) {
			if name := string(match[1]); tests[name] == "" {
				tests[name] = filepath.ToSlash(room)
			}
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if len(tests) < 300 {
		t.Fatalf("only %d tests found: the walk is broken", len(tests))
	}
	return tests
}
