package editor

import "testing"

func TestEditorLineArgument(t *testing.T) {
	for command, want := range map[string][2]string{
		"vim": {"+7", "/a.go"}, "/usr/bin/nano -w": {"+7", "/a.go"}, "hx": {"", "/a.go:7"}, "code --wait": {"--goto", "/a.go:7"}, "mine": {"", "/a.go"}, "": {"", "/a.go"},
	} {
		if before, file := lineArgument(command, "/a.go", 7); before != want[0] || file != want[1] {
			t.Errorf("%q: %q %q", command, before, file)
		}
	}
	if before, file := lineArgument("vim", "/a.go", 0); before != "" || file != "/a.go" {
		t.Errorf("without a line: %q %q", before, file)
	}
}
