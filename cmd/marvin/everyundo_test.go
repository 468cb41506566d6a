package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/language"
	"marvin/tools/undo"
)

// keepsTable is a crontab that keeps its table.
const keepsTable = `#!/bin/sh
case "$1" in
-l) [ -f "$0.table" ] || { echo "no crontab for tester" >&2; exit 1; }; exec cat "$0.table" ;;
-) exec cat > "$0.table" ;;
esac
exit 2
`

// step is one call.
type step struct {
	tool string
	args map[string]any
}

// takenBack lists, for each tool that writes, the preparation and a call. The test compares the
// world before the call with the world after its undo.
var takenBack = map[string][]struct {
	before []step
	args   map[string]any
	once   bool // what takes it back is not taken back itself
}{
	"create_file":      {{args: map[string]any{"path": "new/a.txt", "content": "a\n"}}},
	"append_file":      {{args: map[string]any{"path": "there.txt", "content": "more\n"}}},
	"apply_patch":      {{args: map[string]any{"path": "there.txt", "old_str": "there", "new_str": "here"}}},
	"file_apply_patch": {{args: map[string]any{"path": "other.md", "patch": "@@ -1 +1 @@\n-other\n+another\n"}}},
	"git_checkout":     {{before: []step{{"git_checkout", map[string]any{"target": "side", "create_branch": true}}}, args: map[string]any{"target": "main"}}},

	"create_ticket":   {{args: map[string]any{"title": "mend it"}}},
	"ticket_start":    {{args: map[string]any{"ticket_id": "a-1"}}},
	"ticket_close":    {{args: map[string]any{"ticket_id": "a-1"}}},
	"ticket_add_note": {{args: map[string]any{"ticket_id": "a-1", "note": "seen"}}},
	"ticket_add_dep":  {{args: map[string]any{"ticket_id": "a-1", "depends_on": "a-2"}}},

	"write_note": {
		{args: map[string]any{"filename": "work/a.md", "content": "one\n"}},
		{before: []step{{"write_note", map[string]any{"filename": "a.md", "content": "one\n"}}}, args: map[string]any{"filename": "a.md", "content": "two", "append": true}},
	},
	"move_note":   {{before: []step{{"write_note", map[string]any{"filename": "a.md", "content": "one\n"}}}, args: map[string]any{"filename": "a.md", "to": "b.md"}}},
	"notes_mkdir": {{args: map[string]any{"dirname": "recipes"}}},
	"remove_note": {
		{before: []step{{"write_note", map[string]any{"filename": "a.md", "content": "one\n"}}}, args: map[string]any{"filename": "a.md"}},
		{before: []step{{"notes_mkdir", map[string]any{"dirname": "recipes"}}}, args: map[string]any{"filename": "recipes/"}},
	},

	"save_place": {
		{args: map[string]any{"label": "home", "address": "1 High St"}},
		{before: somePlaces, args: map[string]any{"label": "work", "address": "", "notes": "ring twice"}},
	},
	"remove_place": {{before: somePlaces, args: map[string]any{"label": "work"}}},
	"bookmark_save": {
		{args: map[string]any{"url": "https://go.dev"}},
		{before: someMarks, args: map[string]any{"url": "https://go.dev/blog"}},
	},
	"bookmark_change": {{before: someMarks, args: map[string]any{"url": "https://go.dev", "title": "Other", "tags": []string{"x"}}}},
	"bookmark_remove": {{before: someMarks, args: map[string]any{"url": "https://go.dev"}}},

	"calendar_add_event": {
		{args: map[string]any{"title": "Dentist", "start": "tomorrow at 10:00"}},
		{before: someDates, args: map[string]any{"title": "Yoga", "start": "tomorrow at 18:00", "repeat": "weekly"}},
	},
	"calendar_change_event": {{before: someDates, args: map[string]any{"title": "Lunch", "start": "13:30", "location": "Luigi"}}},
	"calendar_delete_event": {
		{before: someDates, args: map[string]any{"title": "Lunch"}},
		{before: someDates[:1], args: map[string]any{"title": "Dentist"}},
	},
	"set_alarm":    {{args: map[string]any{"time": "2h", "label": "tea", "message": "look"}}},
	"cancel_alarm": {{before: []step{{"set_alarm", map[string]any{"time": "2h", "label": "tea", "message": "look"}}}, args: map[string]any{"label": "tea"}}},
	"timer_start": {
		{args: map[string]any{"name": "tea", "duration": "2h"}},
		{args: map[string]any{"name": "run"}, once: true},
	},
	"timer_stop":          {{before: []step{{"timer_start", map[string]any{"name": "tea", "duration": "2h"}}}, args: map[string]any{"name": "tea"}}},
	"generate_ntfy_topic": {{before: []step{{"ntfy_subscribe", map[string]any{"topic": "disk"}}}, args: map[string]any{"label": "phone"}}},
	"ntfy_subscribe":      {{before: []step{{"ntfy_subscribe", map[string]any{"topic": "disk"}}}, args: map[string]any{"topic": "news"}}},
	"ntfy_unsubscribe":    {{before: []step{{"ntfy_subscribe", map[string]any{"topic": "disk"}}, {"ntfy_subscribe", map[string]any{"topic": "news"}}}, args: map[string]any{"topic": "disk"}}},
	"switch_profile":      {{before: []step{{"switch_profile", map[string]any{"name": "alex"}}, {"switch_profile", map[string]any{"name": "default"}}}, args: map[string]any{"name": "alex"}}},
	"update_preferences": {
		{args: map[string]any{"key": "dietary", "action": "add", "value": []string{"vegan"}}},
		{before: []step{{"update_preferences", map[string]any{"key": "notes", "value": []string{"a"}}}}, args: map[string]any{"key": "notes", "action": "add", "value": []string{"b"}}},
	},

	"code_rename":  {{before: someGo, args: map[string]any{"path": "main.go", "line": 3, "name": "twice", "to": "doubled", "apply": true}}},
	"code_actions": {{before: someGo, args: map[string]any{"path": "main.go", "line": 5, "take": "Organize Imports", "apply": true}}},

	"blender_create_object": {{args: map[string]any{"object_type": "sphere", "name": "Moon"}, once: true}},
	"blender_modify_object": {{before: []step{{"blender_create_object", map[string]any{"object_type": "sphere", "name": "Moon"}}}, args: map[string]any{"object_name": "Moon", "location": []float64{1, 2, 3}}}},
}

