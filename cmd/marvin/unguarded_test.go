package main

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// guard is a line of the program that keeps something from going wrong. The line says
// so itself: "// guard: MARK" stands behind it, or alone above it.
type guard struct {
	mark  string
	by    removal // how it is taken away
	tests string  // package and pattern of the tests that must notice
}

// removal takes a guard away from its line, which comes without comment and blanks
// around it. False: the line is not of the kind that it can change.
type removal func(line string) (string, bool)

// drop leaves the line out.
func drop(string) (string, bool) { return "", true }

// never makes the condition of an if or a case false, and always makes it true. It is
// evaluated all the same: what it uses stays used.
func never(line string) (string, bool)  { return decided(line, "&& false") }
func always(line string) (string, bool) { return decided(line, "|| true") }

// swap writes something else for a part of the line.
func swap(part, other string) removal {
	return func(line string) (string, bool) {
		return strings.Replace(line, part, other, 1), strings.Count(line, part) == 1
	}
}

// decided appends to the condition of a line.
func decided(line, more string) (string, bool) {
	for _, kind := range []struct{ begins, ends string }{{"if ", " {"}, {"} else if ", " {"}, {"case ", ":"}} {
		condition, begins := strings.CutPrefix(line, kind.begins)
		condition, ends := strings.CutSuffix(condition, kind.ends)
		if !begins || !ends {
			continue
		}
		before := kind.begins
		if at := strings.LastIndex(condition, "; "); at >= 0 {
			before, condition = before+condition[:at+2], condition[at+2:]
		}
		return before + "(" + condition + ") " + more + kind.ends, true
	}
	return line, false
}

