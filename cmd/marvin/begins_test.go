package main

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/providers"
)

// worldOf is a world with variables, a home directory and one where Marvin was started.
func worldOf(home, dir string, variables ...string) World {
	values := map[string]string{}
	for _, variable := range variables {
		name, value, _ := strings.Cut(variable, "=")
		values[name] = value
	}
	return World{Home: home, Dir: dir, Environ: variables, Getenv: func(name string) string { return values[name] }, Now: func() time.Time { return time.Unix(1e9, 0).UTC() }}
}

// said is a value, or what was wrong.
func said(value any, err error) string {
	if err != nil {
		return "! " + err.Error()
	}
	return fmt.Sprint(value)
}

// How long a model may be silent is a duration above nothing.
func TestHowLongAModelMayBeSilent(t *testing.T) {
	for text, want := range map[string]string{
		"": "0s", "90s": "1m30s", "1ns": "1ns", "0": `! MARVIN_SILENCE_TIMEOUT="0" is not a duration such as 90s or 5m`,
		"-1s": `! MARVIN_SILENCE_TIMEOUT="-1s" is not a duration such as 90s or 5m`, "5": `! MARVIN_SILENCE_TIMEOUT="5" is not a duration such as 90s or 5m`,
	} {
		if got := said(silenceLimit(worldOf("", "", "MARVIN_SILENCE_TIMEOUT="+text))); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}

// Where Marvin works is what the option names, else where the conversation was left, else
// where it was started; a link is followed, and ~ is the home directory, where there is one.
func TestWhereMarvinWorks(t *testing.T) {
	top := t.TempDir()
	for _, dir := range []string{"home/sub", "started", "real"} {
		if err := os.MkdirAll(filepath.Join(top, dir), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("real", filepath.Join(top, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(top, "file"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, row := range [][4]string{
		{"", "", "TOP/home", "TOP/started"},
		{"", "TOP/left", "TOP/home", "TOP/left"},
		{"TOP/link", "TOP/left", "TOP/home", "TOP/real"},
		{"TOP/real/../real/", "", "TOP/home", "TOP/real"},
		{"~", "", "TOP/home", "TOP/home"},
		{"~/sub", "", "TOP/home", "TOP/home/sub"},
		{"~/none", "", "TOP/home", "! --working-dir: TOP/home/none does not exist; make it with mkdir, or name another"},
		{"TOP/file", "", "TOP/home", "! --working-dir: TOP/file is a file, not a directory"},
		{"TOP/file/x", "", "TOP/home", "! --working-dir: stat TOP/file/x: not a directory"},
		{"~", "", "", "! --working-dir: CWD/~ does not exist; make it with mkdir, or name another"},
		{"~sub", "", "TOP/home", "! --working-dir: CWD/~sub does not exist; make it with mkdir, or name another"},
	} {
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		whole := func(text string) string {
			return strings.NewReplacer("TOP", top, "CWD", here).Replace(text)
		}
		opts := options{WorkingDir: whole(row[0]), left: left{dir: whole(row[1])}}
		if got := said(workingDir(worldOf(whole(row[2]), filepath.Join(top, "started")), opts)); got != whole(row[3]) {
			t.Errorf("%q: %s", row, got)
		}
	}
}

// A conversation begins with what the options say, and what a Marvin that was begun by another
// one may is known; outside coding it has no directory.
func TestHowAConversationBegins(t *testing.T) {
	opts := options{MaxCost: 1.5, MaxRounds: 7, MaxTime: time.Minute}
	p := &parts{
		world: worldOf("", ""), opts: opts, dir: "/work", profile: "me", selection: providers.Selection{Provider: "groq", Model: "m"},
		settings: settings.Config{Approve: "ask", Effort: "high"},
	}
	limits := actors.Limits{Cost: 1.5, Rounds: 7, Time: time.Minute}
	want := actors.Conversation{Choice: actors.Choice{Provider: "groq", Model: "m"}, Effort: "high", Profile: "me", Policy: actors.Policy{Person: true, Persist: true, Approval: "ask", Limits: limits}}
	holds := func(what string, policy actors.Policy) {
		t.Helper()
		if got := p.conversation(policy, nil); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %+v, want %+v", what, got, want)
		}
	}
	holds("a talk", p.personal())
	p.opts.left.Coding, p.opts.left.Info.ID = true, "id"
	want.Dir, want.Policy.Coding = "/work", true
	holds("a coding one that goes on", p.personal())
	p.opts.left.Coding, p.opts.left.Info.ID, p.opts.WorkingDir = false, "", "."
	holds("a coding one", p.personal())
	p.opts.WorkingDir, p.selection.Provider = "", providers.Offline
	want.Choice.Provider = providers.Offline
	holds("without a model", p.personal())
	want.Policy, want.Dir = actors.Policy{Limits: limits}, ""
	holds("of nobody", actors.Policy{})
	p.opts.Approve, want.Policy.Approval = "plan", messages.ApprovePlan
	holds("of nobody with an option", actors.Policy{})
	p.readOnly, want.Policy.ReadOnly = true, true
	holds("without writing", actors.Policy{})
	p.readOnly = false
	holds("without writing by its policy", actors.Policy{ReadOnly: true})
	p.readOnly = true
	for _, named := range []func(*parts){func(p *parts) { p.opts.Provider = "x" }, func(p *parts) { p.opts.Model = "x" }, func(p *parts) { p.keeping.named = true }} {
		opts, keeping := p.opts, p.keeping
		named(p)
		want.Named = true
		holds("named", actors.Policy{})
		p.opts, p.keeping, want.Named = opts, keeping, false
	}
	p.opts.Effort, p.keeping.effort, want.Effort = "low", "medium", "low"
	holds("with an effort", actors.Policy{})
	p.opts.Effort, want.Effort = "", "medium"
	holds("with one of the project", actors.Policy{})
	p.keeping.effort, want.Effort = autoEffort, ""
	holds("with none of the project", actors.Policy{})
	p.world.Environ, want.Policy.Delegated = []string{"MARVIN_DEPTH=1"}, true
	holds("of another Marvin", actors.Policy{})
}

// What is wrong with the configuration is told once, also where it is why nothing begins.
func TestWhatIsWrongIsToldOnce(t *testing.T) {
	for _, row := range []struct {
		err  error
		want string
	}{
		{nil, "warning: a is wrong\nwarning: b is wrong\n"},
		{fmt.Errorf("no: a is wrong"), "warning: b is wrong\n"},
	} {
		var out strings.Builder
		p := &parts{world: World{Stderr: &out}}
		p.note(fmt.Errorf("a is wrong"))
		p.note(nil)
		p.note(fmt.Errorf("b is wrong"))
		if warn(p, row.err); out.String() != row.want {
			t.Errorf("with %v: %q", row.err, out.String())
		}
	}
}

// Which provider may be told of a directory is read with every name, or not at all.
func TestWhoMayBeToldOfADirectory(t *testing.T) {
	home := t.TempDir()
	real, err := filepath.EvalSymlinks(home)
	if err != nil {
		t.Fatal(err)
	}
	own := []settings.Provider{{Name: "near", URL: "http://127.0.0.1:9/v1"}, {Name: "far", URL: "https://far.example/v1"}}
	for _, row := range []struct {
		home    string
		private []settings.Private
		want    string
	}{
		{home, nil, "[]"},
		{home, []settings.Private{{Dir: "/tmp/a-b-c", To: nil}}, "[{/tmp/a-b-c /tmp/a-b-c []}]"},
		{home, []settings.Private{{Dir: "~/x", To: []string{"groq", "far", "groq"}}, {Dir: "/y", To: []string{"far"}}}, "[{HOME/x ~/x [far groq]} {/y /y [far]}]"},
		{home, []settings.Private{{Dir: "/y", To: []string{"local", "near", "gemini"}}}, "[{/y /y [gemini llamacpp lmstudio near ollama vllm]}]"},
		{"", []settings.Private{{Dir: "~/x"}}, "! config.yaml: private: there is no home directory for ~/x"},
		{"", []settings.Private{{Dir: "~x"}}, "[{~x ~x []}]"},
		{home, []settings.Private{{Dir: "~/x", To: []string{"grok"}}}, "or local, or [] for none"},
	} {
		rules, err := privateRules(worldOf(row.home, "", "OPENAI_COMPAT_URL="), settings.Config{Private: row.private, Providers: own})
		got := strings.ReplaceAll(said(rules, err), " <nil>}", "}")
		if want := strings.ReplaceAll(row.want, "HOME", real); got != want && (err == nil || !strings.HasSuffix(got, want) || !strings.HasPrefix(got, "! config.yaml: private: ~/x: ")) {
			t.Errorf("%v: %s, want %s", row.private, got, want)
		}
		if err == nil && len(privateDirs(rules)) != len(row.private) {
			t.Errorf("the directories are %v", privateDirs(rules))
		}
	}
	if dirs := privateDirs([]actors.PrivateRule{{Dir: "/a", Said: "x"}, {Dir: "/b"}}); fmt.Sprint(dirs) != "[/a /b]" {
		t.Errorf("%v", dirs)
	}
	if _, err := privateRules(worldOf(home, ""), settings.Config{Private: []settings.Private{{Dir: "/y"}}, Providers: []settings.Provider{{Name: "near"}}}); err == nil || !strings.HasPrefix(err.Error(), "private: config.yaml: ") {
		t.Errorf("with a provider that cannot be: %v", err)
	}
}