var (
	somePlaces = []step{{"save_place", map[string]any{"label": "home", "address": "1 High St"}}, {"save_place", map[string]any{"label": "work", "address": "2 Low St", "lat": 1.5, "lng": 2}}, {"save_place", map[string]any{"label": "gym"}}}
	someMarks  = []step{{"bookmark_save", map[string]any{"url": "https://a.example"}}, {"bookmark_save", map[string]any{"url": "https://go.dev", "tags": []string{"go"}, "notes": "n"}}, {"bookmark_save", map[string]any{"url": "https://z.example"}}}
	someGo     = []step{{"create_file", map[string]any{"path": "go.mod", "content": "module known\n\ngo 1.24\n"}}, {"create_file", map[string]any{"path": "main.go", "content": "package main\n\nfunc twice(n int) int { return 2 * n }\n\nfunc main() { fmt.Println(twice(twice(2))) }\n"}}}
	someDates  = []step{{"calendar_add_event", map[string]any{"title": "Dentist", "start": "tomorrow at 10:00"}}, {"calendar_add_event", map[string]any{"title": "Lunch", "start": "tomorrow at 12:00"}}}
)

// stays lists tools that cannot be undone, each with words of the reason that the user reads.
var stays = map[string]string{
	"run_command": "effects of the program are unknown", "code_check": "effects of the program are unknown", "install_packages": "effects of the program are unknown", "job_input": "effects of the program are unknown",
	"git_commit": "git revert", "tk": "tk made the change", "download_file": "delete the downloaded file", "yt_dlp_download": "delete the downloaded file", "github_clone": "delete the cloned directory", "github_pr_comment": "on GitHub", "github_pr_create": "on GitHub",
	"ntfy_publish": "cannot be recalled", "spotify_auth": "log out", "setup_google_auth": "log out", "spotify_create_playlist": "Spotify", "spotify_add_tracks": "Spotify",
	"blender_delete_object": "Ctrl-Z", "blender_set_material": "Ctrl-Z", "blender_execute_code": "Ctrl-Z", "compact_history": "backup", "remember": "forget", "schedule_prompt": "marvin schedule rm", "cancel_schedule": "create it again", "forget": "cannot be restored",
}

