package mcp

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/settings"
	"marvin/tools"
)

func TestACallUnderWhichTheConnectionIsLost(t *testing.T) {
	for _, one := range []struct {
		what  string
		reads []string
		once  bool // the server dies only once
		want  string
		begun int // number of starts of the server
	}{
		{"it reads", []string{"*"}, true, "said: die", 2},
		{"it reads, and the server dies each time", []string{"*"}, false, "effect of the call is unknown", 2},
		{"it may change something", nil, true, "The effect of the call is unknown, so check before you repeat it. The next call starts the server again.", 1},
	} {
		dir := t.TempDir()
		server := played("well")
		server.Reads = one.reads
		if one.once {
			server.Env["ONCE_FILE"] = filepath.Join(dir, "died")
		}
		begins := filepath.Join(dir, "begins")
		program := filepath.Join(dir, "server")
		script := "#!/bin/sh\necho x >> " + begins + "\nexec " + os.Args[0] + "\n"
		if err := disktest.WriteProgram(program, []byte(script), 0o755); err != nil {
			t.Fatal(err)
		}
		server.Command = []string{program}
		home := persistence.Open(filepath.Join(dir, "home"), time.Now)
		on := ground(t)
		direct := &Direct{Servers: map[string]settings.Server{"office": server}, Home: home, Ground: on}
		defer direct.Close()
		manifest := Manifest{Tools: []Tool{{Name: "run_command", Schema: json.RawMessage(`{"type":"object","properties":{"text":{"type":"string"}}}`)}}}
		manifest.Pin()
		source, problems := NewSource("office", server, manifest, direct)
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		call, err := source.Tools[0].Decode(json.RawMessage(`{"text":"die"}`))
		if err != nil {
			t.Fatal(err)
		}
		output, err := call.Run(t.Context(), tools.Env{Now: time.Now, Progress: func(string) {}})
		said := output.Text
		if err != nil {
			said += err.Error()
		}
		if !strings.Contains(said, one.want) || errors.Is(err, ErrLost) != strings.Contains(one.want, "unknown") {
			t.Errorf("%s: %q, %v", one.what, output.Text, err)
		}
		if text, err := os.ReadFile(begins); err != nil || strings.Count(string(text), "x") != one.begun {
			t.Errorf("%s: it was started %d times, %v", one.what, strings.Count(string(text), "x"), err)
		}
		if again, err := call.Tool.Decode(json.RawMessage(`{"text":"hello"}`)); err != nil {
			t.Error(err)
		} else if output, err := again.Run(t.Context(), tools.Env{Now: time.Now, Progress: func(string) {}}); err != nil || !strings.Contains(output.Text, "said: hello") {
			t.Errorf("%s: the next call says %q, %v", one.what, output.Text, err)
		}
	}
	direct := &Direct{Home: persistence.Open(t.TempDir(), time.Now)}
	if _, err := direct.Session(t.Context(), "none", nil); !errors.Is(err, ErrUnknown) || err.Error() != "there is no such server: none; \"marvin mcp list\" shows the servers" {
		t.Errorf("%v", err)
	}
	c := caller{server: "none", sessions: direct, approved: true}
	if _, err := c.run(t.Context(), tools.Env{}, nil); !errors.Is(err, ErrUnknown) || !strings.HasSuffix(err.Error(), "Do without this tool. Tell the user: \"marvin mcp test none\" shows what is wrong, and \"marvin mcp log none\" prints the server's output.") {
		t.Errorf("%v", err)
	}
}
