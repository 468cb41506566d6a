package jail

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"marvin/tools/internal/jail/internal/disk"
)

func TestCommandsOfARebase(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "pick 1 x\nexec  make\nx\tls -l\nexecute no\nx": `" make" "ls -l" ""`, "exec a\nexec b\nexec c\nexec d\nexec e": `"a" "b" "c" "d" "e"`,
		"exec a\nexec b\nexec c\nexec d\nexec e\nexec f\nexec g": `"a" "b" "c" "d" "e" …`, "exec " + strings.Repeat("y", 201): strconv.Quote(strings.Repeat("y", 200)),
		"# exec a\n  exec\x1b b": "", "  exec a": `"a"`, "exec b\x1b": `"b\x1b"`,
	} {
		if got := strings.Join(commandsIn(text), " "); got != want {
			t.Errorf("%.40q: %s, want %s", text, got, want)
		}
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "list")
	if err := errors.Join(os.WriteFile(path, []byte("0123456789"), 0o644), syscall.Mkfifo(path+"pipe", 0o644)); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]string{4: "0123", 10: "0123456789", 11: "0123456789"} {
		if got := disk.Beginning(path, most); string(got) != want {
			t.Errorf("the first %d bytes are %q", most, got)
		}
	}
	if disk.Beginning(dir, 9) != nil || disk.Beginning(path+"pipe", 9) != nil || disk.Beginning(path+"none", 9) != nil {
		t.Error("a missing file has a beginning")
	}
	if got := escapeGlob(`a*b?c[d]\e`); got != `a\*b\?c\[d]\\e` {
		t.Errorf("%s", got)
	}
	var nobody *Jail
	if nobody.Report() != "" || nobody.Note(1, "permission denied") != "" {
		t.Error("no jail has something to say")
	}
}

// A process that can write one of the names in a path decides which file is found.
func TestTheNamesOnTheWayToAPath(t *testing.T) {
	k, home := scene{files: "project/a/x=y away->HOME/project/a short->project/a/../a/x loop->loop"}.keeperOf(t)
	k.jails = map[string]*Jail{"": {plan: plan{Write: []string{filepath.Join(home, "project")}}}}
	for path, want := range map[string]string{
		"a/../b": "HOME/a HOME/b", "away/x": "HOME/away HOME/project HOME/project/a HOME/project/a/x",
		"short": "HOME/short HOME/project HOME/project/a HOME/project/a HOME/project/a/x", "./none//deep": "HOME/none HOME/none/deep",
	} {
		names, ok := passed(home + "/" + path)
		names = slices.DeleteFunc(names, func(name string) bool { return !strings.HasPrefix(name, home+"/") })
		if got := strings.ReplaceAll(strings.Join(names, " "), home, "HOME"); !ok || got != want {
			t.Errorf("%s: %s, %v; want %s", path, got, ok, want)
		}
	}
	for path, want := range map[string]bool{
		home + "/project": true, home + "/project/a/none": true, home + "/away": true, home + "/short": true, home + "/loop": true, "relative": true,
		home + "/projects": false, home + "/x": false, "/usr/bin/env": false, home + "/private/tmp/x": true,
	} {
		if got := k.Writable(path); got != want {
			t.Errorf("%s can be changed: %v", path, got)
		}
	}
	if (*Keeper)(nil).Writable("/x") {
		t.Error("without a keeper something can be changed")
	}
}
