package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// guard is a line that keeps something from going wrong, what becomes of it here, and
// the tests that must notice.
type guard struct {
	what, file, line, without string
	tests                     string // package and pattern
}

// guardLines are the guards. Each line stands once in its file.
var guardLines = []guard{
	{"documents: the name is synced", "persistence/replace.go", "return syncDir(filepath.Dir(path))", "return nil", "persistence TestRow1Power"},
	{"documents: the content is synced", "persistence/replace.go", "err = file.Sync()", "err = nil", "persistence TestRow1Power"},
	{"prompts wait for the conversation that is taken up", "actors/session.go", "if s.router != nil || s.quitting || s.moving {", "if s.router != nil || s.quitting {", "actors TestPromptsWaitFor"},
	{"what is asked beside is forgotten", "actors/session_end.go", "if s.beside = nil; beside == nil {", "if s.beside = nil; beside != nil || beside == nil {", "actors TestWhatIsAskedBeside"},
	{"what was said since is searched too", "actors/internal/sessionlog/words.go", "if words.Covered >= info.Size {", "if words.Covered > 0 {", "actors/internal/sessionlog TestASearchWithWords"},
	{"the words go with their conversation", "persistence/sessionedit.go", "removeIfThere(wordsPath(path)), ", "", "actors/internal/sessionlog TestASearchWithWords"},
	{"a copy keeps what is about another entry", "persistence/sessionfork.go", "branch[i].Of = places[branch[i].Of]", "branch[i].Of += 0", "actors/internal/sessionlog TestACopyKeepsItsLabels"},
	{"usage.json: the content is synced", "persistence/usagefile.go", "survives: whole", "survives: fleeting", "persistence TestRow1Power"},
	{"new directories are synced", "persistence/home.go", "errors.Join(os.Chmod(path, 0o700), syncDir(filepath.Dir(path)))", "os.Chmod(path, 0o700)", "persistence TestRow1Power"},
	{"a taken alarm stays taken", "persistence/alarms.go", "err = syncDir(h.path(dir))", "err = nil", "persistence TestRow1Power"},
	{"a number alone is an hour", "tools/internal/when/clock.go", "r.meridiem(clock{hour: hour, half:", "r.meridiem(clock{second: hour, half:", "tools/alarms TestFindingT1Seven"},
	{"a date with two readings is asked about", "tools/internal/when/date.go", "found.offset = swapped", "found.offset = 0", "tools/internal/when TestPhrases"},
	{"cron lives in a zone of its own", "tools/internal/bell/bell.go", "table.Zones(ctx, time.Local)...", "time.Local", "tools/internal/bell TestFindingT16"},
	{"cron cannot ring in the minute that has begun", "tools/internal/bell/bell.go", "due, _ := Minute(alarm.Time, b.Home.Now())", "due := alarm.Time", "tools/internal/bell TestFindingT11"},
	{"a countdown rings", "tools/timers/timers.go", "how, err := s.ring(ctx, env, name, length, due)", "how, err := s.ring, error(nil)", "tools/timers TestFindingT11"},
	{"money goes by the bank's own quotes", "tools/units/currency.go", `"base": {euro}, "symbols": {strings.Join(asked, ",")}`, `"base": {from}, "symbols": {strings.Join([]string{to}, ",")}`, "tools/units TestFindingT13"},
	{"a model looks before its first ticket", "tools/tickets/tk.go", "env.Compact != nil && firstCreate(env)", "env.Compact == nil && firstCreate(env)", "tools/tickets TestFirstCreate|TestFindingT12"},
	{"a zone is what the calendar says it is", "tools/calendar/zones.go", "if zone := described(z.text, name); zone != nil {", "if zone := described(z.text, name); zone != nil && false {", "tools/calendar TestFindingT14Zones"},
	{"what is cancelled is shown as that", "tools/calendar/event.go", "strings.TrimSpace(one.get(\"STATUS\").value), \"CANCELLED\")", "strings.TrimSpace(one.get(\"STATUS\").value), \"\")", "tools/calendar TestFindingT14Cancelled"},
	{"one time of a series leaves the others", "tools/calendar/delete.go", "if one.uid != \"\" && len(found.rules) > 0 && found.file == \"\" {", "if false {", "tools/calendar TestFindingT14ASeries"},
	{"a series is not moved without its exceptions", "tools/calendar/edit.go", "if e.series && e.instance.IsZero() && moved {", "if false {", "tools/calendar TestASeriesWithExceptions"},
	{"a contact is for who asks for one", "tools/internal/web/useragent.go", "&& asksForContact(host)", "", "tools/internal/web TestOnlyWhoAsks|TestAContact"},
	{"only the first word is completed as a command", "cmd/marvin/suggest.go", "found = nil // only", "_ = found // only", "cmd/marvin TestCompletionKnows"},
	{"the manual has the values of flags", "cmd/marvin/man.go", "case len(option.Choices) > 0:", "case false:", "cmd/marvin TestTheManual"},
	{"a note that changed is not deleted", "tools/notes/move.go", "batch := edit.Begin(env, dir.Dir) // deleting", "batch := dir.Batch() // deleting", "tools/notes TestANoteThatChanged"},
	{"a bookmark is removed alone", "tools/bookmarks/change.go", "case 1:\n\t\treturn found[0], nil", "default:\n\t\treturn found[0], nil", "tools/bookmarks TestFindingT16"},
	{"a message of several backups is found once", "persistence/chatsearch.go", "here[key] > shown[key]+shown[cutKey]", "here[key] > 0*shown[cutKey]", "persistence TestFindingT16"},
	{"a puzzle sends the search to the lite page", "tools/internal/duck/search.go", "err == nil || ctx.Err() != nil {", "err == nil || ctx.Err() != nil || errors.Is(err, ErrBusy) {", "tools/internal/duck TestFindingT16"},
	{"gcloud is not started for nothing", "tools/location/gcloud.go", "if !maybeLoggedIn(env) {", "if false {", "tools/location TestFindingT16"},
	{"no track is dropped", "tools/spotify/playlist.go", "tracks := apart(in.Tracks)", "tracks := in.Tracks", "tools/spotify TestTracksAreAdded"},
	{"half a line costs no other", "persistence/audit.go", "if halfLine(a.Path) {", "if false {", "persistence TestRow1Half"},
	{"nothing is imported from outside the repository", "persistence/words/imports.go", "case outside:", "case outside && false:", "persistence/words TestHostileImports"},
	{"a link leads nowhere else", "persistence/words/read.go", "return t.root.OpenFile(name, flags, 0)", "return os.OpenFile(filepath.Join(t.root.Name(), name), flags, 0)", "persistence/words TestHostileImports"},
	{"an import is taken once", "persistence/words/imports.go", "case i.seen[name]:", "case false:", "persistence/words TestHostileImportBombs"},
	{"anchors are not followed", "persistence/words/front.go", "word[0] == '&' {", "word[0] == ' ' {", "persistence/words TestHostileFrontMatter"},
	{"instructions have a budget", "persistence/words/judge.go", "\tShorten(first, budget)", "", "persistence/words TestHostileFilesAreBounded"},
	{"nested instructions are asked about", "actors/project_words.go", "if file.Nested {", "if false {", "actors TestNestedInstructions|TestANoToNested"},
	{"what others wrote has no say", "persistence/words/find.go", "if slices.Contains(foreign, part) {", "if part == foreign[0] {", "actors TestNestedInstructions"},
	{"what an import says is asked about", "persistence/words/judge.go", "file.raw += work.raw.String()", "_ = work.raw", "actors TestInstructionsComeFromTheRoot"},
	{"short rules are told again", "actors/router_project.go", "if since > forgottenAfter {", "if false {", "actors TestShortRules"},
	{"one writer at a time", "persistence/lock.go", "locked, err := lockWithin(file, wait)", "locked, err := true, error(nil)", "persistence Row3|Row5"},
	{"all that is not kept is said", "actors/recorder.go", "r.config.Problem(problem) //", "continue //", "cmd/marvin TestRow4Everything"},
	{"unreadable is not empty", "persistence/rewrite.go", "return err // unreadable is not empty: what is there stays", "data = nil", "persistence TestRow4Every|Unreadable|FuzzDocuments"},
	{"private whatever the umask", "persistence/replace.go", "err = file.Chmod(0o600)", "err = file.Chmod(0o644)", "persistence TestS20"},
	{"a turn ends once it is written", "actors/router_end.go", "report.kept = r.brief.conversation.Policy.Persist", "report.kept = false", "cmd/marvin TestRow2Row30"},
	{"thoughts stay with who thought them", "providers/repair.go", "thought.Origin != origin ||", "", "actors TestIssue15"},
	{"what is kept says where it is from", "actors/router_round.go", "r.told(r.results, r.origins)", "r.told(r.results, nil)", "actors TestIssue15"},
	{"what came is shown before the stream breaks", "providers/openaichat/answer.go", "\tdefer a.release()\n", "", "providers/openaichat TestWhatIsHeld"},
	{"a scanner reads as encoding/json does", "providers/openaichat/scan.go", "if !utf8.Valid(inside) {", "if false {", "providers/openaichat TestWhatIsUnusual|FuzzScan"},
	{"a name in capitals is left to encoding/json", "providers/openaichat/scan.go", "if b >= utf8.RuneSelf || 'A' <= b && b <= 'Z' {", "if b == 0 {", "providers/openaichat TestWhatIsUnusual|FuzzScan"},
	{"the usual key goes to the usual host", "providers/pool.go", "if own.KeySource != \"\" || own.BaseURL != \"\" {", "if own.KeySource != \"\" {", "providers TestIssue19AKey"},
	{"a key that was given stays with its host", "providers/resolve.go", "key != \"\" && address == selection.BaseURL {", "key != \"\" && address != \"\" {", "providers TestIssue19AKey"},
	{"what is private is no warning", "persistence/configstrict.go", "\"pass_env\", \"private\"}", "\"pass_env\"}", "persistence TestIssue19"},
	{"a call with a hole is known", "providers/openaichat/damage.go", "\ta.calls.tear()", "", "providers/openaichat TestFindingR10"},
	{"a call with a hole is not run", "actors/router.go", "case len(calls) > 0 && message.reply.Torn:", "case false:", "actors TestFindingR10"},
	{"a cancel is told when nothing lives any more", "actors/job.go", "if j.gone && !j.ending {", "if j.gone {", "actors TestFindingQACancel"},
	{"the end waits for what rings", "actors/marvin.go", "if m.written && m.bell == nil {", "if m.written {", "actors TestFindingQStop"},
	{"a cancel begins no request", "actors/purse.go", "if c.dismissed() || p.asking", "if p.asking", "actors TestFindingR14ACancelBegins"},
	{"an old size that comes late is not believed", "ui/tui/input.go", "s.frame.width, s.frame.height = s.screen.Size()", "s.frame.width, s.frame.height = event.Size()", "ui/tui TestFindingU15"},
	{"the end of a job is told in the turn", "actors/session_jobs.go", "\ts.offerNews(c)\n", "", "actors TestFindingR8"},
	{"an answer is not the end before it", "actors/router_words.go", "if r.due && !r.exit {", "if false {", "actors TestFindingR8"},
	{"an alarm that nobody heard of stays", "actors/bell.go", "b.tell(c)\n\t\treturn", "b.tell(c)", "actors TestFindingP10"},
	{"words that steer reach the model", "actors/router_words.go", "if len(message.said) > 0 {", "if false {", "actors TestWordsOfAPerson"},
	{"a call that was running is told as unknown", "actors/internal/sessionlog/read.go", "f.intents[call.ID] = call", "_ = call", "actors TestWhatWasRunning"},
	{"a turn that was cut off keeps its number", "actors/kept.go", "max(before.Info.Turns, before.Last)", "before.Info.Turns", "actors TestATurnThatWasCutOff"},
	{"what was taken back is told after a restart", "actors/kept.go", "k.undone = before.Undone\n", "", "actors TestWhatWasTakenBack"},
	{"a running turn is told as that", "actors/internal/sessionlog/read.go", "running := sessions.Busy(info.ID)", "running := false", "actors TestATurnThatWasCutOff"},
	{"one begins a name", "persistence/sessionname.go", "case !locked:", "case !locked && false:", "persistence TestANameIsForOne"},
	{"the time of a person is not that of the turn", "actors/allowance.go", "if more > 0 {", "if more > 0 && false {", "actors TestTheTimeOfAPerson"},
	{"a plan can be proposed in the turn in which it is wanted", "actors/approval.go", "if r.mode.Planning {", "if false {", "actors TestAPlanCanBeProposed"},
	{"a run waits for what it cost", "actors/provider_usage.go", "s.owed > 0 && alone &&", "s.owed > 0 && alone && false &&", "actors TestFindingR12"},
	{"a call is logged before it runs", "actors/worker_run.go", "if err := w.config.begun(", "if err := (&Config{}).begun(", "cmd/marvin TestFindingR1"},
	{"a round trip is charged when it is known", "actors/recorder.go", "if !r.owed || r.resting {", "if true {", "cmd/marvin TestFindingR2"},
	{"a prompt is on the disk before it is asked", "actors/router_begin.go", "|| r.kept.waits", "", "actors TestFindingR5"},
	{"an answer is on the disk while it streams", "actors/router.go", "r.kept.wake(c)", "", "cmd/marvin TestFindingR5"},
	{"what was left of a turn is logged once", "persistence/running.go", "if closing && p.chatHas(entries) {", "if closing && p.chatHas(nil) && false {", "persistence TestFindingR5"},
	{"half a key is not written while it streams", "tools/secrets.go", "held = n\n", "", "tools TestFindingR5"},
	{"a clock of an earlier question stops no later one", "actors/provider.go", "func (p *provider) giveUp(c actor.Context, message giveUp) {\n\tif message.request != p.request {", "func (p *provider) giveUp(c actor.Context, message giveUp) {\n\tif p.request == nil {", "actors TestFindingP1"},
	{"an announced wait is no silence", "actors/provider.go", "p.config.Now().Add(message.part.Wait)", "p.config.Now()", "actors TestFindingR4"},
	{"T5: output is cut once, and counted", "tools/shell/report.go", "Lines: 1900, LineBytes: 4000", "Lines: 2500, LineBytes: 5000", "tools/shell TestFindingT5WhatIsLeft"},
	{"T5: broken lines at the gap are counted", "tools/shell/report.go", "head, tail = head[:end], tail[begin:]", "_, _ = end, begin", "tools/shell TestFindingT5WhatIsLeft"},
	{"T5: a NUL hides nothing", "tools/internal/screen/screen.go", "s.put(Null)", "_ = Null", "tools/internal/screen TestFindingT5"},
	{"T5: a busy program is no waiting one", "tools/internal/proc/waits.go", "process.ticks != earlier.ticks", "false", "tools/internal/proc TestFindingT5WhatCounts"},
	{"T5: what writes does not wait", "tools/internal/proc/waits.go", "before.written != now.written ||", "", "tools/internal/proc TestFindingT5WhatCounts"},
	{"T5: what waits for a terminal is ended", "tools/internal/proc/run.go", "if !r.Alone {", "if true {", "tools/internal/proc TestFindingT5AProgram"},
	{"T5: a command is judged where it runs", "tools/grant.go", "place.Dir = dir", "_ = dir", "tools/shell TestFindingT5Runs"},
	{"T5: a directory of a command is below", "tools/shell/run_command.go", "env.Dir, err = env.Enter(in.Cwd)", "env.Dir, err = env.Directory(in.Cwd)", "tools/shell TestFindingT5Runs"},
	{"T5: the time a command took is no change", "actors/internal/loop/loop.go", "write(sum, timeless(results[i].Text))", "write(sum, results[i].Text)", "actors/internal/loop TestFindingT5"},
	{"T7: a large file ends with the next call", "tools/files/read.go", "request = page.Request{First: 1, Row: row, Bytes: firstPart, Room: env.Room}", "request.Bytes = firstPart", "tools/files TestFindingT7Large"},
	{"T7: an offset and a count are a range", "tools/files/read.go", "first = max(1, n)", "_ = n", "tools/files TestFindingT7Ranges"},
	{"T7: outputs of notebooks come in short", "tools/files/notebook.go", "Bytes: outputBytes, Lines: outputLines,", "", "tools/files TestFindingT7Notebooks"},
	{"T8: another name is no way around a mode", "tools/foreign.go", `if why := refuses(target); why != "" {`, `if why := ""; why != "" {`, "cmd/marvin TestFindingT8Another"},
	{"T8: words of strangers by another name are theirs", "tools/registry.go", "return r.foreign(name, func(Tool) string { return \"\" })", "return Tool{}, false", "cmd/marvin TestFindingT8Another"},
	{"T8: a model learns the name", "tools/foreign.go", "return call.named(name), nil", "return call, nil", "cmd/marvin TestFindingT8Tools"},
	{"T8: an absolute path inside is the relative one", "tools/internal/box/resolve.go", "	name = d.Local(name)\n", "", "tools/internal/box TestFindingT8"},
	{"T9: a type and a glob hold together", "tools/coding/grep.go", "return matching.Glob(s.GlobFilter, name) &&", "return", "tools/coding TestFindingT9Search"},
	{"T9: counts are counted once", "tools/coding/verify.go", "s.found.keep(line.with(text))", "s.found.add(line.with(text))", "tools/coding TestFindingT9Search"},
	{"T9: the newest files come first", "tools/coding/find.go", "cmp.Or(b.changed.Compare(a.changed), ", "cmp.Or(", "tools/coding TestFindingT9Files"},
	{"T10: a commit takes what the conversation changed", "tools/git/changes.go", "return own.specs(), false, nil", "return nil, true, nil", "tools/git TestFindingT10"},
	{"T10: what is left is said", "tools/git/commit.go", "out + left(ctx, repository) +", "out +", "tools/git TestFindingT10"},
	{"T10: what a sub-agent changed is the conversation's", "tools/env.go", "return &Stamps{changed: s.record()}", "return &Stamps{}", "tools/git TestFindingT10What"},
	{"T10: file tools note what they change", "tools/internal/edit/edit.go", "		env.Seen.Change(change.Path)\n", "", "cmd/marvin TestScript/coding"},
	{"undo: what somebody changed since stays", "tools/undo/look.go", `return errors.New("somebody changed it since")`, "", "tools/undo TestAFileThatSomebody"},
	{"undo: links are not followed", "tools/undo/look.go", "case name != last.Name:", "case name != last.Name && false:", "tools/undo TestLinks"},
	{"undo: a crash in between is finished", "tools/undo/look.go", "file.Was = true", "return errors.New(\"changed\")", "tools/undo TestWhatACrash"},
	{"undo: contents are checked", "persistence/undo.go", "if UndoHash(content) != hash {", "if false {", "persistence TestWhatFilesHeld"},
	{"undo: nothing is changed before a yes", "actors/undo.go", "case answer.choice != messages.Yes:", "case false:", "actors TestAPersonTakes"},
	{"undo: the model is told", "actors/session.go", "news: news, undone: undone}", "news: news, undone: undone[:0]}", "actors TestAPersonTakes"},
	{"P10: marks of a merge are not committed", "tools/git/changes.go", "if err := there.unresolved(ctx, repository); err != nil {", "if err := there.unresolved(ctx, repository); err != nil && false {", "tools/git TestFindingP10"},
	{"T20: packages of Python go into the project's environment", "tools/packages/manager.go", `with.first = &command{name: "python3", args: []string{"-m", "venv", ".venv"}}`, `with.name = "python3"`, "tools/packages TestFindingT20"},
	{"U4: a cancelled sub-agent is no success", "tools/agents/launch.go", "return output, context.Cause(ctx)", "return output, nil", "tools/agents TestFindingU4"},
	{"U4: nobody speaks in vain", "ui/command/run.go", "if err := e.Ready(); err != nil {", "if err := e.Ready(); err != nil && false {", "cmd/marvin TestFindingU4"},
	{"T18: nobody is told to tell the user", "providers/offline/answer.go", "messages.ForPeople(messages.Unframe(result.Text))", "messages.Unframe(result.Text)", "providers/offline TestFindingT18"},
	{"T18: names in hints are readable", "tools/internal/box/near.go", "case written == escaped || quoteName(name) == name &&", "case written == escaped || false &&", "tools/internal/box TestFindingT18"},
	{"T15: a link has its address", "tools/internal/markup/text.go", "if w.base != nil && w.marked(node) {", "if false {", "tools/browse TestFindingT15"},
	{"T15: links are relative to where the page was found", "tools/browse/page.go", "base(goquery.NewDocumentFromNode(document), found.URL.String())", "base(goquery.NewDocumentFromNode(document), \"https://site.example/\")", "tools/browse TestFindingT15"},
	{"T15: nobody rushes on a Sunday", "tools/travel/factors.go", "(day == time.Saturday || day == time.Sunday) && hour", "day == time.Saturday && hour", "tools/travel TestFindingT15"},
	{"U4: a hint ends with the key after it", "ui/tui/input.go", "s.hint = hint{} // it was about what", "_ = hint{} // it was about what", "ui/tui TestFindingU4"},
	{"U4: a hint ends with its question", "ui/tui/question.go", "s.hint = hint{} // it was about the", "_ = hint{} // it was about the", "ui/tui TestFindingU4"},
	{"U4: who took over did so for a turn", "ui/conversation/turn.go", "s.Turn.Provider, s.Turn.Model = s.Provider, s.Model", "_ = s.Model", "ui/conversation TestFindingU4"},
	{"U7: a greeting fills no small screen", "ui/tui/welcome.go", "if from+len(lines) > s.frame.page {", "if false {", "ui/tui TestFindingU7"},
	{"U7: the way back is told", "cmd/marvin/interactive.go", "parts.farewell(kept != nil)", "_ = kept", "cmd/marvin TestFindingU7"},
	{"U5: a slip of the keyboard is no prompt", "cmd/marvin/flags.go", "mistyped(args, plain.Args.Words)", "mistyped(args, nil)", "cmd/marvin TestFindingU5"},
	{"U10: a slip of the keyboard makes no profile", "ui/command/profile.go", "at >= 0 || same(", "true || at >= 0 || same(", "ui/command TestFindingU10"},
	{"P10: a refusal is answered with the way on", "tools/shell/run_command.go", "report(result, took) + refused(in.Command, result) +", "report(result, took) +", "tools/shell TestFindingP10"},
	{"P4: Ctrl-C on a tool clears away", "cmd/marvin/toolcmd.go", "signal.NotifyContext(ctx, os.Interrupt) //", "signal.NotifyContext(ctx, os.Kill) //", "cmd/marvin TestFindingP4"},
	{"P10: a script sees that a command failed", "cmd/marvin/toolcmd.go", "if output.Failed {", "if false {", "cmd/marvin TestFindingP10"},
	{"keys are hidden in logs", "tools/secrets.go", "text = strings.ReplaceAll(text, secret, hiddenText)", "_ = secret", "cmd/marvin TestS21No"},
	{"renewed tokens are hidden", "tools/secrets.go", "own = append(own, ownSecrets(env.Home)...)", "", "tools TestS21"},
	{"Marvin's own tokens are hidden in logs", "tools/secrets.go", "return append(givenSecrets(environ, home), ownSecrets(home)...)", "return givenSecrets(environ, home)", "cmd/marvin TestS21NoSession"},
	{"keys are hidden in what a person ran", "cmd/marvin/host.go", "Text: kept.Hide(answered)", "Text: answered", "cmd/marvin TestS21NoLine"},
	{"keys are hidden in errors of models", "providers/failure.go", "failure.Message = Clean(text, key)", `failure.Message = Clean(text, "")`, "cmd/marvin TestS21No"},
	{"children get no keys", "tools/internal/proc/environ.go", "!withheld(name) && !secret(name, value)", "!withheld(name)", "cmd/marvin TestS21No"},
	{"children get what is known only", "tools/internal/proc/environ.go", "return (allowed(name) || p.like(name)) &&", "return ", "tools/internal/proc TestS21"},
	{"a command cannot read Marvin's memory", "cmd/marvin/memory_linux.go", `os.Getenv("MARVIN_CALL") == ""`, `os.Getenv("MARVIN_CALL") == "" && false`, "cmd/marvin TestS21ACommand"},
	{"files of a strange directory are asked about", "actors/project.go", "known.Used[file.Name] == hash || alone", "known.Used[file.Name] == hash || alone || true", "actors TestS1"},
	{"sub-agents read what their conversation reads", "actors/project.go", "alone := !policy.Person && (!policy.Agent ||", "alone := !policy.Person && (true ||", "actors TestS22"},
	{"hidden text of strangers is taken out", "actors/outflow.go", "text = tools.Unhidden(text)", "_ = text", "actors TestS14"},
	{"hidden text of files is marked", "actors/outflow.go", "text = tools.Marked(text)", "_ = text", "actors TestFindingG16Inv"},
	{"words of strangers are framed", "actors/outflow.go", "return messages.Frame(source[:min(len(source), 200)], text)", "_ = source\n\treturn text", "actors TestFindingG16AFrame"},
	{"a frame cannot be ended from within", "messages/frame.go", `strings.TrimSpace(frameEnds), "<end of the words of strangers>"`, `"", ""`, "messages TestFindingG16"},
	{"nobody at a pipe says yes", "ui/plain/show.go", `if s.Terminal == nil && event.Tool == "" {`, "if false {", "cmd/marvin TestS1The"},
	{"a configuration that cannot be read ends the start", "persistence/config.go", "if err != nil {\n\t\treturn Config{}, &GuardsError{fmt.Errorf(", "if err != nil && len(data) > 0 {\n\t\treturn Config{}, &GuardsError{fmt.Errorf(", "persistence TestFindingG14What"},
	{"a misspelt guard ends the start", "persistence/configstrict.go", "if guarded || meansGuard(token.Value) {", "if guarded {", "persistence TestFindingG14An"},
	{"text in another encoding is not read as nothing", "persistence/configstrict.go", "if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= 0 {", "if !utf8.Valid(data) || bytes.IndexByte(data, 0) >= len(data) {", "persistence TestAsk39"},
	{"deep nesting is not parsed", "persistence/configstrict.go", "if deep > deepestNesting {", "if false {", "persistence TestAsk39"},
	{"read-only is what a tool does, not a list", "tools/tool.go", "Writes: effect > Reads && !def.Steers,", "Writes: effect == Irreversible,", "cmd/marvin TestFindingR6"},
	{"nonsense is no permission to write", "tools/internal/envvar/envvar.go", "return true, fmt.Errorf(", "if text != \"\" {\n\t\treturn false, nil\n\t}\n\treturn true, fmt.Errorf(", "tools/internal/envvar TestFindingR15"},
	{"a Marvin of a command knows how deep it is", "tools/internal/proc/environ.go", "envvar.ForChild(command.Environ)...)", "[]string(nil)...)\n\t_ = envvar.ForChild", "tools/internal/proc TestFindingR7"},
	{"the last round is the last", "actors/router.go", "case len(calls) > 0 && r.outOfRounds():", "case false:", "actors TestFindingR13"},
	{"calls beyond it are refused once", "actors/router_ask.go", "if r.refused {", "if false {", "actors TestFindingR13TheLast|TestFindingR13Sub"},
	{"what is under way counts for the limit", "actors/purse.go", "p.asking > 0 && (!p.known || p.spent+p.pending+c.estimate > c.limit) {", "false {", "actors TestFindingR14The"},
	{"Copilot's own rounds have an end", "providers/copilot/turn.go", "if t.rounds > mostAlone {", "if false {", "providers/copilot TestFindingR13"},
	{"a limit bounds something", "cmd/marvin/flags.go", "math.IsNaN(o.MaxCost) ||", "", "cmd/marvin TestFindingR14"},
	{"an answer has an end", "providers/limit/limit.go", "case m.said > MostText:", "case m.said < 0:", "actors TestFindingR16"},
	{"a call has an end", "providers/limit/limit.go", "if len(call.Args) > MostArguments {", "if false {", "providers/limit TestFindingR16"},
	{"deep arguments are not decoded", "tools/args.go", "if tooDeep(text) {", "if false {", "tools TestFindingR16"},
	{"a pattern stays small", "tools/coding/ripgrep.go", "args = append(args, matching.Small...)", "", "tools/coding TestFindingR17"},
	{"a feed is not nested without end", "tools/feeds/feeds.go", "if tooDeep(page.Body) {", "if false {", "tools/feeds TestFindingR17"},
	{"keys in files are hidden, whoever they are for", "tools/secrets.go", "append(proc.Secrets(environ), keys.All(home)...)", "proc.Secrets(environ)", "cmd/marvin TestFindingR9Keys"},
	{"a word is no key", "providers/failure.go", "len(key) >= shortestKey {", "key != \"\" {", "cmd/marvin TestFindingR9Short"},
	{"a key that is no text makes no rule void", "persistence/configstrict.go", "if keys.wrong != nil {", "if false {", "persistence FuzzConfig|TestFindingG14AKey"},
	{"the file of a job is synced", "persistence/jobs.go", "return syncUp(root, name)", "return nil", "persistence TestRow1Power"},
	{"a rule of a calendar ends", "tools/calendar/event.go", "steps > mostSteps {", "false {", "tools/calendar TestRules"},
	{"one refresh of a login", "tools/spotify/token.go", "LockLogin(); err == nil {", "LockLogin(); err == nil && unlock() != nil {", "tools/spotify TestRow31"},
	{"private addresses are refused", "tools/internal/web/policy.go", "if !public(target.Addr()) {", "if false {", "tools/internal/web TestS12"},
	{"a browser asks nobody of its own", "tools/internal/browser/chromium.go", `"--component-updater=url-source=http://" + relay.Nowhere, `, "", "tools/internal/browser TestFindingG11Chromium"},
	{"a relay refuses what no page asked for", "tools/internal/relay/relay.go", "host == Nowhere || slices.Contains(r.refused, host)", "host == Nowhere || slices.Contains(r.refused, host) && false", "tools/internal/relay TestFindingG11"},
	{"paths stay below the directory", "tools/internal/box/resolve.go", "if len(w.parts) == 0 || w.exists < len(w.parts) {", "if len(w.parts) == 0 {\n\t\treturn nil\n\t}\n\tif false {", "tools/internal/box ."},
	{"a directory outside of the root is not entered", "tools/reach.go", "if !inside && !slices.Contains(e.Beyond, real) {", "if !inside && slices.Contains(e.Beyond, real) {", "cmd/marvin TestFindingG13Every"},
	{"directories are judged whatever the tool", "tools/permissions.go", "verdict = judgeDirs(rules, call, env, verdict)", "", "cmd/marvin TestFindingG13No"},
	{"the way to the working directory is not left", "tools/internal/box/below.go", "return above.OpenRoot(name)", "return os.OpenRoot(dir)", "tools/internal/box TestFindingG13"},
	{"configuration of programs is not written", "tools/env.go", "box.OpenIn(e.Root, e.Dir, e.guarded())", "box.OpenIn(e.Root, e.Dir, nil)", "cmd/marvin TestFindingG13File"},
	{"guarded files are known by what they are", "tools/internal/box/places.go", "if g.info != nil && os.SameFile(g.info, info) {", "if g.info == nil && os.SameFile(g.info, info) {", "tools/internal/box TestFindingG13"},
	{"no repository is made by file tools", "tools/internal/box/places.go", "if within || repositoryMarks(has) {", "if within || repositoryMarks(has) && false {", "tools/internal/box TestFindingG13"},
	{"git's files are not written", "tools/internal/box/resolve.go", `sameName(part, ".git") ||`, "", "tools/internal/box TestS6"},
	{"a changed file is not overwritten", "tools/internal/box/commit.go", "return s.holds(s.before)", "return nil", "tools/internal/box TestRow46"},
	{"no program of the project is run unheld", "tools/internal/proc/trust.go", "if within(path, tree) {", "if false {", "tools/internal/proc TestFindingG3"},
	{"a program loads nothing of the project's", "tools/internal/proc/environ.go", "case own && misguides(name, value, trees):", "case own && misguides(name, value, trees) && false:", "tools/internal/proc TestFindingG3"},
	{"every call distrusts its directories", "tools/programs.go", "e.Environ = Distrust(e.Environ, append(e.Sandbox.Trees(), e.Root, e.Dir)...)", "", "tools TestFindingG3"},
	{"git that writes is held", "tools/internal/gitcmd/hold.go", "command.Jail = r.cell", "_ = r.cell", "tools/git TestFindingG1Git"},
	{"unheld, nothing of a repository's runs unasked", "tools/internal/gitcmd/hold.go", "command.Env = r.silentEnv()", "_ = r.silentEnv()", "tools/git TestFindingG1Without"},
	{"a yes is for what was shown", "tools/git/programs.go", "case env.Approved && a.asked[repository] == digest:", "case env.Approved:", "tools/git TestFindingG1APerson"},
	{"another repository is noticed", "tools/repository.go", "fresh, moved := pins.News(e.Root)", "fresh, moved := false, error(nil)", "tools/git TestFindingG2ABare"},
	{"git tools refuse another repository", "tools/internal/gitcmd/repository.go", "if err := env.CheckRepository(); err != nil {", "if err := error(nil); err != nil {", "tools/git TestFindingG2ABare"},
	{"the repository that was found is asked", "tools/internal/gitcmd/repository.go", `return []string{"GIT_DIR=" + r.GitDir, "GIT_WORK_TREE=" + r.Top}`, "return nil", "tools/git TestFindingG2What"},
	{"exec lines of a rebase are told", "tools/repository.go", "if execs := pins.NewExecs(e.Root); len(execs) > 0 {", "if execs := pins.NewExecs(e.Root); len(execs) > 0 && false {", "tools/git TestFindingG8Exec"},
	{"cron runs no program of the project", "tools/internal/bell/bell.go", "errors.As(err, new(*proc.Untrusted)) {", "errors.As(err, new(*proc.Untrusted)) && false {", "tools/internal/bell TestFindingG3"},
	{"a git that reads starts nothing", "tools/internal/proc/run.go", "if command.Childless && command.Jail == nil {", "if false {", "tools/internal/proc TestFindingG8"},
	{"git runs nothing of a repository's", "tools/internal/gitcmd/overrides.go", `{"core.fsmonitor", "false"},`, "", "tools/internal/gitcmd TestWhatGitIsTold"},
	{"deny wins", "tools/internal/permit/verdict.go", `if denied, rule := r.firstMatch(r.denies(), call.Tool, report); denied != "" {`, `if denied, rule := "", ""; denied != "" {`, "tools/internal/permit ."},
	{"what cannot be judged is asked about", "tools/internal/permit/verdict.go", `if report.Unclear != "" {`, "if false {", "tools/internal/permit ."},
	{"nobody there is no yes", "tools/internal/permit/verdict.go", "case v.Decision == Ask && v.Firm:\n\t\tv.Decision = Deny", "case v.Decision == Ask && v.Firm:\n\t\tv.Decision = Allow", "cmd/marvin TestS2[34]"},
	{"a plan writes nothing", "tools/approval.go", "		if writes {\n			return planned(verdict)\n		}", "", "tools TestApprovalDecides"},
	{"what the user asks about is asked in every mode", "tools/approval.go", "if verdict.Decision == Ask && !verdict.Ruled {", "if verdict.Decision == Ask {", "tools TestApprovalDecides"},
	{"nobody there is no approval", "tools/approval.go", "return nobody(verdict, mode)", "return verdict", "tools TestApprovalDecides"},
	{"issue 12: named arguments are those of the command", "tools/internal/permit/code_named.go", "case follows[name]:\n\t\t\tlast = append(last, value)", "case follows[name]:", "tools/internal/permit TestFindingIssue12Named"},
	{"issue 12: an object holds arguments", "tools/internal/permit/code_named.go", "for _, entry := range entries(argument) {\n\t\t\t\t\tif named(entry) {", "for _, entry := range entries(argument) {\n\t\t\t\t\tif false && named(entry) {", "tools/internal/permit TestFindingIssue12Named"},
	{"a grant covers each part of a line", "tools/internal/permit/grant.go", "return len(s.Parts) > 0 && !slices.ContainsFunc(s.Parts, func(part []string) bool { return !covered(part) })", "return len(s.Parts) > 0 && slices.ContainsFunc(s.Parts, covered)", "tools/internal/permit TestAGrantCovers"},
	{"a grant is not for what is known only then", "tools/internal/permit/grant.go", "if report.Unclear != \"\" || report.Opaque != \"\" || len(report.Parts) == 0 {", "if len(report.Parts) == 0 {", "tools/internal/permit TestAGrantCovers"},
	{"no grant for what runs anything", "tools/internal/permit/grant.go", "case kind == carrier, runners[two]:\n\t\treturn nil", "", "tools/internal/permit TestAGrantIs"},
	{"at its deadline what is stated is taken", "actors/session_inquiry.go", "task.After(c, wait, unanswered{ask: pending.call, deadline: pending.asked.Deadline})", "_ = task.After", "actors TestAtItsDeadline"},
	{"nobody there takes what is stated", "actors/session_inquiry.go", "!policy.Person && !policy.Agent {", "!policy.Person && policy.Agent {", "actors TestNobodyTakes"},
	{"the time of a question begins when it is told", "actors/session_inquiry.go", "case pending.inquiry != nil && i > 0:", "case i < 0:", "actors TestAQuestionWaits"},
	{"an answer is one to the question", "actors/session_inquiry.go", "whole, err := pending.asked.Whole(answer)", "whole, err := answer, error(nil)", "actors TestAQuestionIs"},
	{"an accepted plan is carried out", "actors/session_inquiry.go", "s.setApproval(c, reply.Mode)", "", "actors TestAPlanIsAccepted"},
	{"questions come in the order of the reply", "tools/ask/ask.go", "return []tools.Place{tools.ThePerson}", "return nil", "actors TestFindingO3Questions"},
	{"a plan is read before it is accepted", "ui/tui/plan_question.go", "if !s.unread() {", "if true {", "ui/tui TestALongPlan"},
	{"the time of a person is not that of a call", "actors/allowance.go", "w.decoded.Timeout + waited - now.Sub(w.begun)", "w.decoded.Timeout + 0*waited - now.Sub(w.begun)", "actors TestTheTimeOfAPerson"},
	{"a call that waits for others has an end", "actors/allowance.go", "w.cancel(tools.ErrDeadline)", "", "actors TestACallThatWaits"},
	{"a plan survives compaction", "actors/router_budget.go", "Plan: r.brief.plan.left(), PlanCall: r.brief.plan.call,", "", "actors TestAPlanSurvives"},
	{"an old plan is no plan", "actors/internal/budget/summary.go", "text, _ = cutList(text, planMark)", "_ = planMark", "actors TestAPlanSurvives"},
	{"plans of one reply stand in its order", "tools/plan/update.go", `[]tools.Place{{State: "plan", Write: true}}`, "nil", "actors TestTheLastPlan"},
	{"what always covers is held", "actors/session_consent.go", "s.settle(c, messages.Answer{Ask: waiting.call, Choice: messages.Yes}, false)", "s.settle(c, messages.Answer{Ask: waiting.call, Choice: messages.Yes}, true)", "actors TestFindingO3WhatWaitedIsHeld"},
	{"always is only what was offered", "actors/session_consent.go", `answer.Choice == messages.Always && pending.always != ""`, `answer.Choice == messages.Always`, "actors TestWithoutASandbox"},
	{"nobody there lets nothing out", "actors/outside.go", "|| ended || w.done || !w.mode.Person ||", "|| ended || w.done ||", "actors TestNothingElse"},
	{"a sandbox by name lets nothing out", "actors/outside.go", "!inside.Confines() || outside.Confines() ||", "!inside.Confines() ||", "actors TestNothingElse"},
	{"a cancel lets nothing out", "actors/worker_end.go", "if w.cancel == nil && w.met != nil {", "if false {", "actors TestACancelLeaves"},
	{"sub-agents are in the mode of their caller", "actors/approval.go", "c.Send(one.pid, messages.SetApproval{Mode: message.mode})", "_ = one.pid", "actors TestSubAgentsAreIn"},
	{"commands are held by seccomp", "tools/internal/jail/calls_linux.go", "return unix.Prctl(unix.PR_SET_SECCOMP, unix.SECCOMP_MODE_FILTER, uintptr(unsafe.Pointer(&compiled)), 0, 0)", "_ = unsafe.Pointer(&compiled)\n\treturn nil", "tools/internal/jail TestS4"},
	{"commands are held by Landlock", "tools/internal/jail/files_linux.go", "if _, _, failed := unix.RawSyscall(unix.SYS_LANDLOCK_RESTRICT_SELF, uintptr(rules), 0, 0); failed != 0 {", "if failed := error(nil); failed != nil {", "tools/internal/jail TestS[34]"},
	{"what is outside is mounted read-only", "tools/internal/jail/seal_linux.go", "attributes := uint64(unix.MOUNT_ATTR_RDONLY)", "attributes := uint64(0)", "tools/internal/jail TestS4What"},
	{"the limits of others are theirs", "tools/internal/jail/calls_linux.go", "unless(equal, 0, 1), answer(allow), answer(refuse))...)\n\t// Priorities", "unless(equal, 0, 1), answer(allow), answer(allow))...)\n\t// Priorities", "tools/internal/jail TestS4Other"},
	{"shared memory is a command's own", "tools/internal/jail/helper_linux.go", "syscall.CLONE_NEWNS|syscall.CLONE_NEWIPC", "syscall.CLONE_NEWNS", "tools/internal/jail TestS4Other"},
	{"git looks for no repository first below one", "tools/internal/jail/repository.go", `if git := filepath.Join(root, ".git"); found != git {`, `if git := filepath.Join(root, ".git"); found == "" {`, "tools/internal/jail TestS6"},
	{"links in a repository are held by name", "tools/internal/jail/protect.go", "add(&j.plan.Links, name)", "_ = name", "tools/internal/jail TestFindingG4"},
	{"what became a link in the sandbox is not granted", "tools/internal/jail/open_linux.go", "Resolve: unix.RESOLVE_NO_SYMLINKS", "", "tools/internal/jail TestFindingG5"},
	{"a link of the project makes no cache in the sandbox", "tools/internal/jail/caches.go", `case one.path != "" && !ofProject:`, `case one.path != "" && (ofProject || true):`, "tools/internal/jail TestFindingG5"},
	{"names in the sandbox stay while somebody lives", "tools/internal/jail/holds.go", "!= nil && !needed[one.path] {", "!= nil && (!needed[one.path] || true) {", "tools/internal/jail TestFindingG7"},
	{"the sandbox of a job stays while it lives", "tools/internal/jail/temp.go", " && !inhabited()[filepath.Join(whole, tempName)]", "", "tools/internal/jail TestFindingG7"},
	{"the sandbox leaves nothing behind after a kill", "tools/internal/jail/protect.go", "case err != nil || last && saysNothing(name, content):", "case err != nil:", "tools/internal/jail TestFindingG7"},
	{"what a repository includes is read-only in the sandbox", "tools/internal/jail/repository.go", "for _, path := range files {", "for _, path := range files[:0] {", "tools/internal/jail TestFindingG8"},
	{"the plan of a sandbox follows the user", "tools/internal/jail/jail.go", " || slices.ContainsFunc(j.read, stamp.changed)", " || j.read == nil && slices.ContainsFunc(j.read, stamp.changed)", "tools/internal/jail TestFindingG8"},
	{"signals stay in the sandbox", "tools/internal/jail/files_linux.go", "scoped |= unix.LANDLOCK_SCOPE_SIGNAL", "", "tools/internal/jail TestFindingG12"},
	{"only what is in the sandbox is stopped for it", "tools/internal/jail/errands_linux.go", "if !r.ours(pid) {", "if false {", "tools/internal/jail TestFindingG12"},
	{"classes of others stay in the sandbox", "tools/internal/jail/calls_linux.go", "unless(equal, 0, 1), answer(allow), unless(atLeast, own, 1), answer(allow), answer(refuse))...)\n\t}\n\tfor", "answer(allow))...)\n\t}\n\tfor", "tools/internal/jail TestAsAnOrdinaryUser"},
	{"priorities of others stay in the sandbox", "tools/internal/jail/calls_linux.go", "load(atSecond), unless(equal, 0, 1), answer(allow), unless(atLeast, own, 1), answer(allow), answer(refuse))...)", "answer(allow))...)", "tools/internal/jail TestAsAnOrdinaryUser"},
	{"the sandbox hides keys of ssh", "tools/internal/jail/hidden.go", `h.sshKeys(filepath.Join(h.home, ".ssh"), 2)`, "", "tools/internal/jail TestFindingG10"},
	{"the sandbox hides logins", "tools/internal/jail/hidden.go", "for _, name := range secretPlaces {", "for _, name := range secretPlaces[:0] {", "tools/internal/jail TestFindingG10"},
	{"the sandbox hides who listens", "tools/internal/jail/sockets.go", "append(h.jail.keeper.named(), listening()...)", "h.jail.keeper.named()", "tools/internal/jail TestFindingG6"},
	{"the sandbox hides what variables name", "tools/internal/jail/sockets.go", "append(h.jail.keeper.named(), listening()...)", "listening()", "tools/internal/jail TestFindingG6"},
	{"the smaller sandbox hides keys", "tools/internal/jail/reading_linux.go", "case hidden[path] ||", "case", "tools/internal/jail TestTiersHold"},
	{"the smaller sandbox puts back what git runs", "tools/internal/jail/watch.go", "!now.same(was) {", "!now.same(was) && false {", "tools/internal/jail TestTierWithoutMountsPutsBack"},
	{"the smaller sandbox has no sockets if strict", "tools/internal/jail/calls_linux.go", "if noSockets {", "if noSockets && false {", "tools/internal/jail TestTierStrict"},
	{"a sandbox without Landlock keeps devices", "tools/internal/jail/seal_linux.go", "attributes |= unix.MOUNT_ATTR_NODEV", "", "tools/internal/jail TestTiersHold"},
	{"a sandbox is not made smaller by a command", "tools/internal/jail/tier.go", "|| left == tried || k.proven.Load() {", "|| left == tried {", "tools/internal/jail TestTierIsNot"},
	{"packages are installed in the sandbox", "tools/packages/install.go", "Environ: env.Environ, Jail: cell,", "Environ: env.Environ,", "tools/packages TestS4"},
	{"apt needs a person each time", "tools/packages/install.go", "if with.system {", "if false {", "tools/packages TestS4"},
	{"programs in options are judged", "tools/internal/permit/inspect.go", "append(i.unwrap(part), i.options(part)...)", "i.unwrap(part)", "tools/internal/permit TestS24|TestRules"},
	{"commands in arguments are found", "tools/internal/permit/inspect.go", "if len(within) == 0 {", "if false {", "tools/internal/permit TestS24"},
	{"what is nested too deep is asked about", "tools/internal/permit/inspect.go", `i.unclear("it has commands in commands, more than %d deep", deepest)`, "", "tools/internal/permit TestFindingG17A|TestS24"},
	{"quotes with escapes are decoded", "tools/internal/permit/word.go", "strings.ReplaceAll(ansi(part.Value, quotes), parting, ", "strings.ReplaceAll(part.Value, parting, ", "tools/internal/permit TestFindingG17A|TestS24"},
	{"here documents of shells are judged", "tools/internal/permit/redirect.go", "i.runs(part, text.text, depth)", "_ = text", "tools/internal/permit TestFindingG17A|TestS24"},
	{"what programs give to a shell is judged", "tools/internal/permit/code.go", "r.runsCommand(call, runs(name) == surely)", "_ = name", "tools/internal/permit TestFindingG17A|TestS24"},
	{"trees that programs delete are judged", "tools/internal/permit/code.go", "\t\tr.removes(call)", "", "tools/internal/permit TestS24"},
	{"rules of tools see texts in lists", "tools/permissions.go", "if text, ok := each.(string); ok {", `if text, ok := each.(string); ok && text == "" {`, "tools TestFindingM"},
	{"judging has an end", "tools/internal/permit/inspect.go", "len(i.report.Parts) > mostPart || i.looked > mostWord", "len(i.report.Parts) > mostPart || i.looked > 1000*mostWord", "tools/internal/permit TestS31"},
	{"the ticket of a sub-agent taints", "actors/crew.go", "cmp.Or(w.tainted, one.task.Brought)", "cmp.Or(w.tainted)", "actors TestFindingG9TheTicket"},
	{"an address of the model's asks", "tools/outflow.go", "case known == unknown:\n\t\treturn Ask", "case false:\n\t\treturn Ask", "tools TestFindingG9"},
	{"a place is named whole", "tools/internal/permit/place.go", "wantedHost, path = bare, false", "_ = bare", "tools TestFindingG9Rules"},
	{"what a service repeats opens nothing", "tools/trail.go", "if !asked.says(one) {", "if asked.says(one) || true {", "tools TestFindingG9WhatTheNetwork"},
	{"pasted text names no host", "tools/trail.go", "len(prompt) < pasted && !(one.bare", "!(one.bare", "tools TestFindingG9WhatThePerson"},
	{"a Marvin of a model names no host", "actors/outflow.go", "!policy.Agent && !policy.Delegated", "!policy.Agent", "actors TestFindingG9A"},
	{"files of a strange directory taint", "actors/router_begin.go", "if message.brought {", "if false {", "actors TestFindingG9Files"},
	{"what a page hides is not read", "tools/internal/markup/text.go", "\tdropUnseen(document)", "", "tools/internal/markup TestFindingG16What"},
	{"what programs and files say is a stranger's word", "actors/router_round.go", "tool.Hearsay() && itsOwn(result.Status)", "tool.Foreign()", "actors TestS13Wherever"},
	{"what came meanwhile is a stranger's word", "actors/router_begin.go", `cmp.Or(r.brief.tainted, newsCame)`, "cmp.Or(r.brief.tainted)", "actors TestS13WhatCame"},
	{"bidi controls do not reach the terminal", "ui/termsafe/termsafe.go", "case unicode.Is(unicode.Cf, r):", "case false:", "ui/termsafe ."},
	{"file tools leave what git includes", "tools/guarded.go", "jail.Included(gitdir.Discover(e.Dir).Common, e.Home)...)", "jail.Included(gitdir.Discover(\"\").Common, \"\")...)", "tools/files TestFindingG8"},
	{"what rg found is in the directory", "tools/coding/ripgrep.go", "changed, err := s.verify(ctx)", `changed := ""`, "tools/coding TestGrepShowsOnly"},
	{"tickets are in the project", "tools/tickets/store.go", "dir, err := openDir(path, path == named)", "dir, err := openDir(path, true)", "tools/tickets TestTicketsAreNo"},
	{"downloads are where nothing is obeyed", "tools/downloads/downloads.go", "if err := visible(root, path, env.Home); err != nil {", "if err := error(nil); err != nil {", "tools/downloads TestDownloadsAreNo"},
	{"a terminal gets clean text", "cmd/marvin/world.go", "if terminal(file) {", "if false {", "cmd/marvin TestFindingG15Nothing"},
	{"a character that comes in pieces is one", "ui/termsafe/writer.go", "w.held = append([]byte(nil), text...)", "w.held = nil", "ui/termsafe TestFindingG15"},
	{"lines of JSON are harmless", "ui/jsonl/writer.go", "w.out.Write(termsafe.JSON(w.buffer.Bytes()))", "w.out.Write(append(termsafe.JSON(nil), w.buffer.Bytes()...))", "cmd/marvin TestFindingG15JSON"},
	{"what a full disk cut off is ended", "persistence/session.go", "lines = append([]byte{'\\n'}, lines...)", "_ = lines", "persistence TestAConversationOnAFull"},
	{"a conversation that cannot begin leaves nothing", "persistence/sessions.go", "session.Close(), removeIfThere(path), removeIfThere", "session.Close(), removeIfThere", "persistence TestAConversationOnAFull"},
	{"a name is for one conversation", "persistence/sessionedit.go", "if info.Name == name && info.ID != id {", "if false {", "persistence TestANameIs"},
	{"what is removed is gone from the index", "persistence/sessionedit.go", "problems = append(problems, s.rewriteIndex(list, indexPatience))", "_ = list", "persistence TestOnlyWhatIsNamed"},
	{"a link is not removed as a conversation", "persistence/sessionedit.go", "err != nil || !info.Mode().IsRegular() {", "err != nil || info.IsDir() {", "persistence TestOnlyWhatIsNamed"},
	{"a call without a result is mended", "actors/internal/sessionlog/read.go", "f.content.makeWhole()", "", "actors TestACrafted"},
	{"a page runs nothing", "ui/transcript/page.go", "return html.EscapeString(termsafe.String(text))", "return html.EscapeString(\"\") + termsafe.String(text)", "ui/transcript TestAPage"},
	{"a removal is asked about", "cmd/marvin/sessions_change.go", "if !yes {", "if false {", "cmd/marvin TestScripts/sessions$"},
	{"an export is harmless", "ui/transcript/transcript.go", "return []byte(termsafe.String(text.String()))", "return []byte(termsafe.String(\"\") + text.String())", "cmd/marvin TestFindingG15Exports"},
	{"a name with a line break is one line", "ui/headless/write.go", "termsafe.Line(strings.Join(event.Names, \", \"))", "termsafe.Line(\"\") + strings.Join(event.Names, \", \")", "cmd/marvin TestFindingG15TheName"},
	{"a misspelt field of a batch is an error", "cmd/marvin/batch_job.go", "if err := knownFields(line.Data); err != nil {", "if err := knownFields([]byte(`{}`)); err != nil {", "cmd/marvin TestFindingP9AnUnknown"},
	{"an id of a batch stands for what was asked", "cmd/marvin/batch_results.go", "return answered && !changed, changed", "return answered, false", "cmd/marvin TestFindingP9AChanged"},
	{"an installed model of Ollama is picked", "providers/resolve.go", "if provider.Local && !named || selection.Model == \"\" {", "if provider.Local && named {", "cmd/marvin TestFindingP6Without"},
	{"a model of Ollama without tools is asked without", "providers/ollama/model.go", "if refusesTools(err) && len(question.Tools) > 0 &&", "if false &&", "providers/ollama TestFindingP6AModelWithout"},
	{"Ollama's thinking goes back with its calls", "providers/ollama/answer.go", "keep(a.mused.String(), reply.Calls)", "", "providers/ollama TestFindingP6Thinking"},
	{"the window of Ollama's model is the model's", "providers/ollama/facts.go", "found.window = parameter(shown.Parameters)", "", "providers/ollama TestFindingP6TheWindow"},
	{"a window that is too small is told as that", "actors/router_budget.go", "if tight := r.tooSmall(limits, message.tokens); tight != \"\" && !r.cancel {", "if tight := \"\"; tight != \"\" {", "actors TestFindingP6AFirst"},
	{"the start of the Copilot CLI is no silence", "providers/copilot/cli.go", "starting(c.config.StartLimit)", "starting(0)", "providers/copilot TestFindingP7TheStart"},
	{"what a dead Marvin left of Copilot is swept away", "providers/copilot/scratch.go", "\t_ = os.RemoveAll(dir) // else the next start will", "", "providers/copilot TestFindingP7What"},
	{"what a living Marvin has of Copilot stays", "providers/copilot/scratch.go", "err == nil && free {", "err == nil && (free || true) {", "providers/copilot TestFindingP7What"},
	{"a rate limit behind Copilot is told as that", "providers/copilot/turn.go", "case limited && !t.limited:", "case false:", "providers/copilot TestFindingP7ARate"},
	{"a provider that was left is closed", "actors/session.go", "choice != s.keep.conversation.Choice && choice != s.last {", "choice != s.keep.conversation.Choice && false {", "actors TestFindingP7AProvider"},
	{"nothing is rebuilt where nobody asks again", "actors/router_mend.go", "if r.brief.conversation.Policy.Person { // elsewhere", "if true { // elsewhere", "actors TestRow26"},
	{"a take-over repeats nothing", "actors/router_mend.go", "r.joint = splice.New(r.broken)", "r.joint = splice.New(text)", "actors TestFindingP5"},
	{"what Ollama is told later stays in its place", "providers/ollama/request.go", "if message.Role == messages.System {", "if false {", "providers/ollama TestFindingP2"},
	{"a command is taken to the last letter", "providers/offline/command.go", "return line, doubt(line), isLine(line)", "return strings.TrimRight(line, \".!?\"), doubt(line), isLine(line)", "providers/offline TestFindingT2"},
	{"prose is no command", "providers/offline/command.go", "return !slices.Contains(prose, strings.ToLower(second))", "return !slices.Contains(prose[:0], second)", "providers/offline TestFindingT2"},
	{"two orders are not one", "providers/offline/understand.go", "u.several = best.several()", "u.several = false", "providers/offline TestFindingT3"},
	{"a value stands in no doubtful phrase", "providers/offline/match.go", "return m.skip(at) == len(s.words)", "return true", "cmd/marvin TestFindingT4"},
	{"a title is no time", "providers/offline/value_entry.go", "|| words[0].isColon() || words[0].isLink() || slices", "|| slices", "cmd/marvin TestFindingT4ATitle"},
	{"where no tool fits none is named", "tools/index.go", "return h.Covered >= fitting", "return true", "cmd/marvin TestFindingT17"},
	{"tools are found in three languages", "tools/index.go", "count(further().words[tool.Name], inFinding)", "", "cmd/marvin TestFindingT17"},
	{"a chat begins with what people ask for", "tools/index.go", "&& (mode.Coding || !t.Chat)", "", "cmd/marvin TestFindingT19"},
	{"a repetition is no part of an errand", "providers/offline/value_entry.go", "last || slices.ContainsFunc(words, each) || repeats(s, words) {", "false && last && slices.ContainsFunc(words, each) {", "cmd/marvin TestFindingT4"},
	{"a series without a day begins where it first takes place", "tools/calendar/plan.go", "if begin.ClockOnly {", "if false {", "tools/calendar TestASeriesWithoutADay"},
	{"sums are exact", "tools/sums/value.go", "sum.Add(&a.Rat, &b.Rat)", "x, _ := a.Float64()\n\ty, _ := b.Float64()\n\tsum.SetFloat64(x + y)", "tools/sums TestFindingT15"},
	{"a crontab is read as cron reads it", "tools/internal/cron/table.go", `strings.FieldsFunc(body, func(r rune) bool { return r == ' ' || r == '\t' })`, "strings.Fields(body)", "tools/internal/cron Fuzz"},
}

