package proc

import "testing"

// Two snapshots of a command decide, and any activity between them means that it is not waiting.
func TestWaitingForInput(t *testing.T) {
	editor := processState{pid: 2, parent: 1, name: "vim", args: []string{"x"}, asleep: true, ticks: 7}
	shell := processState{pid: 1, name: "bash", asleep: true}
	with := func(change func(*processState)) processState {
		changed := editor
		change(&changed)
		return changed
	}
	at := func(written int64, all ...processState) look { return look{processes: all, written: written} }
	for name, test := range map[string]struct {
		before, now look
		alternate   bool
		want        string
	}{
		"an editor":              {at(5, shell, editor), at(5, shell, editor), false, "vim"},
		"nothing":                {at(5), at(5), true, ""},
		"it wrote":               {at(5, shell, editor), at(6, shell, editor), false, ""},
		"it worked":              {at(5, shell, editor), at(5, shell, with(func(d *processState) { d.ticks++ })), false, ""},
		"it runs":                {at(5, shell, editor), at(5, shell, with(func(d *processState) { d.asleep = false })), false, ""},
		"another one":            {at(5, shell, editor), at(5, shell, with(func(d *processState) { d.pid = 3 })), false, ""},
		"one more":               {at(5, shell), at(5, shell, editor), false, ""},
		"it has a child":         {at(5, shell, editor, processState{pid: 3, parent: 2, name: "git", asleep: true}), at(5, shell, editor, processState{pid: 3, parent: 2, name: "git", asleep: true}), false, ""},
		"it ends by itself":      {at(5, with(func(d *processState) { d.args = []string{"+wq"} })), at(5, with(func(d *processState) { d.args = []string{"+wq"} })), false, ""},
		"keys without script":    {at(5, with(func(d *processState) { d.name, d.keys = "x", true })), at(5, with(func(d *processState) { d.name, d.keys = "x", true })), false, ""},
		"another screen":         {at(5, shell), at(5, shell), true, "bash"},
		"a shell, and no screen": {at(5, shell), at(5, shell), false, ""},
	} {
		if got := waiting(test.before, test.now, test.alternate); got != test.want {
			t.Errorf("%s: %q", name, got)
		}
	}
}
