package language

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"marvin/tools/internal/toolstest"
)

// known is a project with a known error, and the expected results of a server and a checker.
type known struct {
	server    string
	files     map[string]string
	lib, main string // lib defines Thrice, main uses it
	at, use   int    // lines of the definition and of the use
	check     string // command that checks the project
	wrong     string // expected text of the error
	line      int    // line of the error in main
	fix       string // an action for that line, "" where the server offers none
	fixed     string // the resulting line in main
}

var knownProjects = map[string]known{
	"go": {
		server: "gopls", lib: "lib/lib.go", main: "main.go", at: 4, use: 9,
		files: map[string]string{
			"go.mod": "module known\n\ngo 1.24\n", "lib/lib.go": "package lib\n\n// Thrice is three times.\nfunc Thrice(n int) int { return 3 * n }\n",
			"main.go": "package main\n\nimport (\n\t\"os\"\n\n\t\"known/lib\"\n)\n\nfunc main() { println(lib.Thrice(2)) }\n",
		},
		check: "go vet ./...", wrong: `"os" imported and not used`, line: 4, fix: "Organize Imports", fixed: "import (\n\t\"known/lib\"\n)",
	},
	"typescript": {
		server: "typescript-language-server", lib: "lib.ts", main: "main.ts", at: 1, use: 2,
		files: map[string]string{
			"tsconfig.json": `{"compilerOptions":{"strict":true,"noEmit":true},"include":["*.ts"]}`, "lib.ts": "export function Thrice(n: number): number { return 3 * n }\n",
			"main.ts": "import { Thrice } from './lib'\nconst x: number = Thrice(2)\nfunction later() { await Promise.resolve(x) }\nlater()\n",
		},
		check: "tsc --noEmit", wrong: "main.ts(3,", line: 3, fix: "Add async modifier to containing function", fixed: "async function later()",
	},
	"python": {
		server: "pyright-langserver", lib: "lib.py", main: "main.py", at: 1, use: 2,
		files: map[string]string{
			"pyrightconfig.json": `{}`, "lib.py": "def Thrice(n: int) -> int:\n    return 3 * n\n",
			"main.py": "from lib import Thrice\nprint(Thrice(2))\nprint(Thrice(\"two\"))\n",
		},
		check: "pyright", wrong: "reportArgumentType", line: 3,
	},
}

// The test runs each tool with three real servers, on files that the server has not seen before.
// The preview of a rename writes nothing, and an applied rename changes all files.
func TestEachToolWithRealServers(t *testing.T) {
	for name, one := range knownProjects {
		if testing.Short() && one.server != "gopls" {
			continue // tools/internal/language tests each server
		}
		t.Run(name, func(t *testing.T) {
			env, _ := projectFor(t, one.server, one.files)
			call := func(tool, args string, want ...string) {
				t.Helper()
				text, err := toolstest.Call(t, Tools(), env, tool, args)
				if err != nil {
					t.Fatalf("%s %s: %v", tool, args, err)
				}
				toolstest.CheckParts(t, text, want...)
			}
			holds := func(want string) {
				t.Helper()
				if content, err := os.ReadFile(filepath.Join(env.Dir, one.main)); err != nil || !strings.Contains(string(content), want) {
					t.Errorf("%s holds %q, %v", one.main, content, err)
				}
			}
			inLib := fmt.Sprintf(`{"path":%q,"line":%d,"name":"Thrice"`, one.lib, one.at)
			call("code_references", inLib+`}`, fmt.Sprintf("%s:%d: ", one.lib, one.at), fmt.Sprintf("%s:%d: ", one.main, one.use))
			call("code_definition", fmt.Sprintf(`{"path":%q,"line":%d,"name":"Thrice"}`, one.main, one.use), fmt.Sprintf("%s:%d: ", one.lib, one.at))
			call("code_symbols", fmt.Sprintf(`{"path":%q}`, one.lib), "function Thrice")
			call("code_rename", inLib+`,"to":"Doubled"}`, "This would change 2 files. Nothing has been written yet")
			holds("Thrice(2)")
			call("code_rename", inLib+`,"to":"Doubled","apply":true}`, "Changed 2 files")
			holds("Doubled(2)")
			if _, err := exec.LookPath(strings.Fields(one.check)[0]); err == nil { // a server may come without its compiler
				call("code_check", `{}`, "$ ", one.check, one.wrong, "[exit code: ")
			}
			if one.fix == "" {
				return
			}
			action := fmt.Sprintf(`{"path":%q,"line":%d`, one.main, one.line)
			call("code_actions", action+`}`, one.fix)
			call("code_actions", action+fmt.Sprintf(`,"take":%q}`, one.fix), "Nothing has been written yet")
			call("code_actions", action+fmt.Sprintf(`,"take":%q,"apply":true}`, one.fix), "Changed 1 file")
			holds(one.fixed)
		})
	}
}