// Without any one guard at least one test fails. GUARDS=1, which is `make guards`, takes
// each away and runs its tests, and GUARDS=keys those with that word; otherwise only the
// list is checked.
func TestEveryGuardIsMissed(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	for _, guard := range guardLines {
		source, err := os.ReadFile(filepath.Join(root, guard.file))
		if err != nil || strings.Count(string(source), guard.line) != 1 {
			t.Errorf("%s: its line stands %d times in %s, not once (%v); mend the list", guard.what, strings.Count(string(source), guard.line), guard.file, err)
			continue
		}
		if chosen := os.Getenv("GUARDS"); chosen == "" || chosen != "1" && !strings.Contains(guard.what, chosen) {
			continue
		}
		out := guard.testsWithout(t, root, string(source))
		switch failed := strings.Index(out, "--- FAIL: "); {
		case strings.Contains(out, "[build failed]") || strings.Contains(out, "[setup failed]"):
			t.Errorf("%-40s does not build without it:\n%s", guard.what, out)
		case failed < 0 && !strings.Contains(out, "panic:"):
			t.Errorf("%-40s is missed by no test of %s:\n%s", guard.what, guard.tests, out)
		case failed < 0:
			t.Logf("%-40s %s panics", guard.what, guard.tests)
		default:
			name, _, _ := strings.Cut(out[failed+len("--- FAIL: "):], " ")
			t.Logf("%-40s %s", guard.what, name)
		}
	}
}

// testsWithout runs the tests of a guard on a program that lacks it. The files on the
// disk stay as they are.
func (g guard) testsWithout(t *testing.T, root, source string) string {
	t.Helper()
	dir := t.TempDir()
	changed := filepath.Join(dir, filepath.Base(g.file))
	if err := os.WriteFile(changed, []byte(strings.Replace(source, g.line, g.without, 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	overlay, err := json.Marshal(map[string]map[string]string{"Replace": {filepath.Join(root, g.file): changed}})
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
