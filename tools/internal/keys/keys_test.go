package keys

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// files returns a home directory with files in ~/.ssh.
func files(t *testing.T, contents map[string]string) string {
	t.Helper()
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".ssh", "DIR_KEY"), 0o700); err != nil {
		t.Fatal(err)
	}
	for name, content := range contents {
		if err := os.WriteFile(filepath.Join(home, ".ssh", name), []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return home
}

func TestVariableBeatsFile(t *testing.T) {
	home := files(t, map[string]string{"A_KEY": " file\n"})
	for _, test := range []struct {
		environ    []string
		home, name string
		want       string
	}{
		{[]string{"A_KEY= variable "}, home, "A_KEY", "variable"},
		{[]string{"A_KEY= "}, home, "A_KEY", "file"},
		{nil, home, "A_KEY", "file"},
		{nil, "", "A_KEY", ""},
		{nil, home, "B_KEY", ""},
		{nil, home, "DIR_KEY", ""},
	} {
		if got := Find(test.environ, test.home, test.name); got != test.want {
			t.Errorf("%+v: %q", test, got)
		}
	}
}

func TestReadSaysWhatIsTheMatter(t *testing.T) {
	home := files(t, map[string]string{"EMPTY_KEY": " \n", "LARGE_KEY": strings.Repeat("x", 5000), "GOOD_KEY": "k\n"})
	if err := syscall.Mkfifo(filepath.Join(home, ".ssh", "PIPE_KEY"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"EMPTY_KEY": "is empty", "LARGE_KEY": "is not a key file", "PIPE_KEY": "is not a key file", "DIR_KEY": "is not a key file", "NO_KEY": "does not exist", "GOOD_KEY": "",
	} {
		text, path, problem := Read(home, name)
		if problem != want || path != filepath.Join(home, ".ssh", name) || (text == "k") != (want == "") {
			t.Errorf("%s: %q, %s, %q", name, text, path, problem)
		}
	}
}

func TestEveryFileWithTheNameOfAVariableIsAKey(t *testing.T) {
	home := files(t, map[string]string{"NEW_PROVIDER_API_KEY": "new\n", "X_2": "two", "id_ed25519": "ssh", "config": "Host *", "README": "text", "KEY.pub": "public"})
	all := All(home)
	slices.Sort(all)
	if !slices.Equal(all, []string{"new", "two"}) || len(All("")) != 0 || len(All(filepath.Join(home, "none"))) != 0 {
		t.Errorf("%q", all)
	}
}
