package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
)

// rooms lists, for each room, the other rooms that it may import and the libraries that only it may
// import.
var rooms = []struct {
	room   string
	may    []string // our own rooms that it may import, other than itself
	reason string
}{
	{"messages", nil, "the vocabulary depends on nobody, or every room depends on everybody"},
	{"persistence", nil, "files outlive the program; their formats must not know it"},
	{"providers", []string{"messages"}, "a model client is plain blocking Go that a test can call"},
	{"tools", []string{"messages", "persistence"}, "a tool runs the same from an actor, the command line and a test"},
	{"ui", []string{"messages"}, "a front end sends ops and reads events and knows nothing else"},
	{"actors", []string{"messages", "persistence", "providers", "tools"}, "the living tree ties the rooms together without a screen"},
}

// homes names the only room that may import a library directly.
var homes = map[string]string{
	"github.com/asynkron/protoactor-go": "actors",
	"github.com/github/copilot-sdk":     "providers/copilot",
	"github.com/gdamore/tcell":          "ui/tui",
	"github.com/goccy/go-yaml":          "persistence",
	"github.com/jessevdk/go-flags":      "cmd",
	"github.com/modelcontextprotocol":   "tools/mcp",
	"github.com/nats-io":                "cmd/marvin/internal/fleet",
	"github.com/openai/openai-go":       "providers/openaichat",
	"github.com/ollama/ollama":          "providers/ollama",
	"os/exec":                           "tools/internal/proc",
}

// exceptions are direct imports outside the home, each with its reason.
var exceptions = map[string]string{
	"cmd/marvin/internal/editor/editor.go os/exec":      "the editor belongs to the person and needs the terminal; tools/internal/proc runs what must not have it",
	"cmd/marvin/internal/pictures/clipboard.go os/exec": "it asks programs of the desktop for the picture of the clipboard, outside the sandbox",
	"cmd/marvin/internal/live/spawn_unix.go os/exec":    "it starts Marvin itself, which holds a conversation and outlives the call; tools/internal/proc runs what a conversation starts",
	"cmd/marvin/internal/live/giveback_unix.go os/exec": "it starts Marvin itself while this process is stopped",
	"cmd/marvin/internal/cli/live/web_open.go os/exec":  "the browser is the user's and lives on; tools/internal/proc runs what ends with a call",
	"cmd/marvin/internal/cli/doctor/doctor.go os/exec":  "the doctor looks programs up and runs none",
	"providers/copilot/process.go os/exec":              "the Copilot CLI lives as long as the program; tools/internal/proc runs what ends with a call",

	"tools/mcp/mcptest/play.go os/exec":                      "it plays a server that starts what it should not",
	"cmd/marvin/internal/fleet/fleettest/server.go os/exec":  "it is for tests, which have a real server",
	"persistence/disktest/watch_linux.go os/exec":            "it is for tests, whose processes it watches",
	"persistence/internal/storetest/storetest.go os/exec":    "it is for tests, which start themselves as another process",
	"persistence/internal/storetest/mounts_linux.go os/exec": "it is for tests, which start themselves as another process",
}

func TestRoomsImportOnlyWhatTheyMay(t *testing.T) {
	for _, room := range rooms {
		out, err := exec.Command("go", "list", "-deps", "marvin/"+room.room+"/...").Output()
		if err != nil {
			t.Fatalf("go list marvin/%s: %v", room.room, err)
		}
		for _, dep := range strings.Fields(string(out)) {
			path, ours := strings.CutPrefix(dep, "marvin/")
			if !ours {
				continue
			}
			other, _, _ := strings.Cut(path, "/")
			if other != room.room && !slices.Contains(room.may, other) {
				t.Errorf("%s depends on %s, but %s", room.room, dep, room.reason)
			}
		}
	}
}

func TestLibrariesStayInTheirRoom(t *testing.T) {
	eachFile(t, func(path string, file *ast.File, _ *token.FileSet) {
		for _, spec := range file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			for library, home := range homes {
				if imported != library && !strings.HasPrefix(imported, library+"/") {
					continue
				}
				if !strings.HasPrefix(path, home+"/") && exceptions[path+" "+imported] == "" {
					t.Errorf("%s imports %s, which belongs to %s", path, imported, home)
				}
			}
		}
	})
}

// doors lists the files that may start goroutines in rooms in which a panic of a stray goroutine
// would kill the process and leave the terminal in raw mode.
var doors = map[string]string{
	"actors/internal/task/task.go":         "task.Do recovers and mails one outcome",
	"tools/internal/jail/errands_linux.go": "it serves one command, and recovers",
	"tools/external/conn.go":               "it reads the pipe of one agent, and recovers",
	"tools/internal/language/conn.go":      "it reads and writes the pipes of one server, and recovers",
}