// Every tool of the registry that writes is called and undone. After that the world is as before,
// or the tool says why it cannot be undone.
func TestEveryWritingToolCanBeUndoneOrSaysWhyNot(t *testing.T) {
	t.Parallel()
	for _, tool := range newBench(t).registry.All() {
		rows, reason := takenBack[tool.Name], stays[tool.Name]
		switch {
		case !tool.Writes:
			if len(rows)+len(reason) > 0 {
				t.Errorf("%s writes nothing; take it off the table", tool.Name)
			}
		case reason != "":
			w := newUndone(t)
			w.keeper(tool.Name).RecordCall(tool.Name, nil)
			if _, err := undo.Make(w.journal, w.env, undo.Request{Turn: "t1"}); err == nil || !strings.Contains(err.Error(), reason) {
				t.Errorf("%s cannot be taken back, which is shown as %v", tool.Name, err)
			}
		case len(rows) == 0:
			t.Errorf("%s writes, and no one knows how that is taken back: a row in the table, or a reason", tool.Name)
		}
		for i, row := range rows {
			t.Run(fmt.Sprintf("%s %d", tool.Name, i), func(t *testing.T) {
				t.Parallel()
				w := newUndone(t)
				for _, step := range row.before {
					w.run(step.tool, step.args)
				}
				w.turn++
				w.check(tool.Name, row.args, row.once)
			})
		}
	}
}

// undone is a bench on which calls are recorded and undone.
type undone struct {
	*testing.T
	*bench
	journal *undolog.Journal
	turn    int
}

func newUndone(t *testing.T) *undone {
	b := newBench(t)
	w := &undone{T: t, bench: b, journal: undolog.Of(persistence.Open(t.TempDir(), time.Now), "one"), turn: 1}
	write := func(path, text string) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := disktest.WriteProgram(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(b.programs, "crontab"), keepsTable)
	write(filepath.Join(b.env.Dir, "there.txt"), "there\n")
	for _, id := range []string{"a-1", "a-2"} {
		write(filepath.Join(b.env.Dir, ".tickets", id+".md"), "---\nid: "+id+"\nstatus: open\ndeps: []\ntype: task\npriority: 2\n---\n# "+id+"\n")
	}
	write(filepath.Join(b.env.Home, "Notes", "other.md"), "other\n")
	commands := [][]string{{"init", "-q", "-b", "main"}, {"add", "there.txt"}, {"-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-qm", "one"}}
	if !strings.Contains(t.Name(), "git_") {
		commands = nil // a repository for each of the other rows would take as long as the rows
	}
	for _, args := range commands {
		command := exec.Command("git", args...)
		command.Dir = b.env.Dir
		if out, err := command.CombinedOutput(); err != nil {
			t.Fatal(string(out), err)
		}
	}
	b.env.Root, b.env.Approved, b.env.Free = b.env.Dir, true, true
	b.env.SetProfile = func(name string) error {
		b.env.Profile = persistence.Open(b.env.Home, time.Now).Profile(name).Dir
		return nil
	}
	switch {
	case strings.Contains(t.Name(), "blender"):
		b.playBlender(t)
	case strings.Contains(t.Name(), "/code_"):
		b.startGopls(t)
	}
	return w
}

// startGopls starts the real language server of Go for calls of the bench.
func (b *bench) startGopls(t *testing.T) {
	if _, err := exec.LookPath("gopls"); err != nil {
		t.Skip("gopls is not installed, which renames")
	}
	b.env.Languages = &goServer{on: language.Ground{Environ: os.Environ(), Top: b.env.Dir}, t: t}
}

// goServer is a language server that ends with its test.
type goServer struct {
	on      language.Ground
	t       *testing.T
	session *language.Session
}

