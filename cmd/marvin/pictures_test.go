package main

import (
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/persistence"
	"marvin/persistence/disktest"
)

// The picture of the clipboard comes from the program that has one, goes into a file that its
// person alone reads, and files of weeks ago go.
func TestIssue19TheClipboardsPictureIsPasted(t *testing.T) {
	home, bin := t.TempDir(), t.TempDir()
	dot, err := base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"wl-paste": "#!/bin/sh\necho 'no selection' >&2; exit 1\n", "xclip": "#!/bin/sh\n[ \"$4\" = image/png ] && cat " + bin + "/dot\n", "dot": string(dot),
	} {
		if err := disktest.WriteProgram(filepath.Join(bin, name), []byte(content), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	world := World{Home: home, Now: time.Now, Environ: []string{"PATH=" + bin + ":" + os.Getenv("PATH"), "DISPLAY=:1", "WAYLAND_DISPLAY=w"}, Getenv: func(name string) string {
		return map[string]string{"DISPLAY": ":1", "WAYLAND_DISPLAY": "w"}[name]
	}}
	p := showing{&parts{world: world, config: actors.Config{Home: persistence.Open(home, time.Now)}}}
	path, label, err := p.paste(t.Context())
	if err != nil || !strings.HasPrefix(label, "[picture 1: pasted-") || !strings.HasSuffix(label, ".gif 1x1]") {
		t.Fatalf("%q, %q, %v", path, label, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 || info.Size() != int64(len(dot)) {
		t.Errorf("%v, %v", info, err)
	}
	old := time.Now().Add(-2 * pastedAge)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.paste(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); !os.IsNotExist(err) {
		t.Errorf("the old one stays: %v", err)
	}
	if err := disktest.WriteProgram(filepath.Join(bin, "xclip"), []byte("#!/bin/sh\nexit 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, _, err := p.paste(t.Context()); err == nil || err.Error() != "there is no picture on the clipboard; copy one, or name its file in the prompt" {
		t.Errorf("without one: %v", err)
	}
}