func TestGoroutinesStartOnlyAtTheDoors(t *testing.T) {
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		room, _, _ := strings.Cut(path, "/")
		if room != "actors" && room != "tools" || doors[path] != "" || strings.HasPrefix(path, "tools/internal/proc/") {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if statement, ok := node.(*ast.GoStmt); ok {
				t.Errorf("%s: a go statement outside the doors", set.Position(statement.Pos()))
			}
			return true
		})
	})
}

// jailers lists the files that may ask the sandbox itself for a jail, each with its reason. All
// others ask [tools.Env], whose jails restrict the hosts of a program after the conversation has
// private text.
var jailers = map[string]string{
	"tools/permissions.go": "it holds the jail to hosts",
	"tools/grant.go":       "it asks whether there is a jail, and runs nothing in it",
}

func TestAJailComesFromTheEnvironmentOfACall(t *testing.T) {
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if jailers[path] != "" {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			call, ok := node.(*ast.CallExpr)
			if !ok {
				return true
			}
			if selector, ok := call.Fun.(*ast.SelectorExpr); ok && selector.Sel.Name == "Jail" {
				if from, ok := selector.X.(*ast.SelectorExpr); ok && from.Sel.Name == "Sandbox" {
					t.Errorf("%s: Sandbox.Jail; take Env.Jail or Env.JailAlways, which hold to hosts", set.Position(call.Pos()))
				}
			}
			return true
		})
	})
}

// streams lists the files that may name the descriptors of the program, each with its reason. All
// other code writes to the streams that it receives, whose text is cleaned for a terminal.
var streams = map[string]string{
	"cmd/marvin/main.go":                   "it makes them clean",
	"cmd/marvin/internal/editor/editor.go": "the editor is the person's program, and its terminal is too",
}

func TestOnlyCmdNamesTheDescriptors(t *testing.T) {
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if streams[path] != "" || strings.HasPrefix(path, "persistence/disktest/") || strings.HasPrefix(path, "persistence/internal/storetest/") || strings.HasPrefix(path, "tools/mcp/mcptest/") || strings.HasPrefix(path, "tools/language/languagetest/") {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			if selector, ok := node.(*ast.SelectorExpr); ok && (selector.Sel.Name == "Stdout" || selector.Sel.Name == "Stderr") {
				if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == "os" {
					t.Errorf("%s: os.%s; write to what World has, which is clean on a terminal", set.Position(selector.Pos()), selector.Sel.Name)
				}
			}
			return true
		})
	})
}

// world lists the functions that only cmd may use. All other code receives their results.
var world = map[string][]string{
	"os":       {"Getenv", "LookupEnv", "Environ", "UserHomeDir", "Getwd", "Chdir", "Exit"},
	"time":     {"Now", "Since", "Until"},
	"net/http": {"DefaultClient", "Get", "Post", "DefaultTransport"},
}

// worldly lists uses of the world outside cmd, each with its reason.
var worldly = map[string]string{
	"tools/internal/proc/guard.go os.Exit":                      "it is the main of the process that outlives Marvin by a moment",
	"tools/internal/proc/background.go time.Now":                "a deadline of the kernel's clock, not a time that is told",
	"tools/internal/proc/serve.go time.Now":                     "a deadline of the kernel's clock, not a time that is told",
	"tools/internal/jail/copies/snapshot.go time.Now":           "compared with the times that the system gives files",
	"tools/internal/jail/copies/copies.go time.Now":             "compared with the times that the system gives files",
	"tools/internal/jail/kept.go time.Now":                      "the time of files that the system made",
	"tools/internal/jail/kept.go time.Since":                    "the age of files that the system made",
	"tools/internal/jail/internal/gitwatch/modules.go time.Now": "compared with the times that the system gives files",
	"tools/internal/jail/internal/gitwatch/periods.go time.Now": "compared with the times that the system gives files",
	"tools/internal/jail/network_linux.go time.Now":             "a deadline of the kernel's clock, not a time that is told",
	"tools/internal/jail/internal/gitwatch/sight.go time.Now":   "compared with the times that the system gives files",
	"tools/internal/jail/internal/gitwatch/watch.go time.Now":   "compared with the times that the system gives files",
	"ui/door/door.go time.Now":                                  "a deadline of the kernel's clock, not a time that is told",
	"ui/door/client.go time.Now":                                "a deadline of the kernel's clock, not a time that is told",
	"ui/door/list.go time.Since":                                "the age of a socket that the system made",
	"providers/adapt/host.go http.DefaultTransport":             "what a client without a transport uses",
	"messages/origin/origin.go http.DefaultTransport":           "what a client without a transport uses",
	"tools/mcp/login.go http.DefaultTransport":                  "the server that the user configured, asked how one logs in",
}