func (o *goServer) ReportChanges([]tools.FileChange) {}

func (o *goServer) Server(ctx context.Context, path string, _ func(string)) (*tools.LanguageServer, error) {
	if o.session != nil {
		return o.session, nil
	}
	wishes, missing := (&language.Set{Now: time.Now}).ServersFor(path, o.on)
	if len(wishes) == 0 {
		return nil, fmt.Errorf("%w: %q", tools.ErrNoLanguage, missing)
	}
	var err error
	if o.session, err = language.Begin(ctx, wishes[0], o.on); err == nil {
		o.t.Cleanup(o.session.Close)
	}
	return o.session, err
}

// playBlender runs the program that replaces Blender in the tests of its tools.
func (b *bench) playBlender(t *testing.T) {
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("python3 is not installed, which runs what Blender would")
	}
	child := exec.Command(python, "../../tools/blender/testdata/scene.py")
	out, err := child.StdoutPipe()
	if err == nil {
		err = child.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	var port int
	if _, err := fmt.Fscan(out, &port); err != nil {
		t.Fatal(err)
	}
	b.env.Environ = append(slices.DeleteFunc(b.env.Environ, func(set string) bool { return strings.HasPrefix(set, "BLENDER") }), fmt.Sprint("BLENDER_MCP_PORT=", port))
}

func (w *undone) keeper(tool string) *undo.Keeper {
	return &undo.Keeper{
		Journal: func() *undolog.Journal { return w.journal }, Turn: fmt.Sprint("t", w.turn), Call: "c", Tool: tool,
		Problem: func(err error) { w.Error(err) },
	}
}

// run makes a call as a worker does.
func (w *undone) run(name string, args map[string]any) {
	w.Helper()
	tool, _ := w.registry.Lookup(name)
	keeper := w.keeper(name)
	w.env.Undo = keeper
	output, err := w.call(w.Context(), w.T, tool, args)
	if err != nil {
		w.Fatalf("%s %v: %v", name, args, err)
	}
	keeper.RecordCall(name, output.Undo)
}

// check calls a tool and undoes the call, and then does both again.
func (w *undone) check(name string, args map[string]any, once bool) {
	before := w.world()
	w.run(name, args)
	after := w.world()
	if maps.Equal(before, after) {
		w.Fatalf("%s %v changed nothing that is compared", name, args)
	}
	for _, way := range []struct {
		redo bool
		want map[string]string
	}{{false, before}, {true, after}, {false, before}} {
		if way.redo && once {
			return
		}
		w.take(undo.Request{Redo: way.redo, Turn: fmt.Sprint("t", w.turn)})
		w.same(way.want, fmt.Sprintf("%s %v, redo %v", name, args, way.redo))
	}
}

// take carries a wish out as a session does.
func (w *undone) take(wish undo.Request) {
	w.Helper()
	plan, err := undo.Make(w.journal, w.env, wish)
	if err == nil {
		err = plan.Apply(context.Background(), w.journal, w.env)
	}
	if err != nil {
		w.Fatal(err)
	}
	w.env.Undo = nil
	for _, one := range plan.Calls {
		if one.Refused != "" {
			w.Fatalf("%s: %s", one.Title, one.Refused)
		}
		tool, err := w.registry.WithUndoing().Find(one.Back.Tool, w.env.Mode())
		if err != nil {
			w.Fatal(err)
		}
		call, err := tool.Decode(one.Back.Args)
		if err != nil {
			w.Fatalf("%s: %v", one.Back.Args, err)
		}
		output, err := call.Run(w.Context(), w.env)
		if err != nil {
			w.Fatalf("%s %s: %v", one.Back.Tool, one.Back.Args, err)
		}
		if err := plan.RecordDone(one, w.journal, output.Undo); err != nil {
			w.Fatal(err)
		}
	}
	if report := plan.Report(); strings.Contains(report, "stay") {
		w.Error(report)
	}
}

