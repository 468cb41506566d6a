package customtools

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/persistence/internal/storetest"
)

func TestFoldersOfToolsAreRead(t *testing.T) {
	dir := t.TempDir()
	const manifest = "description: Counts.\nparameters: {type: object}\neffect: read\ncommand: [./run]\n"
	for _, name := range []string{"count_a", "count_b"} {
		storetest.Must(t, Make(filepath.Join(dir, name), map[string]string{"tool.yaml": manifest, "run": "#!/bin/sh\n"}, "run"))
	}
	storetest.Must(t, Make(filepath.Join(dir, "broken"), map[string]string{"tool.yaml": "effect: [", "run": "#!/bin/sh\n"}, "run"))
	storetest.Must(t, Make(filepath.Join(dir, ".hidden"), map[string]string{"tool.yaml": "effect: ["}, ""))
	storetest.Must(t, os.WriteFile(filepath.Join(dir, "notes.txt"), nil, 0o600))
	list, problems := List(dir)
	var names []string
	for _, one := range list {
		names = append(names, filepath.Base(one.Dir))
	}
	if strings.Join(names, " ") != "count_a count_b" || len(problems) != 1 || !strings.Contains(problems[0].Error(), "broken") {
		t.Errorf("%q, %v", names, problems)
	}
	for _, none := range []string{"", filepath.Join(dir, "missing")} {
		if list, problems := List(none); len(list) > 0 || len(problems) > 0 {
			t.Errorf("%q: %v, %v", none, list, problems)
		}
	}
	if list, problems := List(filepath.Join(dir, "notes.txt")); len(list) > 0 || len(problems) != 1 {
		t.Errorf("a file: %v, %v", list, problems)
	}
}