// guardLines are all of them.
var guardLines = []guard{
	{"documents: the name is synced", swap("syncDir(filepath.Dir(path))", "nil"), "persistence TestRow1Power"},
	{"documents: the content is synced", swap("file.Sync()", "nil"), "persistence TestRow1Power"},
	{"servers: a line that is no message is kept from the library", never, "tools/mcp TestAServerIsStarted"},
	{"servers: a long message is not read whole", swap("= 8", "= 80"), "tools/mcp TestAnAnswerOf50MB"},
	{"servers: a description that changed is looked at", always, "actors TestAToolThatDescribes"},
	{"servers: only what reads is done twice", swap("!c.reads || ", ""), "actors TestAServerThatDiesUnder"},
	{"servers: what changed is asked for once", always, "actors TestAServerThatChanges"},
	{"servers: they ask three times at most", swap("|| last.asked >= mostAsked ", ""), "actors TestHostileResults"},
	{"servers: a project's is accepted as it was", swap("== one.Server.WholeHash()", `!= ""`), "cmd/marvin TestScripts/mcp"},
	{"servers: nothing of them outlives Marvin", swap("signal(kill)", "known = nil"), "tools/internal/proc TestNothingOfAServer"},
	{"servers: another agent's calls come after strangers", swap("the agent that calls", ""), "cmd/marvin TestScripts/mcp"},
	{"servers: one without a sandbox is none of the project's", swap("false", "true"), "tools/mcp TestFindingG3"},
	{"servers: one without a sandbox works elsewhere", swap(" || free", ""), "tools/mcp TestFindingG3|TestAServerWithoutASandbox"},
	{"servers: one without a sandbox is given no script of the project", always, "tools/mcp TestFindingG3"},
	{"a tool that nothing holds is none of the project's", swap("given ||", "true ||"), "tools/custom TestFindingG3"},
	{"the address of a package does not leave unasked", swap("ToRepository(name)...", "ToRepository(name[:0])..."), "cmd/marvin TestFindingG9APackage"},
	{"an address that cannot be read is not let through", never, "tools TestFindingG9AnAddressThatCannot"},
	{"a login in an address is not passed on", never, "tools/downloads TestFoldersOutside"},
	{"servers: what was asked before the end is answered", swap("a.owed.settle()", "_ = a.owed"), "cmd/marvin TestScripts/mcp"},
	{"servers: what one may read is held", swap("p.Held || ", ""), "tools/internal/jail TestAProfileIsLearned"},
	{"servers: what one wants is told", always, "tools/mcp TestAServerRunsInWhat"},
	{"servers: a yes to one wish is none to another", always, "tools/mcp TestWishesOfAServer"},
	{"servers: their hosts are held", always, "tools/internal/gate TestOnlyNamedHosts"},
	{"questions: what they are about is shown", never, "ui/tui TestWhatAQuestionIsAbout"},
	{"questions: what they are about is said", never, "ui/plain TestWhatAQuestionIsAbout"},
	{"servers: tools belong to the entry that holds", never, "actors TestTheToolsOfAnEntry"},
	{"a configuration that is not understood takes no hook away", never, "cmd/marvin TestWhatOthersBringIsReadAgain"},
	{"servers: a damaged profile starts nothing", never, "tools/mcp TestADamagedProfile"},
	{"a failure is never taken for nothing", swap("status == messages.OK && ", ""), "actors TestWhatBroughtNothingIs"},
	{"a name of a tool never means another one", swap(`s.owners[name] == "" && `, ""), "tools TestANameNever"},
	{"a source is known by names that are its own", never, "tools TestSourcesWithTheSameNames"},
	{"a stranger's schema refers to nothing", never, "tools TestAToolFromASchema|TestHostileSchemas"},
	{"a stranger's tool is asked about", swap("def.Effect > Writes", "false"), "tools TestAForeignToolIsTheWorst"},
	{"prompts wait for the conversation that is taken up", swap(" s.branches.moving ||", ""), "actors TestPromptsWaitFor"},
	{"what is asked beside is forgotten", swap("beside ==", "beside != nil || beside =="), "actors TestWhatIsAskedBeside"},
	{"what was said since is searched too", swap("= info.Size", " 0"), "actors/internal/sessionlog TestASearchWithWords"},
	{"the words go with their conversation", drop, "actors/internal/sessionlog TestASearchWithWords"},
	{"words of what was removed meanwhile are not kept", always, "persistence TestWordsOfWhatIsGone"},
	{"damaged words hide nothing", never, "persistence TestTheFileOfWords"},
	{"foreign calls are told in words", never, "cmd/marvin TestScripts/sessions_import"},
	{"a log is imported once", never, "cmd/marvin TestScripts/sessions_import"},
	{"an abandoned path is not imported", never, "actors/internal/foreign TestLogsOf"},
	{"a copy keeps what is about another entry", swap("= places[branch[i].Of]", "+= 0"), "actors/internal/sessionlog TestACopyKeepsItsLabels"},
	{"usage.json: the content is synced", swap("whole", "fleeting"), "persistence TestRow1Power"},
	{"new directories are synced", swap("errors.Join(os.Chmod(path, 0o700), syncDir(filepath.Dir(path))", "os.Chmod(path, 0o700"), "persistence TestRow1Power"},
	{"a taken alarm stays taken", swap("syncDir(a.home.path(dir))", "nil"), "persistence TestRow1Power"},
	{"a number alone is an hour", swap("{hour", "{second"), "tools/alarms TestFindingT1Seven"},
	{"a date with two readings is asked about", swap("swapped", "0"), "tools/internal/when TestPhrases"},
	{"cron lives in a zone of its own", swap("table.Zones(ctx, time.Local)...", "time.Local"), "tools/internal/ringing TestFindingT16"},
	{"cron cannot ring in the minute that has begun", swap(", _ := Minute(alarm.Time, b.Home.Now())", " := alarm.Time"), "tools/internal/ringing TestFindingT11"},
	{"a countdown rings", swap("(ctx, env, name, length, due", ", error(nil"), "tools/timers TestFindingT11"},
	{"money goes by the bank's own quotes", swap(`euro}, "symbols": {strings.Join(asked`, `from}, "symbols": {strings.Join([]string{to}`), "tools/units TestFindingT13"},
	{"a model looks before its first ticket", swap("Compact !=", "Compact =="), "tools/tickets TestFirstCreate|TestFindingT12"},
	{"a zone is what the calendar says it is", never, "tools/calendar TestFindingT14Zones"},
	{"what is cancelled is shown as that", swap("CANCELLED", ""), "tools/calendar TestFindingT14Cancelled"},
	{"one time of a series leaves the others", never, "tools/calendar TestFindingT14ASeries"},
	{"a series is not moved without its exceptions", never, "tools/calendar TestASeriesWithExceptions"},
	{"a contact is for who asks for one", swap("&& asksForContact(host)", ""), "tools/internal/web TestOnlyWhoAsks|TestAContact"},
	{"only the first word is completed as a command", swap("found = nil", "_ = found"), "cmd/marvin TestCompletionKnows"},
	{"the manual has the values of flags", never, "cmd/marvin TestTheManual"},
	{"nobody waits for a server that is behind", swap("wish.problems &&", "false &&"), "actors TestALanguageServerThatIsBehind"},
	{"nobody waits for a line about a change", swap("> mostCompared", "< 0"), "tools/internal/edit TestTooManyFiles"},
	{"a note that changed is not deleted", swap("edit.Begin(env, dir.Dir", "dir.Batch("), "tools/notes TestANoteThatChanged"},
	{"a bookmark is removed alone", swap("case 1", "default"), "tools/bookmarks TestFindingT16"},
	{"a message of several backups is found once", swap("shown[key]+", "0*"), "persistence TestFindingT16"},
	{"a puzzle sends the search to the lite page", swap("nil {", "nil || errors.Is(err, ErrBusy) {"), "tools/internal/duck TestFindingT16"},
	{"github: no host of a remote gets the token", swap("found.host != publicHost && found.host != own(env)", "false"), "tools/github TestNoOtherHost"},
	{"github: no host that is named gets the token", never, "tools/github TestNoOtherHost"},
	{"gcloud is not started for nothing", never, "tools/location TestFindingT16"},
	{"no track is dropped", swap("apart(in.Tracks)", "in.Tracks"), "tools/spotify TestTracksAreAdded"},
	{"half a line costs no other", never, "persistence TestRow1Half"},
	{"nothing is imported from outside the repository", never, "persistence/words TestHostileImports"},
	{"a link leads nowhere else", swap("t.root.OpenFile(name", "os.OpenFile(filepath.Join(t.root.Name(), name)"), "persistence/words TestHostileImports"},
	{"an import is taken once", never, "persistence/words TestHostileImportBombs"},
	{"anchors are not followed", swap("'&'", "' '"), "persistence/words TestHostileFrontMatter"},
	{"a window that is asked for is the window", never, "providers TestIssue16AWindow"},
	{"a no to Marvin's own rules holds for the file as it is", swap(" || refused(holds, file.Hash())", ""), "actors TestANoToAChangedSystemText"},
	{"what becomes Marvin's own rules wants an answer", swap("file.Kind == written.System || file.Kind == written.Addition", "false"), "actors TestTheProjectsSystemText"},
	{"what /init tries and writes was seen", swap("seen ==", "len(seen) >= 0 || seen =="), "cmd/marvin TestScripts/init$"},
	{"/init tries only what builds, tests and looks for mistakes", never, "cmd/marvin TestScripts/init$"},
	{"/init runs nothing that is asked about each time", never, "cmd/marvin TestScripts/init$"},
	{"instructions have a budget", drop, "persistence/words TestHostileFilesAreBounded"},
	{"nested instructions are asked about", never, "actors TestNestedInstructions|TestANoToNested"},
	{"what others wrote has no say", swap("slices.Contains(foreign, part)", "part == foreign[0]"), "actors TestNestedInstructions"},
	{"what an import says is asked about", swap(" + work.raw.String()", ""), "actors TestInstructionsComeFromTheRoot"},
	{"short rules are told again", never, "actors TestShortRules"},
	{"a skill is what somebody agreed to", never, "actors TestASkillIsALine"},
	{"nothing leads out of a skill", never, "actors TestASkillIsALine"},
	{"a kind of sub-agent only takes away", swap("kind.Tools", "nil"), "actors TestAKindOfSubAgent"},
	{"an argument is no command", swap("text", "out.String()"), "persistence/words TestPartsAreThose"},
	{"no file hides a command of Marvin's own", never, "cmd/marvin TestScripts/commands_files"},
	{"a command of a project is shown first", never, "cmd/marvin TestScripts/commands_files"},
	{"one writer at a time", swap("lockWithin(file, wait", "true, error(nil"), "persistence Row3|Row5"},
	{"all that is not kept is said", swap("r.config.Problem(problem)", "continue"), "cmd/marvin TestRow4Everything"},
	{"unreadable is not empty", swap("return err", "data = nil"), "persistence TestRow4Every|Unreadable|FuzzDocuments"},
	{"private whatever the umask", swap("0o600", "0o644"), "persistence TestS20"},
	{"a turn ends once it is written", swap("r.conversation.Policy.Persist", "false"), "cmd/marvin TestRow2Row30"},
	{"thoughts stay with who thought them", swap("thought.Origin != origin ||", ""), "actors TestIssue15"},
	{"what is kept says where it is from", swap("r.origins", "nil"), "actors TestIssue15"},
	{"what came is shown before the stream breaks", drop, "providers/openaichat TestWhatIsHeld"},
	{"a scanner reads as encoding/json does", never, "providers/openaichat TestWhatIsUnusual|FuzzScan"},
	{"a name in capitals is left to encoding/json", swap(">= utf8.RuneSelf || 'A' <= b && b <= 'Z'", "== 0"), "providers/openaichat TestWhatIsUnusual|FuzzScan"},
	{"the usual key goes to the usual host", swap(`|| own.BaseURL != "" `, ""), "providers TestIssue19AKey"},
	{"a key that was given stays with its host", swap("== selection.BaseURL", `!= ""`), "providers TestIssue19AKey"},
	{"what is private is no warning", swap(`, "private"`, ""), "persistence TestIssue19"},
	{"a thought that is bound to other words costs no effort", never, "providers/anthropic TestIssue19ThoughtsBound"},
	{"a refused field is not asked for twice", swap("!m.thoughtless.Swap(true)", "false"), "providers/modeltest TestIssue19ARefused"},
	{"nobody thinks behind what another called", swap("len(message.Thinking) == 0", "false"), "providers/modeltest TestIssue19EveryWire"},
	{"pictures are for who sees", swap("!sees || ", ""), "providers/modeltest TestIssue19Pictures"},
	{"a call with a hole is known", drop, "providers/openaichat TestFindingR10"},
	{"R3: the silence limit is that of the mode of the moment", swap("b.silence()", "b.config.Tuning.Silence"), "actors TestFindingR3"},
	{"R6: a server's tool that writes is not called in a read-only run", never, "cmd/marvin TestScripts/mcp"},
	{"R7: one reader says how deep a Marvin is", swap("> 0", "> 99"), "cmd/marvin TestFindingR7ThePrompt"},
	{"R10: a broken line does not end an answer", always, "providers/openaichat TestFindingR10ABroken"},
	{"R11: an answer that stands still is told", never, "actors TestFindingR11"},
	{"R12: usage that comes late is not lost", never, "providers/openaichat TestFindingR12"},
	{"a call with a hole is not run", never, "actors TestFindingR10"},
	{"hooks: what fails before a call holds it up", always, "tools/hooks TestNoBlockIsMissed"},
	{"hooks: exit 2 is a no whatever is said", swap("answer{Decision: No, Reason: said.Reason}", "said"), "tools/hooks TestNoBlockIsMissed"},
	{"hooks: of two decisions neither is one", never, "tools/hooks TestNoBlockIsMissed"},
	{"hooks: a word that is not known is no yes", swap("err ", "_ "), "tools/hooks TestNoBlockIsMissed"},
	{"hooks: a program that says too much fails", swap("mostAnswer {", "mostAnswer {\n\t\treturn len(p), nil"), "tools/hooks TestHostileHooks"},
	{"hooks: what a hook forks away ends with it", swap("r.session.clear(r.Grace)", "_ = r.session.clear"), "tools/hooks TestHostileHooks"},
	{"custom: a tool is held though a person said yes", swap("held.Approved, held.Free = false, false", "_ = held.Approved"), "tools/custom TestAToolIsHeld"},
	{"a project's tool is held whoever calls it", never, "tools/custom TestAToolOfAProject"},
	{"a project's tool is accepted as it was", swap("== offer.Hash", `!= ""`), "tools/custom TestAToolOfAProject"},
	{"a project's tool that changed is not run", never, "tools/custom TestAToolOfAProject"},
	{"a project's tools are no link", never, "cmd/marvin TestScripts/project_tools"},
	{"a project's tool holds no link", never, "cmd/marvin TestScripts/project_tools"},
	{"a project's tool takes no name of another one", never, "cmd/marvin TestScripts/project_tools"},
	{"a command sees of Marvin's own only what is shown", swap(`unix.Mount("tmpfs", path, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV|unix.MS_NOEXEC, "size=4k,mode=0755")`, "error(nil)"), "tools/internal/jail TestWhatIsShown"},
	{"G13: a hook in the project does not run", never, "tools/hooks TestFindingG13"},
	{"hooks: what a hook changes is judged", swap(", w.call.Args, w.title = decoded, args, decoded.Title", ".Run = decoded.Run"), "actors TestFindingWhatAHook"},
	{"hooks: a hook that asks is asked about", swap(`questioned(w.config.Permissions.Judge(w.decoded, env, w.call.Args, title != ""), w.mode.Person)`, `config.Permissions.Judge(w.decoded, env, w.call.Args, title != "")`), "actors TestAHookAsks"},
	{"hooks: one that is written wrong ends the start", swap(`hooks", "`, ""), "persistence TestAHookThatCannot"},
	{"hooks: calls wait until it is known where they work", swap("Reserve()", "Reserve()\n\ts.turn.Leave()"), "actors TestHooksKeepTheOrder"},
	{"a cancel is told when nothing lives any more", swap("&& !j.ending ", ""), "actors TestFindingQACancel"},
	{"the end waits for what rings", swap("&& m.alarmClock == nil ", ""), "actors TestFindingQStop"},
	{"a cancel begins no request", swap("c.dismissed() || ", ""), "actors TestFindingR14ACancelBegins"},
	{"an old size that comes late is not believed", swap("f.screen.Size()", "33, 10"), "ui/tui TestFindingU15"},
	{"the end of a job is told in the turn", drop, "actors TestFindingR8"},
	{"an answer is not the end before it", never, "actors TestFindingR8"},
	{"an alarm that nobody heard of stays", drop, "actors TestFindingP10"},
	{"words that steer reach the model", never, "actors TestWordsOfAPerson"},
	{"a call that was running is told as unknown", swap("f.intents[call.ID]", "_"), "actors TestWhatWasRunning"},
	{"a turn that was cut off keeps its number", swap("max(before.Info.Turns, before.Last)", "before.Info.Turns"), "actors TestATurnThatWasCutOff"},
	{"what was taken back is told after a restart", drop, "actors TestWhatWasTakenBack"},
	{"a running turn is told as that", swap("sessions.Busy(info.ID)", "false"), "actors TestATurnThatWasCutOff"},
	{"one begins a name", never, "persistence TestANameIsForOne"},
	{"the time of a person is not that of the turn", never, "actors TestTheTimeOfAPerson"},
	{"a plan can be proposed in the turn in which it is wanted", never, "actors TestAPlanCanBeProposed"},
	{"a run waits for what it cost", swap("alone &&", "alone && false &&"), "actors TestFindingR12"},
	{"a call is logged before it runs", swap("= k.config", "= (&Config{})"), "cmd/marvin TestFindingR1"},
	{"a round trip is charged when it is known", always, "cmd/marvin TestFindingR2"},
	{"a prompt is on the disk before it is asked", swap("|| r.kept.waits", ""), "actors TestFindingR5"},
	{"an answer is on the disk while it streams", drop, "cmd/marvin TestFindingR5"},
	{"what was left of a turn is logged once", swap("entries)", "nil) && false"), "persistence TestFindingR5"},
	{"half a key is not written while it streams", drop, "tools TestFindingR5"},
	{"a clock of an earlier question stops no later one", swap("message.request != p.request", "p.request == nil"), "actors TestFindingP1"},
	{"an announced wait is no silence", swap(".Add(message.part.Wait)", ""), "actors TestFindingR4"},
	{"T5: output is cut once, and counted", swap("1900, LineBytes: 4000", "2500, LineBytes: 5000"), "tools/shell TestFindingT5WhatIsLeft"},
	{"T5: broken lines at the gap are counted", swap("first, last = first[:end], last[begin:]", "_, _ = end, begin"), "tools/shell TestWhatIsNotRead"},
	{"T5: a NUL hides nothing", swap("s.put(Null)", "_ = Null"), "tools/internal/screen TestFindingT5"},
	{"T5: a busy program is no waiting one", swap("process.ticks != earlier.ticks", "false"), "tools/internal/proc TestFindingT5WhatCounts"},
	{"T5: what writes does not wait", swap("before.written != now.written ||", ""), "tools/internal/proc TestFindingT5WhatCounts"},
	{"T5: what waits for a terminal is ended", always, "tools/internal/proc TestFindingT5AProgram"},
	{"T5: a command is judged where it runs", swap("place.Dir", "_"), "tools/shell TestFindingT5Runs"},
	{"T5: a directory of a command is below", swap("Enter", "Directory"), "tools/shell TestFindingT5Runs"},
	{"T5: the time a command took is no change", swap("timeless(results[i].Text)", "results[i].Text"), "actors/internal/loop TestFindingT5"},
	{"T7: a large file ends with the next call", swap(" = page.Request{First: 1, Row: row, Bytes: firstPart, Room: env.Room}", ".Bytes = firstPart"), "tools/files TestFindingT7Large"},
	{"T7: an offset and a count are a range", swap("first = max(1, n)", "_ = n"), "tools/files TestFindingT7Ranges"},
	{"T7: outputs of notebooks come in short", swap("Bytes: outputBytes, Lines: outputLines,", ""), "tools/files TestFindingT7Notebooks"},
	{"T8: another name is no way around a mode", swap("refuses(target)", `""`), "cmd/marvin TestFindingT8Another"},
	{"T8: words of strangers by another name are theirs", swap(`r.foreign(name, func(Tool) string { return "" })`, "Tool{}, false"), "cmd/marvin TestFindingT8Another"},
	{"T8: a model learns the name", swap(".named(name)", ""), "cmd/marvin TestFindingT8Tools"},
	{"T8: an absolute path inside is the relative one", drop, "tools/internal/box TestFindingT8"},
	{"T9: a type and a glob hold together", swap(" matching.Glob(s.GlobFilter, name) &&", ""), "tools/coding TestFindingT9Search"},
	{"T9: counts are counted once", swap("keep", "add"), "tools/coding TestFindingT9Search"},
	{"T9: the newest files come first", swap("b.changed.Compare(a.changed), ", ""), "tools/coding TestFindingT9Files"},
	{"T10: a commit takes what the conversation changed", swap("own.specs(), false", "nil, true"), "tools/git TestFindingT10"},
	{"T10: what is left is said", swap(" left(ctx, repository) +", ""), "tools/git TestFindingT10"},
	{"T10: what a sub-agent changed is the conversation's", swap("changed: s.record()", ""), "tools/git TestFindingT10What"},
	{"T10: file tools note what they change", drop, "cmd/marvin TestScript/coding"},
	{"undo: what somebody changed since stays", drop, "tools/undo TestAFileThatSomebody"},
	{"undo: links are not followed", never, "tools/undo TestLinks"},
	{"undo: a crash in between is finished", swap("file.Was = true", `return errors.New("changed")`), "tools/undo TestWhatACrash"},
	{"undo: contents are checked", never, "persistence TestWhatFilesHeld"},
	{"undo: nothing is changed before a yes", never, "actors TestAPersonTakes"},
	{"what was done before a handoff can be taken back", swap("s.config.Home.Sessions().CopyUndo(old.ID(), log.ID(), s.config.Now())", "nil"), "actors TestWhatWasDoneBeforeAHandoff"},
	{"undo: the model is told", swap("undone,", "undone[:0],"), "actors TestAPersonTakes"},
	{"P10: marks of a merge are not committed", never, "tools/git TestFindingP10"},
	{"T20: packages of Python go into the project's environment", swap(`first = &command{name: "python3", args: []string{"-m", "venv", ".venv"}}`, `name = "python3"`), "tools/packages TestFindingT20"},
	{"U4: a cancelled sub-agent is no success", swap("context.Cause(ctx)", "nil"), "tools/agents TestFindingU4"},
	{"U4: nobody speaks in vain", never, "cmd/marvin TestFindingU4"},
	{"T18: nobody is told to tell the user", swap("ForPeople(messages.Unframe(result.Text)", "Unframe(result.Text"), "providers/offline TestFindingT18"},
	{"T18: names in hints are readable", swap("quoteName(name) == name", "false"), "tools/internal/box TestFindingT18"},
	{"T15: a link has its address", never, "tools/browse TestFindingT15"},
	{"T15: links are relative to where the page was found", swap("found.URL.String()", `"https://site.example/"`), "tools/browse TestFindingT15"},
	{"T15: nobody rushes on a Sunday", swap("(day == time.Saturday || day == time.Sunday)", "day == time.Saturday"), "tools/travel TestFindingT15"},
	{"U11: lines break between words", never, "ui/plain TestFindingU11"},
	{"U8: prose is not as wide as the screen", swap("proseWidth", "width"), "ui/view TestFindingU8"},
	{"U2: a refused call keeps its command", swap("event.Title", "_"), "actors TestFindingU2"},
	{"U3: what a command prints is shown", swap("lines = append(lines, b.live(width)...", "_ = b.live(width"), "ui/view TestFindingU3"},
	{"U9: help says that there is more", swap("s.drawRule(rule, now)", "_ = rule"), "ui/tui TestFindingU9"},
	{"a picture of a billion pixels is a line of text", never, "ui/tui/internal/graphics TestHostilePictures"},
	{"a long conversation does not keep all its pictures", drop, "ui/view TestALongConversationGives"},
	{"U4: a hint ends with the key after it", swap("s.hint", "_"), "ui/tui TestFindingU4"},
	{"U4: a hint ends with its question", swap("s.hint", "_"), "ui/tui TestFindingU4"},
	{"U4: who took over did so for a turn", swap("s.Turn.Provider, s.Turn.Model = s.Provider,", "_ ="), "ui/conversation TestFindingU4"},
	{"U7: a greeting fills no small screen", never, "ui/tui TestFindingU7"},
	{"U7: the way back is to this conversation", swap("marvin -r", "marvin -c"), "cmd/marvin TestFindingU7"},
	{"U7: the way back is told", swap("parts.farewell(kept != nil)", "_ = kept"), "cmd/marvin TestFindingU7"},
	{"U5: an option that is not there is suggested", swap("len(near) > 0", "false"), "cmd/marvin TestFindingU5"},
	{"U5: a slip of the keyboard is no prompt", swap("plain.Args.Words", "nil"), "cmd/marvin TestFindingU5"},
	{"U10: a slip of the keyboard makes no profile", swap("at >", "true || at >"), "ui/command TestFindingU10"},
	{"old results leave before a summary is made", swap("prunes", "compacts"), "actors TestOldResultsLeave"},
	{"what is stale leaves before it is sent again", never, "actors TestOldResultsLeaveWith"},
	{"what a word points at stays", drop, "actors/internal/budget TestOldResultsLeaveWhere"},
	{"what is in front of a compaction is not pointed at", drop, "actors/internal/sessionlog TestAPictureIsWrittenOnce"},
	{"another branch has other pictures", drop, "actors/internal/sessionlog TestAPictureIsWrittenOnce"},
	{"what leaves the view is kept", swap("leaving[i].Address = tools.ArtifactAddress(kept.Number)", "_ = kept"), "actors TestOldResultsLeave"},
	{"what is left out of an output is kept", swap("err !=", "err =="), "tools/shell TestTheMiddle"},
	{"what is kept of an output is bounded", swap("full || w.", ""), "persistence TestArtifactsAreBounded"},
	{"keys are not in what is kept of an output", swap("text = []byte(s.secrets.Hide(string(text)))", "_ = text"), "tools/shell TestBothStreams"},
	{"what strangers wrote stays theirs in an artifact", swap("i.strangers", "_"), "actors TestWhatIsCutOut"},
	{"the same content is kept once", never, "persistence TestWhatIsNoText"},
	{"artifacts go with a conversation that is not kept", swap("s.keeping.closeArtifacts(c)", "_ = c"), "actors TestWhatIsCutOut"},
	{"members of archives are bounded", swap("return 0, errTooMuch", "b.left = 1 << 40"), "tools/internal/address TestArchivesThat"},
	{"P10: a refusal is answered with the way on", swap(" refused(in.Command, result) +", ""), "tools/shell TestFindingP10"},
	{"P4: Ctrl-C on a tool clears away", swap("Interrupt", "Kill"), "cmd/marvin TestFindingP4"},
	{"P10: a script sees that a command failed", never, "cmd/marvin TestFindingP10"},
	{"keys are hidden in logs", swap("text = strings.ReplaceAll(text, secret, hiddenText)", "_ = secret"), "cmd/marvin TestS21No"},
	{"renewed tokens are hidden", swap("own = append(own, ownSecrets(env.Home)...)", ""), "tools TestS21"},
	{"Marvin's own tokens are hidden in logs", swap("append(givenSecrets(environ, home), ownSecrets(home)...", "givenSecrets(environ, home"), "cmd/marvin TestS21NoSession"},
	{"keys are hidden in what a person ran", swap("kept.Hide(answered)", "answered"), "cmd/marvin TestS21NoLine"},
	{"keys are hidden in errors of models", swap("key", `""`), "cmd/marvin TestS21No"},
	{"children get no keys", swap(" && !secret(name, value)", ""), "cmd/marvin TestS21No"},
	{"children get what is known only", swap("(allowed(name) || p.like(name)) &&", ""), "tools/internal/proc TestS21"},
	{"a command cannot read Marvin's memory", never, "cmd/marvin TestS21ACommand"},
	{"files of a directory that nobody approved are asked about", always, "actors TestS1"},
	{"sub-agents read what their conversation reads", swap("!policy.Agent", "true"), "actors TestS22"},
	{"hidden text of strangers is taken out", swap("text = tools.Unhidden(text)", "_ = text"), "actors TestS14"},
	{"hidden text of files is marked", swap("text = tools.Marked(text)", "_ = text"), "actors TestFindingG16Inv"},
	{"words of strangers are framed", swap("return messages.Frame(source[:min(len(source), 200)], text)", "_ = source\n\treturn text"), "actors TestFindingG16AFrame"},
	{"a frame cannot be ended from within", swap(`strings.TrimSpace(frameEnds), "<end of the words of strangers>`, `"", "`), "messages TestFindingG16"},
	{"nobody at a pipe says yes", never, "cmd/marvin TestS1The"},
	{"a configuration that cannot be read ends the start", swap("nil {", "nil && len(data) > 0 {"), "persistence TestFindingG14What"},
	{"what a configuration was understood as is of these bytes", never, "persistence TestAConfigurationIsUnderstood|TestADamagedMemo"},
	{"a misspelt guard ends the start", swap("|| meansGuard(token.Value) ", ""), "persistence TestFindingG14An"},
	{"text in another encoding is not read as nothing", swap("= 0", "= len(data)"), "persistence TestAsk39"},
	{"deep nesting is not parsed", never, "persistence TestAsk39"},
	{"read-only is what a tool does, not a list", swap("> Reads && !def.Steers", "== Irreversible"), "cmd/marvin TestFindingR6"},
	{"nonsense is no permission to write", swap("return", "if text != \"\" {\n\t\treturn false, nil\n\t}\n\treturn"), "tools/internal/envvar TestFindingR15"},
	{"a Marvin of a command knows how deep it is", swap("envvar.ForChild(command.Environ)...)", "[]string(nil)...)\n\t_ = envvar.ForChild"), "tools/internal/proc TestFindingR7"},
	{"the last round is the last", never, "actors TestFindingR13"},
	{"calls beyond it are refused once", never, "actors TestFindingR13TheLast|TestFindingR13Sub"},
	{"what is under way counts for the limit", swap("p.asking > 0 && (!p.known || p.spent+p.pending+c.estimate > c.limit)", "false"), "actors TestFindingR14The"},
	{"Copilot's own rounds have an end", never, "providers/copilot TestFindingR13"},
	{"a limit bounds something", swap("math.IsNaN(o.MaxCost) ||", ""), "cmd/marvin TestFindingR14"},
	{"an answer has an end", swap("> MostText", "< 0"), "actors TestFindingR16"},
	{"a call has an end", never, "providers/limit TestFindingR16"},
	{"deep arguments are not decoded", never, "tools TestFindingR16"},
	{"a pattern stays small", drop, "tools/coding TestFindingR17"},
	{"a feed is not nested without end", never, "tools/feeds TestFindingR17"},
	{"keys in files are hidden, whoever they are for", swap("append(proc.Secrets(environ), keys.All(home)...", "proc.Secrets(environ"), "cmd/marvin TestFindingR9Keys"},
	{"a word is no key", swap("len(key) >= shortestKey", `key != ""`), "cmd/marvin TestFindingR9Short"},
	{"what stands behind an empty document is not passed over", never, "persistence FuzzConfig|TestPriceFileIsStrict"},
	{"a key that is no text makes no rule void", never, "persistence FuzzConfig|TestFindingG14AKey"},
	{"the file of a job is synced", swap("syncUp(root, name)", "nil"), "persistence TestRow1Power"},
	{"a rule of a calendar ends", never, "tools/calendar TestRules"},
	{"one renewal of a plan's login", swap("nil {", "nil && unlock() != nil {"), "providers/chatgpt TestIssue19ALogin"},
	{"one refresh of a login", swap("nil {", "nil && unlock() != nil {"), "tools/spotify TestRow31"},
	{"private addresses are refused", never, "tools/internal/web TestS12"},
	{"a browser asks nobody of its own", swap(`"--component-updater=url-source=http://" + relay.Nowhere, `, ""), "tools/internal/browser TestFindingG11Chromium"},
	{"a relay refuses what no page asked for", swap("host)", "host) && false"), "tools/internal/relay TestFindingG11"},
	{"paths stay below the directory", swap("|| w.exists < len(w.parts)", "{\n\t\treturn nil\n\t}\n\tif false"), "tools/internal/box ."},
	{"a directory outside of the root is not entered", swap("& !", "& "), "cmd/marvin TestFindingG13Every"},
	{"directories are judged whatever the tool", drop, "cmd/marvin TestFindingG13No"},
	{"the way to the working directory is not left", swap("above.OpenRoot(name", "os.OpenRoot(dir"), "tools/internal/box TestFindingG13"},
	{"configuration of programs is not written", swap("e.guarded()", "nil"), "cmd/marvin TestFindingG13File"},
	{"guarded files are known by what they are", swap("info !=", "info =="), "tools/internal/box TestFindingG13"},
	{"no repository is made by file tools", never, "tools/internal/box TestFindingG13"},
	{"git's files are not written", swap(`sameName(part, ".git") ||`, ""), "tools/internal/box TestS6"},
	{"a changed file is not overwritten", swap("s.holds(s.before)", "nil"), "tools/internal/box TestRow46"},
	{"no program of the project is run outside the sandbox", never, "tools/internal/proc TestFindingG3"},
	{"a program loads nothing of the project's", never, "tools/internal/proc TestFindingG3"},
	{"every call distrusts its directories", drop, "tools TestFindingG3"},
	{"git that writes is held", swap("command.Jail", "_"), "tools/git TestFindingG1Git"},
	{"outside the sandbox, nothing of a repository's runs unasked", swap("command.Env", "_"), "tools/git TestFindingG1Without"},
	{"a yes is for what was shown", swap(" && a.asked[repository] == digest", ""), "tools/git TestFindingG1APerson"},
	{"another repository is noticed", swap("pins.News(e.Root", "false, error(nil"), "tools/git TestFindingG2ABare"},
	{"git tools refuse another repository", swap("env.CheckRepository(", "error(nil"), "tools/git TestFindingG2ABare"},
	{"the repository that was found is asked", swap(`[]string{"GIT_DIR=" + r.GitDir, "GIT_WORK_TREE=" + r.Top}`, "nil"), "tools/git TestFindingG2What"},
	{"exec lines of a rebase are told", never, "tools/git TestFindingG8Exec"},
	{"cron runs no program of the project", never, "tools/internal/ringing TestFindingG3"},
	{"a git that reads starts nothing", never, "tools/internal/proc TestFindingG8"},
	{"git runs nothing of a repository's", swap(`{"core.fsmonitor", "false"},`, ""), "tools/internal/gitcmd TestWhatGitIsTold"},
	{"a text put together with a dot is not known", swap(`(before == "." || behind == ".")`, `behind == "."`), "tools/internal/permit Corpus"},
	{"deny wins", swap("r.firstMatch(r.denies(), call.Tool, report)", `"", ""`), "tools/internal/permit ."},
	{"what cannot be judged is asked about", never, "tools/internal/permit ."},
	{"nobody there is no yes", swap("Deny", "Allow"), "cmd/marvin TestS2[34]"},
	{"a plan writes nothing", never, "tools TestApprovalDecides"},
	{"what the user asks about is asked in every mode", swap("&& !verdict.Ruled ", ""), "tools TestApprovalDecides"},
	{"nobody there is no approval", swap("nobody(verdict, mode)", "verdict"), "tools TestApprovalDecides"},
	{"issue 12: named arguments are those of the command", drop, "tools/internal/permit TestFindingIssue12Named"},
	{"issue 12: an object holds arguments", swap("named", "false && named"), "tools/internal/permit TestFindingIssue12Named"},
	{"a grant covers each part of a line", swap("!slices.ContainsFunc(s.Parts, func(part []string) bool { return !covered(part) }", "slices.ContainsFunc(s.Parts, covered"), "tools/internal/permit TestAGrantCovers"},
	{"a grant is not for what is known only then", swap(`report.Unclear != "" || report.Opaque != "" || `, ""), "tools/internal/permit TestAGrantCovers"},
	{"no grant for what runs anything", never, "tools/internal/permit TestAGrantIs"},
	{"at its deadline what is stated is taken", swap("task.After(c, wait, unanswered{ask: pending.call, deadline: pending.asked.Deadline})", "_ = task.After"), "actors TestAtItsDeadline"},
	{"nobody there takes what is stated", swap("& !", "& "), "actors TestNobodyTakes"},
	{"the time of a question begins when it is told", swap("pending.inquiry != nil && i >", "i <"), "actors TestAQuestionWaits"},
	{"an answer is one to the question", swap("pending.asked.Whole(answer", "answer, error(nil"), "actors TestAQuestionIs"},
	{"an accepted plan is carried out", drop, "actors TestAPlanIsAccepted"},
	{"questions come in the order of the reply", swap("[]tools.Place{tools.ThePerson}", "nil"), "tools/ask TestFindingO3"},
	{"a plan is read before it is accepted", always, "ui/tui TestALongPlan"},
	{"the time of a person is not that of a call", swap("+ e.allowed", "+ 0*e.allowed"), "actors TestTheTimeOfAPerson"},
	{"a call that waits for others has an end", drop, "actors TestACallThatWaits"},
	{"a plan survives compaction", swap("Plan: s.plan.left(), PlanCall: s.plan.call,", ""), "actors TestAPlanSurvives"},
	{"an old plan is no plan", swap("text, _ = cutList(text, planMark)", "_ = planMark"), "actors TestAPlanSurvives"},
	{"plans of one reply stand in its order", swap(`[]tools.Place{{State: "plan", Write: true}}`, "nil"), "actors TestTheLastPlan"},
	{"what always covers is held", swap("false", "true"), "actors TestFindingO3WhatWaitedIsHeld"},
	{"always is only what was offered", swap(` && pending.always != ""`, ""), "actors TestWithoutASandbox"},
	{"nobody there lets nothing out", swap(" !w.mode.Person ||", ""), "actors TestNothingElse"},
	{"a sandbox by name lets nothing out", swap(" outside.Confines() ||", ""), "actors TestNothingElse"},
	{"a cancel lets nothing out", never, "actors TestACancelLeaves"},
	{"sub-agents are in the mode of their caller", swap("c.Send(one.pid, messages.SetApproval{Mode: mode})", "_ = one.pid"), "actors TestSubAgentsAreIn"},
	{"commands are held by seccomp", swap("return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&compiled)), 0, 0)", "_ = unsafe.Pointer(&compiled)\n\treturn nil"), "tools/internal/jail TestS4"},
	{"commands are held by Landlock", swap("_, _, failed := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); failed != 0", "failed := error(nil); failed != nil"), "tools/internal/jail TestS[34]"},
	{"what is outside is mounted read-only", swap("unix.MOUNT_ATTR_RDONLY", "0"), "tools/internal/jail TestS4What"},
	{"the limits of others are theirs", swap("refuse", "allow"), "tools/internal/jail TestS4Other"},
	{"shared memory is a command's own", swap("|syscall.CLONE_NEWIPC", ""), "tools/internal/jail TestS4Other"},
	{"git looks for no repository first below one", swap("!= git", `== ""`), "tools/internal/jail TestS6"},
	{"links in a repository are held by name", swap("add(&j.plan.Links, name)", "_ = name"), "tools/internal/jail TestFindingG4"},
	{"what became a link in the sandbox is not granted", swap("Resolve: unix.RESOLVE_NO_SYMLINKS", ""), "tools/internal/jail TestFindingG5"},
	{"a link of the project makes no cache in the sandbox", swap("!ofProject", "(ofProject || true)"), "tools/internal/jail TestFindingG5"},
	{"no call sees what was made for a command that is over", drop, "tools/shell TestNoCallSees"},
	{"names in the sandbox stay while somebody lives", swap("!needed[one.path]", "(!needed[one.path] || true)"), "tools/internal/jail TestFindingG7"},
	{"the sandbox of a job stays while it lives", swap(" && !inhabited()[filepath.Join(whole, tempName)]", ""), "tools/internal/jail TestFindingG7"},
	{"the sandbox leaves nothing behind after a kill", swap(" || last && saysNothing(name, content)", ""), "tools/internal/jail TestFindingG7"},
	{"what a repository includes is read-only in the sandbox", swap("files", "files[:0]"), "tools/internal/jail TestFindingG8"},
	{"the plan of a sandbox follows the user", swap("slices", "j.read == nil && slices"), "tools/internal/jail TestFindingG8"},
	{"signals stay in the sandbox", drop, "tools/internal/jail TestFindingG12"},
	{"only what is in the sandbox is stopped for it", never, "tools/internal/jail TestFindingG12"},
	{"classes of others stay in the sandbox", swap("unless(equal, 0, 1), answer(allow), unless(atLeast, own, 1), answer(allow), answer(refuse", "answer(allow"), "tools/internal/jail TestAsAnOrdinaryUser"},
	{"priorities of others stay in the sandbox", swap("load(atSecond), unless(equal, 0, 1), answer(allow), unless(atLeast, own, 1), answer(allow), answer(refuse", "answer(allow"), "tools/internal/jail TestAsAnOrdinaryUser"},
	{"the sandbox hides keys of ssh", drop, "tools/internal/jail TestFindingG10"},
	{"the sandbox hides logins", swap("secretPlaces", "secretPlaces[:0]"), "tools/internal/jail TestFindingG10"},
	{"the sandbox hides who listens", swap("append(h.jail.keeper.named(), listening()...", "h.jail.keeper.named("), "tools/internal/jail TestFindingG6"},
	{"the sandbox hides what variables name", swap("append(h.jail.keeper.named(), listening()...", "listening("), "tools/internal/jail TestFindingG6"},
	{"the smaller sandbox hides keys", swap(" hidden[path] ||", ""), "tools/internal/jail TestTiersHold"},
	{"the smaller sandbox puts back what git runs", never, "tools/internal/jail TestTierWithoutMountsPutsBack"},
	{"the smaller sandbox has no sockets if strict", never, "tools/internal/jail TestTierStrict"},
	{"a sandbox without Landlock keeps devices", drop, "tools/internal/jail TestTiersHold"},
	{"a sandbox is not made smaller by a command", swap("|| k.proven.Load() ", ""), "tools/internal/jail TestTierIsNot"},
	{"packages are installed in the sandbox", swap(" Jail: cell,", ""), "tools/packages TestS4"},
	{"apt needs a person each time", never, "tools/packages TestS4"},
	{"programs in options are judged", swap("append(i.unwrap(part), i.options(part)...", "i.unwrap(part"), "tools/internal/permit TestS24|TestRules"},
	{"commands in arguments are found", never, "tools/internal/permit TestS24"},
	{"what is nested too deep is asked about", drop, "tools/internal/permit TestFindingG17A|TestS24"},
	{"quotes with escapes are decoded", swap("ansi(part.Value, quotes)", "part.Value"), "tools/internal/permit TestFindingG17A|TestS24"},
	{"here documents of shells are judged", swap("r.runs(part, text.text, r.depth)", "_ = text"), "tools/internal/permit TestFindingG17A|TestS24"},
	{"what programs give to a shell is judged", swap("r.runsCommand(call, runs(name) == surely)", "_ = name"), "tools/internal/permit TestFindingG17A|TestS24"},
	{"trees that programs delete are judged", drop, "tools/internal/permit TestS24"},
	{"rules of tools see texts in lists", swap("ok {", `ok && text == "" {`), "tools TestFindingM"},
	{"judging has an end", swap("mostWord", "1000*mostWord"), "tools/internal/permit TestS31"},
	{"the ticket of a sub-agent taints", swap(", one.task.Brought", ""), "actors TestFindingG9TheTicket"},
	{"an address of the model's asks", swap("known == unknown", "false"), "tools TestFindingG9"},
	{"what a command sends is seen", swap("commandSends(*c.Command, env)", "commandSends(\"\", env)"), "tools TestFindingG9ACommand"},
	{"a login that the person wrote is named", swap("to.Own || env.Trail.said(sending.To)", "to.Own"), "tools TestFindingG9ACommand"},
	{"more than an address that was read is asked about", swap(" && !to.More", ""), "tools TestFindingG9ACommand"},
	{"a rule about commands names no host", swap("strings.Contains(rule.Pattern, \"://\") && ", ""), "tools TestFindingG9ACommand"},
	{"what a request carries beside its address is seen", never, "tools TestFindingG9"},
	{"an address that is put together when it runs carries more", never, "tools TestFindingG9"},
	{"a place is named whole", swap("wantedHost, path = bare, false", "_ = bare"), "tools TestFindingG9Rules"},
	{"what a service repeats opens nothing", swap("!asked.says(one)", "asked.says(one) || true"), "tools TestFindingG9WhatTheNetwork"},
	{"pasted text names no host", swap("len(prompt) < pasted && ", ""), "tools TestFindingG9WhatThePerson"},
	{"a Marvin of a model names no host", swap(" && !policy.Delegated", ""), "actors TestFindingG9A"},
	{"files of a directory that nobody approved taint", never, "actors TestFindingG9Files"},
	{"what a page hides is not read", drop, "tools/internal/markup TestFindingG16What"},
	{"what programs and files say is a stranger's word", swap("Untrusted() && itsOwn(result.Status", "Foreign("), "actors TestS13Wherever"},
	{"what came meanwhile is a stranger's word", swap(", newsCame", ""), "actors TestS13WhatCame"},
	{"view: an address ends no sequence of the terminal", never, "ui/view TestLinksAreHarmless"},
	{"bidi controls do not reach the terminal", never, "ui/termsafe ."},
	{"file tools leave what git includes", swap("e.Dir).Common, e.Home", `"").Common, ""`), "tools/files TestFindingG8"},
	{"what rg found is in the directory", swap(", err := s.verify(ctx)", ` := ""`), "tools/coding TestGrepShowsOnly"},
	{"tickets are in the project", swap("path == named", "true"), "tools/tickets TestTicketsAreNo"},
	{"downloads are where nothing is obeyed", swap("visible(root, path, env.Home", "error(nil"), "tools/downloads TestDownloadsAreNo"},
	{"a terminal gets clean text", never, "cmd/marvin TestFindingG15Nothing"},
	{"a character that comes in pieces is one", swap("append([]byte(nil), text...)", "nil"), "ui/termsafe TestFindingG15"},
	{"lines of JSON are harmless", swap("termsafe.JSON(w.buffer.Bytes()", "append(termsafe.JSON(nil), w.buffer.Bytes()..."), "cmd/marvin TestFindingG15JSON"},
	{"what a full disk cut off is ended", swap(`lines = append([]byte{'\n'}, lines...)`, "_ = lines"), "persistence TestWhatIsCutOff"},
	{"what a full disk did not take is written later", swap("l.held, l.hide = records, hide", "_ = hide"), "actors/internal/sessionlog TestWhatAFullDisk"},
	{"what waits to be written stays on its branch", swap("l.hide != nil &&", "false &&"), "actors/internal/sessionlog TestWhatAFullDisk"},
	{"nothing of a round that a full disk cut off is read", swap("s.file.Truncate(size)", "nil"), "persistence TestAConversationOnAFull"},
	{"a conversation that cannot begin leaves nothing", swap("(path), removeIfThere", ""), "persistence TestAConversationOnAFull"},
	{"a name is for one conversation", never, "persistence TestANameIs"},
	{"what is removed is gone from the index", swap("problems = append(problems, s.rewriteIndex(list, indexPatience))", "_ = list"), "persistence TestOnlyWhatIsNamed"},
	{"a link is not removed as a conversation", swap("!info.Mode().IsRegular", "info.IsDir"), "persistence TestOnlyWhatIsNamed"},
	{"a call without a result is mended", drop, "actors TestACrafted"},
	{"a page runs nothing", swap("termsafe.String(text)", `"") + termsafe.String(text`), "ui/transcript TestAPage"},
	{"what nobody looks at goes by its name alone", drop, "cmd/marvin TestScripts/sessions$"},
	{"a removal is asked about", never, "cmd/marvin TestScripts/sessions$"},
	{"an export is harmless", swap("text.String()", `"") + text.String(`), "cmd/marvin TestFindingG15Exports"},
	{"a name with a line break is one line", swap(`strings.Join(event.Names, ", ")`, `"") + strings.Join(event.Names, ", "`), "cmd/marvin TestFindingG15TheName"},
	{"who wants thinking does not get none", never, "providers TestIssue19WhoWants"},
	{"what was thought goes back where it is wanted", swap("!m.returning.Swap(true)", "false"), "providers/openaichat TestIssue19WhatWasThought"},
	{"a fleet answers no line without its pictures", never, "cmd/marvin TestIssue19AFleetTakes"},
	{"a prompt of a fleet waits once", swap(", jetstream.WithExpectLastSequencePerSubject(0)", ""), "cmd/marvin TestFleetGoesOn"},
	{"a prompt that kills its workers is set aside", never, "cmd/marvin/internal/fleet TestAPromptIsNot"},
	{"what may be half done is not begun again", never, "cmd/marvin/internal/fleet TestAPromptIsNot"},
	{"a prompt of another version is left alone", never, "cmd/marvin TestFleetKeeps"},
	{"a result answers the prompt it came under", never, "cmd/marvin/internal/fleet TestResultsThat"},
	{"near its limit a fleet asks one prompt at a time", never, "cmd/marvin/internal/fleet TestWhatAFleetSpends"},
	{"a worker works in no directory that it does not serve", always, "cmd/marvin TestFleetServesItsDirectories"},
	{"a worker checks out nothing from elsewhere", never, "cmd/marvin TestFleetChecks"},
	{"a misspelt field of a batch is an error", swap("line.Data", "[]byte(`{}`)"), "cmd/marvin TestFindingP9AnUnknown"},
	{"an answer of a fleet is taken once", never, "cmd/marvin/internal/batch TestAnswersThatAreOwed"},
	{"an id of a batch stands for what was asked", swap(" && !changed, changed", ", false"), "cmd/marvin TestFindingP9AChanged"},
	{"an installed model of Ollama is picked", swap(`!named || selection.Model == ""`, "named"), "cmd/marvin TestFindingP6Without"},
	{"a model of Ollama without tools is asked without", swap("refusesTools(err) && len(question.Tools) > 0", "false"), "providers/ollama TestFindingP6AModelWithout"},
	{"Ollama's thinking goes back with its calls", drop, "providers/ollama TestFindingP6Thinking"},
	{"the larger model is asked before less is known to fit", drop, "actors TestIssue19AWindow"},
	{"who plans is followed by who plans", never, "actors TestIssue19ThePlanner"},
	{"a port that never answers costs 300 ms", swap("; quiet {", "; quiet && false {"), "cmd/marvin TestIssue19Servers"},
	{"who lists another provider has no server on this machine asked", drop, "cmd/marvin TestIssue19Servers"},
	{"thoughts stay with the model of Ollama that thought them", swap("kept.Model == model", "true"), "providers/modeltest TestIssue19EveryWire"},
	{"the window of Ollama's model is the model's", drop, "providers/ollama TestFindingP6TheWindow"},
	{"a window that is too small is told as that", swap(`e.tooSmall(limits, message.tokens); tight != "" && !e.cancel`, `""; tight != ""`), "actors TestFindingP6AFirst"},
	{"the start of the Copilot CLI is no silence", swap("c.config.StartLimit", "0"), "providers/copilot TestFindingP7TheStart"},
	{"what a dead Marvin left of Copilot is swept away", drop, "providers/copilot TestFindingP7What"},
	{"what a living Marvin has of Copilot stays", swap("& free", "& (free || true)"), "providers/copilot TestFindingP7What"},
	{"a rate limit behind Copilot is told as that", never, "providers/copilot TestFindingP7ARate"},
	{"a provider that was left is closed", swap("choice != m.last", "false"), "actors TestFindingP7AProvider"},
	{"nothing is rebuilt where nobody asks again", always, "actors TestRow26"},
	{"what is not charged yet is kept", never, "actors TestFindingR2WhatIsNot"},
	{"a prompt that was sent is begun, and told to have ended", never, "actors TestAPromptIsBegunBeforeItsConversationEnds"},
	{"a take-over repeats nothing", swap("s.broken", "text"), "actors TestFindingP5"},
	{"what Ollama is told later stays in its place", never, "providers/ollama TestFindingP2"},
	{"a command is taken to the last letter", swap("return line", `return strings.TrimRight(line, ".!?")`), "providers/offline TestFindingT2"},
	{"prose is no command", swap(", strings.ToLower(second)", "[:0], second"), "providers/offline TestFindingT2"},
	{"two orders are not one", swap("best.several()", "false"), "providers/offline TestFindingT3"},
	{"a value stands in no doubtful phrase", swap("m.skip(at) == len(s.words)", "true"), "cmd/marvin TestFindingT4"},
	{"a title is no time", swap("words[0].isColon() || words[0].isLink() || ", ""), "cmd/marvin TestFindingT4ATitle"},
	{"where no tool fits none is named", swap("!slices.ContainsFunc(hits, fits)", "len(hits) == 0 && !slices.ContainsFunc(hits, fits)"), "cmd/marvin TestFindingT17"},
	{"tools are found in three languages", drop, "cmd/marvin TestFindingT17"},
	{"a chat begins with what people ask for", swap("&& (mode.Coding || !t.Chat)", ""), "cmd/marvin TestFindingT19"},
	{"a repetition is no part of an errand", swap("last || slices.ContainsFunc(words, each) || repeats(s, words", "false && last && slices.ContainsFunc(words, each"), "cmd/marvin TestFindingT4"},
	{"a series without a day begins where it first takes place", never, "tools/calendar TestASeriesWithoutADay"},
	{"sums are exact", swap("sum.Add(&a.Rat, &b.Rat", "x, _ := a.Float64()\n\ty, _ := b.Float64()\n\tsum.SetFloat64(x + y"), "tools/sums TestFindingT15"},
	{"problems are of what a file holds when they are told", swap(`err != nil || string(now) != content`, "err != nil && string(now) != content"), "tools/internal/language TestNothingIsToldOfAContent"},
	{"only what a call wrote is formatted", never, "tools/language TestOnlyWhatWasWritten"},
	{"a crontab is read as cron reads it", swap(`FieldsFunc(body, func(r rune) bool { return r == ' ' || r == '\t' }`, "Fields(body"), "tools/internal/cron Fuzz"},
}