// world returns every file of the user and of the project, the timers, and the state of Blender. Of
// git it contains only the checked-out files.
func (w *undone) world() map[string]string {
	w.Helper()
	all := map[string]string{"profile": filepath.Base(w.env.Profile)}
	for _, dir := range []string{w.env.Home, w.env.Dir, filepath.Join(w.programs, "crontab.table")} {
		err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || strings.HasSuffix(path, ".lock") || strings.Contains(path, "/.git/") && !strings.HasSuffix(path, "/.git/HEAD") {
				return nil
			}
			if entry.IsDir() {
				if strings.Contains(path, "otes/") {
					all[path] = "directory"
				}
				return nil
			}
			content, err := os.ReadFile(path)
			if len(content) > 0 || filepath.Base(path) != "crontab.table" { // an empty table is none
				all[path] = string(content)
			}
			return err
		})
		if err != nil {
			w.Fatal(err)
		}
	}
	asked := []string{"timer_check"}
	if strings.Contains(w.Name(), "blender") {
		asked = append(asked, "blender_get_scene", "blender_get_object")
	}
	for _, name := range asked {
		tool, _ := w.registry.Lookup(name)
		args := map[string]any{}
		if name == "blender_get_object" {
			args["object_name"] = "Moon"
		}
		output, err := w.call(w.Context(), w.T, tool, args)
		all[name] = output.Text
		if err != nil {
			all[name] = "none"
		}
		if name == "timer_check" { // the clock advances
			var names []string
			for line := range strings.Lines(output.Text) {
				name, _, _ := strings.Cut(line, ":")
				names = append(names, name)
			}
			all[name] = strings.Join(names, ",")
		}
	}
	return all
}

func (w *undone) same(want map[string]string, when string) {
	w.Helper()
	got := w.world()
	for _, path := range slices.Sorted(maps.Keys(want)) {
		if got[path] != want[path] {
			w.Errorf("%s: %s is\n%s\nand not\n%s", when, path, got[path], want[path])
		}
	}
	for path, is := range got {
		if _, known := want[path]; !known {
			w.Errorf("%s: there is %s: %s", when, path, is)
		}
	}
}

func TestUndoKeepsLaterChanges(t *testing.T) {
	t.Parallel()
	w := newUndone(t)
	w.run("calendar_add_event", map[string]any{"title": "Dentist", "start": "tomorrow at 10:00"})
	w.turn = 2
	w.run("calendar_add_event", map[string]any{"title": "Lunch", "start": "tomorrow at 12:00"})
	w.take(undo.Request{Turn: "t1"})
	tool, _ := w.registry.Lookup("calendar_list_upcoming")
	output, err := w.call(t.Context(), t, tool, nil)
	if err != nil || strings.Contains(output.Text, "Dentist") || !strings.Contains(output.Text, "Lunch") {
		t.Errorf("%s, %v", output.Text, err)
	}
	w.turn = 3
	w.run("calendar_change_event", map[string]any{"title": "Lunch", "new_title": "Supper"})
	plan, err := undo.Make(w.journal, w.env, undo.Request{Turn: "t2"})
	if err != nil {
		t.Fatal(err)
	}
	putBack, err := w.registry.WithUndoing().Find(plan.Calls[0].Back.Tool, w.env.Mode())
	if err != nil {
		t.Fatal(err)
	}
	call, err := putBack.Decode(plan.Calls[0].Back.Args)
	if err == nil {
		_, err = call.Run(t.Context(), w.env)
	}
	if err == nil || !strings.Contains(err.Error(), "it was changed since") {
		t.Errorf("an event that was changed since is taken back: %v", err)
	}
}

// No model sees the tools that only /undo calls, and no call of a model reaches them.
func TestOnlyUndoPutsBack(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	if _, err := b.registry.Find(tools.PutBackName, b.env.Mode()); err == nil {
		t.Error("a model may call it")
	}
	encoded, err := json.Marshal(map[string]any{"edit": `{"document":"../../x","profile":"../.."}`})
	if err != nil {
		t.Fatal(err)
	}
	tool, err := b.registry.WithUndoing().Find(tools.PutBackName, b.env.Mode())
	if err != nil {
		t.Fatal(err)
	}
	call, err := tool.Decode(encoded)
	if err == nil {
		_, err = call.Run(t.Context(), b.env)
	}
	if err == nil {
		t.Error("it writes where there is no document")
	}
}
