package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
)

func TestWorkingDirectory(t *testing.T) {
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
		{"~/none", "", "TOP/home", "! --working-dir: TOP/home/none does not exist; create it with mkdir, or name another"},
		{"TOP/file", "", "TOP/home", "! --working-dir: TOP/file is a file, not a directory"},
		{"TOP/file/x", "", "TOP/home", "! --working-dir: stat TOP/file/x: not a directory"},
		{"~", "", "", "! --working-dir: CWD/~ does not exist; create it with mkdir, or name another"},
		{"~sub", "", "TOP/home", "! --working-dir: CWD/~sub does not exist; create it with mkdir, or name another"},
	} {
		here, err := os.Getwd()
		if err != nil {
			t.Fatal(err)
		}
		whole := func(text string) string {
			return strings.NewReplacer("TOP", top, "CWD", here).Replace(text)
		}
		opts := cli.Options{WorkingDir: whole(row[0]), Left: cli.SessionState{Start: whole(row[1])}}
		if got := clitest.ValueOrError(cli.WorkingDir(clitest.NewWorld(whole(row[2]), filepath.Join(top, "started")), opts)); got != whole(row[3]) {
			t.Errorf("%q: %s", row, got)
		}
	}
}
