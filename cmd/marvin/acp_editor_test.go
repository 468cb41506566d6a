package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/google/jsonschema-go/jsonschema"

	"marvin/messages"
	"marvin/providers/modeltest"
)

// editorProgram is a client of marvin acp: a real process with real pipes. Each line that it reads is
// checked against the schema of the protocol.
type editorProgram struct {
	t       *testing.T
	command *exec.Cmd
	in      io.WriteCloser
	out     *bufio.Reader
	stderr  bytes.Buffer
	dir     string
	id      int
	asked   map[int]string // the methods of requests, by their IDs
	updates []frame
	// answer answers requests of Marvin. If it is nil, they stay open.
	answer func(frame) any
}

// frame is a line of the output.
type frame struct {
	ID     *int
	Method string
	Params json.RawMessage
	Result json.RawMessage
	Error  *struct {
		Code    int
		Message string
	}
	Line string
}

// update is the update of a session/update.
func (f frame) update() (u struct {
	SessionUpdate, ToolCallID, Kind, Status, Title, CurrentModeID string
	Content                                                       json.RawMessage
	Locations                                                     []struct{ Path string }
	Entries                                                       []struct{ Content, Status string }
},
) {
	var params struct{ Update json.RawMessage }
	_ = json.Unmarshal(f.Params, &params)
	_ = json.Unmarshal(params.Update, &u)
	return u
}

// inEditor starts Marvin as the agent of an editor, with this model.
func inEditor(t *testing.T, answer func(modeltest.Request) modeltest.Step, args ...string) *editorProgram {
	t.Helper()
	command := process(t, answer)
	command.Args = append([]string{"marvin", "acp", "--provider", "openai-compat"}, args...)
	return inEditorBy(t, command)
}

func inEditorBy(t *testing.T, command *exec.Cmd) *editorProgram {
	t.Helper()
	e := &editorProgram{t: t, command: command, dir: t.TempDir(), asked: map[int]string{}}
	command.Stderr = &e.stderr
	var err error
	if e.in, err = command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	stdout, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	e.out = bufio.NewReader(stdout)
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	hanging := time.AfterFunc(patience, func() { command.Process.Signal(syscall.SIGQUIT) })
	t.Cleanup(func() {
		hanging.Stop()
		command.Process.Kill()
		command.Wait()
	})
	return e
}

// begin sends initialize with the abilities of the editor, and opens a session.
func (e *editorProgram) begin(can string) (session string) {
	e.t.Helper()
	e.call("initialize", `{"protocolVersion":1,"clientCapabilities":`+can+`}`)
	return e.open("session/new", `{"cwd":%q,"mcpServers":[]}`, e.dir)
}

func (e *editorProgram) open(method, params string, values ...any) (session string) {
	e.t.Helper()
	var opened struct{ SessionID string }
	if err := json.Unmarshal(e.call(method, fmt.Sprintf(params, values...)).Result, &opened); err != nil {
		e.t.Fatal(err)
	}
	return opened.SessionID
}

func (e *editorProgram) write(line string) {
	e.t.Helper()
	if _, err := io.WriteString(e.in, line+"\n"); err != nil {
		e.t.Fatalf("%v; stderr:\n%s", err, e.stderr.String())
	}
}

// send asks and does not wait.
func (e *editorProgram) send(method, params string) (id int) {
	e.t.Helper()
	e.id++
	e.asked[e.id] = method
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, e.id, method, params))
	return e.id
}

func (e *editorProgram) notify(method, params string) {
	e.t.Helper()
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","method":%q,"params":%s}`, method, params))
}

// prompt sends words, and does not wait.
func (e *editorProgram) prompt(session, text string) (id int) {
	e.t.Helper()
	return e.send("session/prompt", fmt.Sprintf(`{"sessionId":%q,"prompt":[{"type":"text","text":%q}]}`, session, text))
}

// call asks and reads to the answer.
func (e *editorProgram) call(method, params string) frame {
	e.t.Helper()
	return e.until(e.send(method, params))
}

// until reads to the answer with an ID.
func (e *editorProgram) until(id int) frame {
	e.t.Helper()
	for {
		got := e.next()
		if got.Method == "" && got.ID != nil && *got.ID == id {
			if got.Error != nil {
				e.t.Fatalf("%s: %s", e.asked[id], got.Line)
			}
			return got
		}
	}
}

// request reads to a request of Marvin's.
func (e *editorProgram) request(method string) frame {
	e.t.Helper()
	for {
		if got := e.next(); got.Method == method && got.ID != nil {
			return got
		}
	}
}

// next reads a line, checks it, and answers it if it is a request.
func (e *editorProgram) next() (got frame) {
	e.t.Helper()
	line, err := e.out.ReadString('\n')
	if err != nil {
		e.t.Fatalf("%v behind %q; stderr:\n%s", err, line, e.stderr.String())
	}
	if err := json.Unmarshal([]byte(line), &got); err != nil {
		e.t.Fatalf("%v: %s", err, line)
	}
	got.Line = line
	e.check(got)
	if got.Method == "session/update" {
		e.updates = append(e.updates, got)
	}
	if got.Method != "" && got.ID != nil && e.answer != nil {
		e.reply(*got.ID, e.answer(got))
	}
	return got
}