// Without any one guard at least one test fails. GUARDS=1, which is `make guards`, takes
// each away and runs its tests, and GUARDS=keys those with that word in their name or
// their tests; otherwise only the list is checked.
func TestEveryGuardIsMissed(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	places := guardPlaces(t)
	for _, guard := range guardLines {
		found := places[guard.mark]
		delete(places, guard.mark)
		if len(found) != 1 {
			t.Errorf("\"// guard: %s\" stands at %d lines of the program, not at one", guard.mark, len(found))
			continue
		}
		without, ok := found[0].without(guard.by)
		if !ok {
			t.Errorf("%s: the list takes away what its line in %s does not have:\n%s", guard.mark, found[0].file, found[0].lines[found[0].at])
			continue
		}
		if chosen := os.Getenv("GUARDS"); chosen != "" && (chosen == "1" || strings.Contains(guard.mark+" "+guard.tests, chosen)) {
			guard.mustBeMissed(t, root, found[0].file, without)
		}
	}
	for mark, found := range places {
		t.Errorf("%s: the guard %q is not in the list", found[0].file, mark)
	}
}

// guardPlace is the line of a guard.
type guardPlace struct {
	file  string // from the root of the project
	lines []string
	at    int // the line
}

// guardPlaces finds the marks in the program.
func guardPlaces(t *testing.T) map[string][]guardPlace {
	t.Helper()
	places := map[string][]guardPlace{}
	eachFile(t, func(file string, _ *ast.File, _ *token.FileSet) {
		source, err := os.ReadFile(filepath.Join("..", "..", file))
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(string(source), "\n")
		for i, line := range lines {
			before, mark, found := strings.Cut(line, guardMark)
			if !found {
				continue
			}
			at := i
			for strings.TrimSpace(before) == "" && at+1 < len(lines) && (at == i || strings.Contains(lines[at], guardMark)) {
				at++
			}
			places[mark] = append(places[mark], guardPlace{file, lines, at})
		}
	})
	return places
}

