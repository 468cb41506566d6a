package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"marvin/persistence/disktest"
	"marvin/providers/modeltest"
	"marvin/tools/language/languagetest"
	"marvin/tools/mcp/mcptest"
)

// The scripts see the binary from outside: bytes on stdout, the last line of stderr,
// exit codes, files left behind. In them
//
//	model text 'a' 'b'            queues an answer in two chunks
//	model calls tree '{}' …       queues a round of calls
//	model status 429 'body'       queues an error
//	model cut 'half'              queues an answer that breaks off
//	sent N 'text'                 checks that request N to the model held the text, 'picture image/png' one of that type, 'body text' anything in its bytes
//	offered N tool                checks that request N offered the tool
func TestMain(m *testing.M) {
	disktest.Main()
	if filepath.Base(os.Args[0]) != "marvin" { // as which the tests run it
		flag.Parse()
		time.Local = time.UTC                                  // times are printed in UTC on every machine
		debug.SetGCPercent(400)                                // memory is there, time is not
		if err := os.Setenv("LC_ALL", "C.UTF-8"); err != nil { // in the locale C Marvin draws with ASCII alone
			panic(err)
		}
		// Most tests here wait for processes. With one test per core at a time they would take 170
		// s.
		if err := flag.Set("test.parallel", "6"); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){"marvin": main, "mcp-server": mcptest.Main, "lsp-server": languagetest.Main})
}

func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 filepath.Join("testdata", "script"),
		RequireExplicitExec: true,
		UpdateScripts:       os.Getenv("UPDATE_GOLDEN") == "1",
		Setup:               setUpScript,
		Condition:           scriptCondition,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"model": queueStep, "sent": checkSent, "offered": checkOffered},
	})
}

// scriptCondition adds a condition for scripts: [sandbox], which is true if the system has a
// sandbox.
func scriptCondition(name string) (bool, error) {
	if name != "sandbox" {
		return false, fmt.Errorf("there is no condition %s", name)
	}
	return sandboxHere() == "MARVIN_SANDBOX=", nil
}

// scripted is the model server of one script.
type scripted struct {
	mu    sync.Mutex
	steps []modeltest.Step
	*modeltest.Server
}

type scriptedKey struct{}

func setUpScript(env *testscript.Env) error {
	model := &scripted{}
	model.Server = modeltest.New(func(modeltest.Request) modeltest.Step {
		model.mu.Lock()
		defer model.mu.Unlock()
		if len(model.steps) == 0 {
			return modeltest.Status(500, `{"error":{"message":"the script queued no more answers"}}`)
		}
		step := model.steps[0]
		model.steps = model.steps[1:]
		return step
	})
	listening := httptest.NewServer(model)
	env.Defer(listening.Close)
	env.Values[scriptedKey{}] = model
	home := filepath.Join(env.WorkDir, "home")
	if err := os.Mkdir(home, 0o755); err != nil {
		return err
	}
	env.Setenv("HOME", home)
	env.Setenv("MARVIN_SANDBOX", strings.TrimPrefix(sandboxHere(), "MARVIN_SANDBOX="))
	env.Setenv("MODEL", listening.URL)
	env.Setenv("OPENAI_COMPAT_URL", listening.URL+"/v1/chat/completions")
	env.Setenv("OPENAI_COMPAT_API_KEY", "script-key")
	env.Setenv("OPENAI_COMPAT_MODEL", "test-model")
	env.Setenv("OLLAMA_URL", listening.URL)
	env.Setenv("LLM_PROVIDER", "openai-compat")
	env.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	return nil
}

func queueStep(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) == 0 {
		ts.Fatalf("usage: model text|calls|status|cut …")
	}
	model := ts.Value(scriptedKey{}).(*scripted)
	step, err := scriptStep(args[0], args[1:])
	ts.Check(err)
	model.mu.Lock()
	defer model.mu.Unlock()
	model.steps = append(model.steps, step)
}

func scriptStep(kind string, args []string) (modeltest.Step, error) {
	switch kind {
	case "text":
		for i := range args {
			args[i] = strings.ReplaceAll(args[i], `\n`, "\n")
		}
		return modeltest.Text(args...), nil
	case "cut":
		return modeltest.Text(args...).Append(modeltest.End()), nil
	case "think":
		return modeltest.Think(args[0]).Append(modeltest.Text(args[1:]...)), nil
	case "calls", "textcalls":
		var step modeltest.Step
		if kind == "textcalls" {
			step, args = modeltest.Text(args[0]), args[1:]
		}
		var calls []modeltest.Call
		for i := 0; i+1 < len(args); i += 2 {
			calls = append(calls, modeltest.Call{Name: args[i], Args: json.RawMessage(args[i+1])})
		}
		return step.Append(modeltest.Calls(calls...)), nil
	case "status":
		code, err := strconv.Atoi(args[0])
		return modeltest.Status(code, args[1], args[2:]...), err
	}
	return modeltest.Step{}, fmt.Errorf("no answer of kind %q", kind)
}

func checkSent(ts *testscript.TestScript, neg bool, args []string) {
	requests := ts.Value(scriptedKey{}).(*scripted).Requests()
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	if n > len(requests) {
		ts.Fatalf("only %d requests were sent", len(requests))
	}
	raw, whole := strings.CutPrefix(args[1], "body ")
	held := whole && strings.Contains(string(requests[n-1].Raw), raw)
	for _, message := range requests[n-1].Messages {
		held = held || strings.Contains(message.Text, args[1]) || strings.Contains(message.Result.Text, args[1])
		for _, picture := range message.Pictures {
			held = held || args[1] == "picture "+picture.Type
		}
	}
	if held == neg {
		ts.Fatalf("request %d: %q found: %v", n, args[1], held)
	}
}

func checkOffered(ts *testscript.TestScript, neg bool, args []string) {
	requests := ts.Value(scriptedKey{}).(*scripted).Requests()
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	if n > len(requests) {
		ts.Fatalf("only %d requests were sent", len(requests))
	}
	offered := slices.ContainsFunc(requests[n-1].Tools, func(tool modeltest.Tool) bool { return tool.Name == args[1] })
	if offered == neg {
		ts.Fatalf("request %d: %s offered: %v", n, args[1], offered)
	}
}
