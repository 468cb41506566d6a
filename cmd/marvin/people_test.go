package main

import (
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	clitool "marvin/cmd/marvin/internal/cli/tool"
	"marvin/cmd/marvin/internal/host"
	"marvin/ui/slash"
)

func TestExamplesAreWhole(t *testing.T) {
	broken := regexp.MustCompile(`\b(the|a|an) (on|with|in|from|of|for|about|to|and|[A-Z]\w+$)\b|  |[{}|]`)
	names := regexp.MustCompile(`\bthe (Cube|Go site)\b`)
	for _, tool := range registry(t).All() {
		for _, example := range tool.Examples {
			if said := names.ReplaceAllString(clitool.PlainExample(example), "it"); broken.MatchString(said) && !strings.Contains(said, "Overpass") {
				t.Errorf("%s: nobody would type %q", tool.Name, said)
			}
		}
	}
}

func TestBlenderHasAStatus(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		connection, err := listener.Accept()
		if err != nil {
			return
		}
		defer connection.Close()
		var asked any
		_ = json.NewDecoder(connection).Decode(&asked)
		_, _ = connection.Write([]byte(`{"status": "success", "result": {"name": "Scene", "object_count": 3}}`))
	}()
	_, port, err := net.SplitHostPort(listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	output, _ := shellLineIn(t, []string{"BLENDER_MCP_PORT=" + port}, "!blender\n", "--plain")
	if !strings.Contains(output, `Blender answers at 127.0.0.1:`+port+`: scene "Scene" with 3 objects.`) {
		t.Error(output)
	}
	output, _ = shellLineIn(t, []string{"BLENDER_MCP_PORT=1"}, "!blender\n", "--plain")
	if !strings.Contains(output, "cannot reach Blender at 127.0.0.1:1") || !strings.Contains(output, "Start Blender and press Connect") {
		t.Error(output)
	}
}

func TestHelpClaimsNothingMissing(t *testing.T) {
	output, asked := shellLine(t, "!v 1\n!voice\n", "--plain")
	if strings.Contains(output, "Speak now") || strings.Count(output, "voice input is not available") != 2 || asked > 0 {
		t.Errorf("without a key: %s", output)
	}
	output, _ = shellLine(t, "", "doctor")
	if !regexp.MustCompile(`config\.yaml +none, so the defaults apply`).MatchString(output) {
		t.Errorf("doctor: %s", output)
	}
}

func TestEveryModelThatCanBeAskedIsCompleted(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			io.WriteString(w, `{"data":[{"id":"qwen3-32b"},{"id":"qwen3-8b"},{"id":"llama"}]}`)
			return
		}
		http.NotFound(w, r)
	}))
	defer server.Close()
	environ := []string{"OPENAI_COMPAT_URL=" + server.URL + "/v1", "OPENAI_COMPAT_API_KEY=key", "OLLAMA_HOST=127.0.0.1:1"}
	parts, err := app.New(cli.World{
		Stdin: os.Stdin, Stdout: os.Stdout, Stderr: io.Discard, Environ: environ, Home: t.TempDir(), Dir: t.TempDir(), Now: time.Now,
		Getenv: func(name string) string {
			for _, pair := range environ {
				if value, ok := strings.CutPrefix(pair, name+"="); ok {
					return value
				}
			}
			return ""
		},
	}, cli.Options{Provider: "openai-compat", Model: "qwen3-32b"})
	if err != nil {
		t.Fatal(err)
	}
	defer parts.Close()
	if got := host.Complete(parts, slash.KindModel, "", "qw"); !slices.Equal(got, slash.WithoutNotes([]string{"qwen3-32b", "qwen3-8b"})) {
		t.Errorf("%q", got)
	}
	if got := host.Complete(parts, slash.KindTool, "", "convert_un"); len(got) != 1 || got[0].Item != "convert_units" || !strings.HasPrefix(got[0].Note, "Convert an amount between units of length") {
		t.Errorf("%q", got)
	}
}