// guardMark begins the comment that names a guard. (It is put together, or this line would be one.)
const guardMark = "// " + "guard: "

// without is the source of the file without the guard.
func (m guardPlace) without(by removal) (string, bool) {
	line := m.lines[m.at]
	code, _, _ := strings.Cut(line, " "+guardMark)
	if at := strings.LastIndex(code, " // "); at >= 0 {
		code = code[:at]
	}
	changed, ok := by(strings.TrimSpace(code))
	lines := slices.Clone(m.lines)
	lines[m.at] = changed
	return strings.Join(lines, "\n"), ok
}

// mustBeMissed runs the tests of a guard on a program that lacks it.
func (g guard) mustBeMissed(t *testing.T, root, file, without string) {
	t.Helper()
	out := g.testsWithout(t, root, file, without)
	switch failed := strings.Index(out, "--- FAIL: "); {
	case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
		t.Errorf("%-40s does not build without it:\n%s", g.mark, out)
	case failed < 0 && !strings.Contains(out, "panic:"):
		t.Errorf("%-40s is missed by no test of %s:\n%s", g.mark, g.tests, out)
	case failed < 0:
		t.Logf("%-40s %s panics", g.mark, g.tests)
	default:
		name, _, _ := strings.Cut(out[failed+len("--- FAIL: "):], " ")
		t.Logf("%-40s %s", g.mark, name)
	}
}

// testsWithout runs the tests of a guard on a program that lacks it. The files on the
// disk stay as they are.
func (g guard) testsWithout(t *testing.T, root, file, without string) string {
	t.Helper()
	dir := t.TempDir()
	changed := filepath.Join(dir, filepath.Base(file))
	if err := os.WriteFile(changed, []byte(without), 0o600); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, file): changed}})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	room, pattern, _ := strings.Cut(g.tests, " ")
	command := exec.Command("go", "test", "-count=1", "-vet=off", "-timeout", "120s", "-overlay", list, "-run", pattern, "./"+room)
	command.Dir = root
	out, _ := command.CombinedOutput() // that it fails is what is hoped for
	return string(out)
}
