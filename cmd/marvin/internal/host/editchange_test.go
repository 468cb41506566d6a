package host

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/disktest"
)

// The user edits the file as a change would leave it, at the first changed line. The result is
// returned as a change of the present file.
func TestUserEditsTheFileOfAChange(t *testing.T) {
	dir, bin := t.TempDir(), t.TempDir()
	for name, content := range map[string]string{"a.txt": "one\ntwo\nthree\nfour\nfive\nsix\nseven\neight", "same.txt": "same\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	const first, second = "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,5 @@\n one\n-two\n+2\n+2b\n three\n four\n", "@@ -6,3 +7,3 @@\n six\n seven\n-eight\n\\ No newline at end of file\n+8\n\\ No newline at end of file\n"
	for _, row := range []struct{ name, change, does, opened, want string }{
		{"nothing more", first + second, "", "+2 a.txt one|2|2b|three|four|five|six|seven|8", first + second},
		{"a word of what was proposed", first, "s/2b/zwei/", "+2 a.txt one|2|2b|three|four|five|six|seven|eight", "--- a/a.txt\n+++ b/a.txt\n@@ -1,5 +1,6 @@\n one\n-two\n+2\n+zwei\n three\n four\n five\n"},
		{"all of it back", first, "2d; s/2b/two/", "+2 a.txt one|2|2b|three|four|five|six|seven|eight", "Leave a.txt as it is."},
		{"a new file", "--- /dev/null\n+++ b/new/n.go\n@@ -0,0 +1,2 @@\n+package n\n+\n\n", "s/n$/m/", "+1 n.go package n|", "--- /dev/null\n+++ b/new/n.go\n@@ -0,0 +1,2 @@\n+package m\n+\n"},
		{"a line that goes", "--- a/same.txt\n+++ b/same.txt\n@@ -1,1 +0,0 @@\n-same\n", "s/x/y/", "+1 same.txt ", "--- a/same.txt\n+++ b/same.txt\n@@ -1,1 +0,0 @@\n-same\n"},
		{"another text", strings.Replace(first, "-two", "-zwo", 1), "", "", ""},
		{"a part", "--- a/a.txt\n+++ b/a.txt\n@@ -1,4 +1,5 @@\n one\n[… 3 lines left out …]\n", "", "", ""},
		{"two files", first + "--- a/same.txt\n+++ b/same.txt\n@@ -1 +1 @@\n-same\n+other\n", "", "", ""},
		{"a file that goes", "--- a/same.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-same\n", "", "", ""},
		{"a file that moves", "--- a/same.txt\n+++ b/other.txt\n@@ -1 +1 @@\n-same\n+other\n", "", "", ""},
		{"no change", "what it is", "", "", ""},
	} {
		t.Run(row.name, func(t *testing.T) {
			editor := "#!/bin/sh\n{ printf '%s %s ' \"$1\" \"${2##*/}\"; tr '\\n' '|' <\"$2\"; } >\"" + bin + "/opened\"\nsed -i '" + row.does + "' \"$2\"\n"
			if err := disktest.WriteProgram(bin+"/vi", []byte(editor), 0o755); err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(bin + "/opened")
			set := map[string]string{"EDITOR": bin + "/vi", "PATH": os.Getenv("PATH")}
			editing := workplace{parts: &app.App{World: cli.World{Getenv: func(name string) string { return set[name] }, Environ: os.Environ()}}}
			got, known, err := editing.EditChange(row.change, dir)
			if err != nil || got != row.want || known != (row.opened != "") {
				t.Errorf("%q, known %v, %v; want %q", got, known, err, row.want)
			}
			opened, _ := os.ReadFile(bin + "/opened")
			if got := strings.TrimRight(string(opened), "|"); got != strings.TrimRight(row.opened, "|") {
				t.Errorf("opened was %q, not %q", got, row.opened)
			}
		})
	}
}
