package keys

import (
	"os"
	"path/filepath"
	"testing"
)

func TestVariableBeatsFile(t *testing.T) {
	home := t.TempDir()
	if err := os.MkdirAll(filepath.Join(home, ".ssh", "DIR_KEY"), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home, ".ssh", "A_KEY"), []byte(" file\n"), 0o600); err != nil {
		t.Fatal(err)
	}
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
