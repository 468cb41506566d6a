package language

import (
	"path/filepath"
	"strings"
	"testing"
)

// known are projects in which main uses a definition in lib.
var known = map[string]struct {
	files     map[string]string
	lib, main string
	line      int // of the definition in lib
	name      string
}{
	"gopls": {
		map[string]string{"go.mod": "module known\n\ngo 1.24\n", "lib/lib.go": "package lib\n\nfunc Twice(n int) int { return 2 * n }\n", "main.go": "package main\n\nimport \"known/lib\"\n\nfunc main() { println(lib.Twice(2)) }\n"},
		"lib/lib.go", "main.go", 3, "Twice",
	},
	"typescript": {
		map[string]string{"tsconfig.json": `{"compilerOptions":{"strict":true},"include":["*.ts"]}`, "lib.ts": "export function twice(n: number): number { return 2 * n }\n", "main.ts": "import { twice } from './lib'\nconsole.log(twice(2))\n"},
		"lib.ts", "main.ts", 1, "twice",
	},
	"pyright": {
		map[string]string{"pyrightconfig.json": `{}`, "lib.py": "def twice(n: int) -> int:\n    return 2 * n\n", "main.py": "from lib import twice\n\nprint(twice(2))\n"},
		"lib.py", "main.py", 1, "twice",
	},
}

// The first request to a new server covers the whole project, not only opened files: a rename that
// misses some files would break them.
func TestRealServersRenameInUnopenedFiles(t *testing.T) {
	for name, one := range known {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, root := real(t, name, one.files)
			at := Place{Path: filepath.Join(root, one.lib), Line: one.line, Name: one.name}
			changes, err := s.Rename(limited(t, patience), at, "Doubled")
			if err != nil || len(changes) != 2 || strings.Contains(changes[0].After+changes[1].After, one.name) {
				t.Errorf("renamed: %+v, %v", changes, err)
			}
			if used, err := s.References(limited(t, patience), at); err != nil || len(used) < 2 || used[0].Path == used[len(used)-1].Path {
				t.Errorf("used at %+v, %v", used, err)
			}
		})
	}
}
