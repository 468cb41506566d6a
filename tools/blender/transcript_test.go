package blender

import (
	"encoding/json"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"marvin/persistence/goldentest"
	"marvin/tools"
)

// addOn is a simple Blender add-on. It replies to each kind of command as configured, and records
// each request: the arguments of a program and its first own line.
type addOn struct {
	mu      sync.Mutex
	answers map[string]string // "" hangs up, and so does what ends with CUT
	asked   []string
}

func (a *addOn) serve(connection net.Conn) {
	defer connection.Close()
	var command struct {
		Type   string
		Params map[string]any
	}
	if json.NewDecoder(connection).Decode(&command) != nil {
		return
	}
	a.mu.Lock()
	noted, _ := json.Marshal(command.Params)
	if code, ok := command.Params["code"].(string); ok {
		noted = []byte(programOf(code))
	}
	if path, ok := command.Params["filepath"].(string); ok && strings.Contains(a.answers[command.Type], "SAVED") {
		_ = os.WriteFile(path, []byte("PNG"), 0o600)
	}
	a.asked = append(a.asked, "asked "+command.Type+" "+string(noted))
	answer, cut := strings.CutSuffix(strings.ReplaceAll(a.answers[command.Type], "SAVED", ""), "CUT")
	a.mu.Unlock()
	_, _ = io.WriteString(connection, answer)
	if answer != "" && !cut {
		_, _ = connection.Read(make([]byte, 1)) // until the client closes the connection
	}
}

// programOf returns the part of a program that differs: its arguments and the number of the lines
// after them.
func programOf(code string) string {
	_, rest, ok := strings.Cut(code, "args = json.loads(")
	if !ok {
		return code
	}
	args, rest, _ := strings.Cut(rest, ")\n")
	return args + " and " + strings.ReplaceAll(strings.TrimSpace(rest), "\n", "⏎")[:40]
}

// TestBlenderTools covers scenes, objects, programs and pictures, all refusals and incomplete
// replies of Blender, and the inverses of changes.
func TestBlenderTools(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fake := &addOn{answers: map[string]string{}}
	var all sync.WaitGroup
	all.Go(func() {
		for {
			connection, err := listener.Accept()
			if err != nil {
				return
			}
			all.Go(func() { fake.serve(connection) })
		}
	})
	t.Cleanup(func() { _ = listener.Close(); all.Wait() })
	t.Setenv("TMPDIR", t.TempDir())
	env := at(listener.Addr().String())
	named := regexp.MustCompile(`marvin-blender-\w+`)
	goldentest.Transcript(t, "talk.txt", os.Getenv("UPDATE_GOLDEN") != "", func(name, args string) (string, error) {
		switch name {
		case "answer":
			kind, answer, _ := strings.Cut(args, " ")
			fake.answers[kind] = answer
			return "", nil
		case "long":
			fake.answers[args] = `{"status":"error","message":"` + strings.Repeat("x", 5<<10) + `"}`
			return "", nil
		case "huge":
			fake.answers[args] = `{"status":"success","result":"` + strings.Repeat("x", maxAnswer) + `"}`
			return "", nil
		}
		text, err := fake.call(t, env, name, args)
		fake.mu.Lock()
		defer fake.mu.Unlock()
		text = strings.Trim(strings.Join(append(fake.asked, text), "\n"), "\n")
		fake.asked = nil
		tell := func(text string) string {
			text = strings.ReplaceAll(strings.ReplaceAll(text, os.TempDir()+string(filepath.Separator), "TMP/"), listener.Addr().String(), "ADDRESS")
			if len(text) > 1500 {
				text = text[:100] + "…" + text[len(text)-100:]
			}
			return named.ReplaceAllString(text, "marvin-blender-NAME")
		}
		if err != nil {
			return tell(text), toldError(tell(err.Error()))
		}
		return tell(text), nil
	})
}

type toldError string

func (e toldError) Error() string { return string(e) }

func (a *addOn) call(t *testing.T, env tools.Env, name, args string) (string, error) {
	if name == "status" {
		return Status(t.Context(), env.Environ)
	}
	for _, tool := range Tools() {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode([]byte(args))
		if err != nil {
			return "", err
		}
		output, err := call.Run(t.Context(), env)
		if undo := output.Undo; undo != nil {
			output.Text += "\nback: " + undo.Lasts + undo.Tool + " " + string(undo.Args)
		}
		return output.Text, err
	}
	t.Fatalf("there is no tool %s", name)
	return "", nil
}
