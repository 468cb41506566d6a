package tools

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"
)

func TestSandboxedCalls(t *testing.T) {
	const missing = "the command was not run: no sandbox\nDo without it, or tell the user to install what is missing."
	for _, row := range []struct {
		mode                       SandboxMode
		plain, approved, free      bool // whether the command is confined
		refused, approves, without string
	}{
		{SandboxAuto, true, false, false, missing, "", ""},
		{SandboxOff, false, false, false, missing, "", ""},
		{SandboxWorkspace, true, true, true, missing, missing, missing},
		{SandboxStrict, true, true, true, missing, missing, missing},
	} {
		sandbox := NewSandbox(SandboxConfig{Mode: row.mode})
		for _, one := range []struct {
			held    Held
			holds   bool
			refused string
		}{
			{Held{Sandbox: sandbox}, row.plain, row.refused},
			{Held{Sandbox: sandbox, Approved: true}, row.approved, row.approves},
			{Held{Sandbox: sandbox, Free: true}, row.free, row.without},
		} {
			env := Env{Held: one.held}
			if env.Confines() != one.holds {
				t.Errorf("%v, approved %v, free %v: it is held %v", row.mode, one.held.Approved, one.held.Free, !one.holds)
			}
			said := ""
			err := env.OutsideSandbox("no sandbox")
			if err != nil {
				said = err.Error()
			}
			if said != one.refused || err != nil && !errors.Is(err, ErrUnconfined) {
				t.Errorf("%v, approved %v, free %v: %q", row.mode, one.held.Approved, one.held.Free, said)
			}
			cell, err := env.Jail()
			if !one.holds && (cell != nil || err != nil) {
				t.Errorf("%v: an unsandboxed call runs in %v, %v", row.mode, cell, err)
			}
			if one.holds && (cell != nil || !errors.Is(err, ErrUnconfined) || !NoSandbox(err)) {
				t.Errorf("%v: without a directory it runs in %v, %v", row.mode, cell, err)
			}
		}
	}
	other := errors.New("other")
	if got := AdviseUnconfined(other); !errors.Is(got, other) || errors.Is(got, ErrUnconfined) {
		t.Errorf("%v", got)
	}
	place := errNoSandbox()
	want := "the command was not run\n" + place.Error() + "\nWithout the sandbox, Marvin runs only approved commands. Tell the user: start Marvin with --sandbox off (or set \"sandbox: off\" in config.yaml) to run commands with all of the user's rights, " +
		"for example in a container that already confines the commands. Until then, use the tools for files, search and git."
	if got := AdviseUnconfined(fmt.Errorf("x: %w", place)); got.Error() != strings.Replace(want, place.Error(), "x: "+place.Error(), 1) {
		t.Errorf("%v\nwant\n%s", got, want)
	}
	if (Env{}).Confines() {
		t.Error("nothing holds it, and it is held")
	}
}

func TestAlwaysRunsSandboxed(t *testing.T) {
	line := "ls -l"
	call := Call{Tool: &Tool{Name: "run_command"}, Command: &line}
	root := made(t)
	env := Env{Root: root, Dir: root, Held: Held{Sandbox: NewSandbox(SandboxConfig{Home: made(t), State: made(t)}), Approved: true}}
	words, held, err := call.DescribeAlways(env)
	switch {
	case runtime.GOOS == "linux" && err == nil:
		if !held || !strings.HasSuffix(words, " in this conversation, in the sandbox") {
			t.Errorf("%q, %v", words, held)
		}
	case !NoSandbox(err) || words != "" || held:
		t.Errorf("%q, %v, %v", words, held, err)
	}
	env.Root = ""
	if words, held, err := call.DescribeAlways(env); err == nil || words != "" || held {
		t.Errorf("where no sandbox holds it: %q, %v, %v", words, held, err)
	}
	scope := call.Scope(env)
	if !Covers(scope.OfferedGrants(), scope) || Covers(nil, scope) {
		t.Errorf("what it covers does not cover it: %v", scope.OfferedGrants())
	}
}

func TestTheWholeOfACommand(t *testing.T) {
	long := strings.Repeat("x", mostCommand)
	for _, row := range []struct{ title, command, want string }{
		{"run_command ls -l", "ls -l", ""},
		{"run_command ls -l", " ls -l\n", ""},
		{"run_command ls…", "ls -l", "ls -l"},
		{"run_command ls", "ls\x1b", "ls‹U+001B›"},
		{"run_command", long, long},
		{"run_command", long + "y", long + "…"},
	} {
		if got := (Call{Title: row.title, Command: &row.command}).FullCommand(); got != row.want {
			t.Errorf("%s of %.40q: %.60q", row.title, row.command, got)
		}
	}
	if got := (Call{Title: "x"}).FullCommand(); got != "" {
		t.Errorf("a call without a command: %q", got)
	}
}

// An advice contains the next step, if there is one.
func TestAdviceIsAnErrorAndWhatToDo(t *testing.T) {
	cause := errors.New("it failed")
	for next, want := range map[string]string{"": "it failed", "Do this.": "it failed\nDo this."} {
		advice := &Advice{Err: cause, Next: next}
		if advice.Error() != want || !errors.Is(advice, cause) {
			t.Errorf("%q: %q", next, advice.Error())
		}
	}
}