func (e *editorProgram) reply(id int, result any) {
	e.t.Helper()
	encoded, err := json.Marshal(result)
	if err != nil {
		e.t.Fatal(err)
	}
	e.write(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":%s}`, id, encoded))
}

// said is all of the answers so far.
func (e *editorProgram) said() string {
	var text strings.Builder
	for _, one := range e.updates {
		if update := one.update(); update.SessionUpdate == "agent_message_chunk" {
			var block struct{ Text string }
			_ = json.Unmarshal(update.Content, &block)
			text.WriteString(block.Text)
		}
	}
	return text.String()
}

// stop is why a prompt ended.
func stop(f frame) string {
	var ended struct{ StopReason string }
	_ = json.Unmarshal(f.Result, &ended)
	return ended.StopReason
}

// check holds a line against the schema.
func (e *editorProgram) check(got frame) {
	e.t.Helper()
	name, value := "", got.Params
	switch {
	case got.Method != "":
		name = acpSchemas(e.t).asked[got.Method]
	case got.Error != nil:
		var whole struct{ Error json.RawMessage }
		_ = json.Unmarshal([]byte(got.Line), &whole)
		name, value = "Error", whole.Error
	case got.ID != nil:
		name, value = acpSchemas(e.t).answered[e.asked[*got.ID]], got.Result
	}
	if name == "" {
		e.t.Fatalf("the protocol has no such message: %s", got.Line)
	}
	if err := acpSchemas(e.t).holds(name, value); err != nil {
		e.t.Errorf("not as %s of the schema says: %v\n%s", name, err, got.Line)
	}
}

// acpSchema holds the definitions of the protocol.
type acpSchema struct {
	whole           jsonschema.Schema
	asked, answered map[string]string // the definition of the params and of the result, by method
	mu              sync.Mutex
	ready           map[string]*jsonschema.Resolved
}

var readSchemas = sync.OnceValues(func() (*acpSchema, error) {
	text, err := os.ReadFile(filepath.Join("testdata", "acp", "schema.json"))
	if err != nil {
		return nil, err
	}
	var methods struct {
		Defs map[string]struct {
			Method string `json:"x-method"`
		} `json:"$defs"`
	}
	schema := &acpSchema{asked: map[string]string{}, answered: map[string]string{}, ready: map[string]*jsonschema.Resolved{}}
	if err := json.Unmarshal(text, &methods); err != nil {
		return nil, err
	}
	for name, def := range methods.Defs {
		if strings.HasSuffix(name, "Response") {
			schema.answered[def.Method] = name
		} else if def.Method != "" {
			schema.asked[def.Method] = name
		}
	}
	return schema, json.Unmarshal(text, &schema.whole)
})

func acpSchemas(t *testing.T) *acpSchema {
	t.Helper()
	schema, err := readSchemas()
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func (s *acpSchema) holds(name string, value json.RawMessage) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	resolved := s.ready[name]
	if resolved == nil {
		var err error
		root := jsonschema.Schema{Schema: s.whole.Schema, Defs: s.whole.CloneSchemas().Defs, Ref: "#/$defs/" + name}
		if resolved, err = root.Resolve(nil); err != nil {
			return err
		}
		s.ready[name] = resolved
	}
	var decoded any
	if err := json.Unmarshal(value, &decoded); err != nil {
		return err
	}
	return resolved.Validate(decoded)
}

// doing is a model that obeys the prompt: for "TOOL ARGUMENTS" it calls a tool, and any other text
// it repeats. It answers with the result of the call.
func doing(request modeltest.Request) modeltest.Step {
	last := request.Last()
	if last.Role == messages.Tool {
		return modeltest.Text("result: ", last.Result.Text)
	}
	name, args, found := strings.Cut(last.Text, " {")
	if !found {
		return modeltest.Text("You said: ", last.Text)
	}
	var values map[string]any
	if err := json.Unmarshal([]byte("{"+args), &values); err != nil {
		return modeltest.Text("You said: ", last.Text)
	}
	return modeltest.Calls(modeltest.Call{Name: name, Args: values})
}

// choosing answers each permission request with the option whose ID begins with a word.
func choosing(word string) func(frame) any {
	return func(asked frame) any {
		var params struct {
			Options []struct{ OptionID string }
		}
		_ = json.Unmarshal(asked.Params, &params)
		for _, option := range params.Options {
			if strings.HasPrefix(option.OptionID, word) {
				return map[string]any{"outcome": map[string]string{"outcome": "selected", "optionId": option.OptionID}}
			}
		}
		return map[string]any{"outcome": map[string]string{"outcome": "cancelled"}}
	}
}