func TestOnlyCmdReachesForTheWorld(t *testing.T) {
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if strings.HasPrefix(path, "cmd/") || strings.HasPrefix(path, "providers/modeltest/") || strings.HasPrefix(path, "providers/copilot/copilottest/") || strings.HasPrefix(path, "actors/actorstest/") || strings.HasPrefix(path, "tools/mcp/mcptest/") || strings.HasPrefix(path, "tools/language/languagetest/") || strings.HasPrefix(path, "persistence/disktest/") || strings.HasPrefix(path, "persistence/internal/storetest/") {
			return
		}
		names := map[string]string{}
		for _, spec := range file.Imports {
			imported := strings.Trim(spec.Path.Value, `"`)
			if _, ok := world[imported]; ok {
				names[imported[strings.LastIndexByte(imported, '/')+1:]] = imported
			}
		}
		ast.Inspect(file, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			pkg, ok := selector.X.(*ast.Ident)
			if !ok || !slices.Contains(world[names[pkg.Name]], selector.Sel.Name) {
				return true
			}
			use := pkg.Name + "." + selector.Sel.Name
			if worldly[path+" "+use] == "" {
				t.Errorf("%s: %s outside cmd; take it from the caller", set.Position(selector.Pos()), use)
			}
			return true
		})
	})
}

// TestEveryHTTPClientHasTheRuleOfOrigins checks that all HTTP clients come from package origin.
// Another client would follow a redirect with a key or with the user's words.
func TestEveryHTTPClientHasTheRuleOfOrigins(t *testing.T) {
	eachFile(t, func(path string, file *ast.File, set *token.FileSet) {
		if strings.HasPrefix(path, "messages/origin/") || slices.ContainsFunc([]string{"providers/modeltest/", "providers/copilot/copilottest/", "actors/actorstest/", "tools/mcp/mcptest/", "tools/internal/toolstest/"}, func(room string) bool { return strings.HasPrefix(path, room) }) {
			return
		}
		ast.Inspect(file, func(node ast.Node) bool {
			var made ast.Expr
			switch node := node.(type) {
			case *ast.CompositeLit:
				made = node.Type
			case *ast.ValueSpec:
				made = node.Type
			case *ast.CallExpr:
				if name, ok := node.Fun.(*ast.Ident); ok && name.Name == "new" && len(node.Args) == 1 {
					made = node.Args[0]
				}
			case *ast.SelectorExpr:
				pkg, _ := node.X.(*ast.Ident)
				ready := []string{"DefaultClient", "Get", "Head", "Post", "PostForm"}
				if node.Sel.Name == "CheckRedirect" || pkg != nil && pkg.Name == "http" && slices.Contains(ready, node.Sel.Name) {
					t.Errorf("%s: %s; origin alone decides where a redirect may lead", set.Position(node.Pos()), node.Sel.Name)
				}
			}
			if selector, ok := made.(*ast.SelectorExpr); ok && selector.Sel.Name == "Client" {
				if pkg, ok := selector.X.(*ast.Ident); ok && pkg.Name == "http" {
					t.Errorf("%s: an http.Client of its own; take it from origin", set.Position(node.Pos()))
				}
			}
			return true
		})
	})
}

// parsed is a Go file of the program.
type parsed struct {
	path string
	file *ast.File
}

var parsedSet = token.NewFileSet()

// parseAll parses every Go file of the program except tests. It does so once, because a dozen tests
// need the files.
var parseAll = sync.OnceValues(func() (all []parsed, err error) {
	root := filepath.Join("..", "..")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && (entry.Name() == "testdata" || strings.HasPrefix(entry.Name(), ".") && entry.Name() != ".." && entry.Name() != ".") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		file, err := parser.ParseFile(parsedSet, path, nil, parser.SkipObjectResolution|parser.ParseComments)
		all = append(all, parsed{filepath.ToSlash(strings.TrimPrefix(path, root+string(filepath.Separator))), file})
		return err
	})
	return all, err
})

// eachFile visits every Go file of the program except tests.
func eachFile(t *testing.T, visit func(path string, file *ast.File, set *token.FileSet)) {
	t.Helper()
	all, err := parseAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 50 {
		t.Fatalf("only %d files seen: the walk is broken", len(all))
	}
	for _, one := range all {
		visit(one.path, one.file, parsedSet)
	}
}

func TestEveryPackageSaysWhatItIsFor(t *testing.T) {
	documented, dirs := map[string]bool{}, map[string]bool{}
	eachFile(t, func(path string, file *ast.File, _ *token.FileSet) {
		dir := filepath.Dir(path)
		dirs[dir] = true
		if file.Doc != nil && len(file.Doc.Text()) > 20 {
			documented[dir] = true
		}
	})
	for dir := range dirs {
		if !documented[dir] {
			t.Errorf("%s has no package comment", dir)
		}
	}
}
