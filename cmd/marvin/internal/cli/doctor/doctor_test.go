package doctor

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/cmd/marvin/internal/cli/sessions"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/providers"
)

func TestDoctorChecksEnvironment(t *testing.T) {
	for want, variables := range map[string][]string{
		"true variables: none of Marvin's is set ()\ntrue for commands: all variables ()": {"PATH=/bin", "LANG="},
		"true LLM_PROVIDER: groq ()\ntrue MARVIN_HOSTS: a\ufffdb ()\ntrue HTTPS_PROXY: http://p ()\n" +
			"true for commands: 2 variables are withheld; they look like keys: GROQ_API_KEY; Marvin knows no command that needs them: LLM_PROVIDER (list variables in MARVIN_PASS_ENV to pass them) ()": {"HTTPS_PROXY=http://p", "MARVIN_HOSTS=a\xffb", "LLM_PROVIDER=groq", "GROQ_API_KEY=x"},
		"true MARVIN_READONLY: maybe ()\nfalse MARVIN_READONLY: Marvin does not start: MARVIN_READONLY=\"maybe\" is neither yes nor no; set it to 1 or 0 (set it to 1 or 0)\n" +
			"false OLLAMA_CONTEXT_LENGTH: OLLAMA_CONTEXT_LENGTH=\"many\" is ignored, because it is not a number of tokens from 512 to 4194304 (unset it)\n" +
			"true for commands: 4 variables are withheld; they look like keys: A_TOKEN, B_SECRET; Marvin knows no command that needs them: ODD_ONE, OLLAMA_CONTEXT_LENGTH (list variables in MARVIN_PASS_ENV to pass them) ()": {
			"MARVIN_READONLY=maybe", "OLLAMA_CONTEXT_LENGTH=many", "A_TOKEN=x", "B_SECRET=y", "ODD_ONE=1",
		},
	} {
		if got := clitest.FormatFindings(environmentFindings(clitest.NewWorld("", "", variables...))); got != want {
			t.Errorf("%q:\n%s\nwant\n%s", variables, got, want)
		}
	}
}

func TestDoctorChecksFiles(t *testing.T) {
	if got := clitest.FormatFindings(fileFindings(cli.OpenHome(clitest.NewWorld("", "")))); got != "false home: not found, so nothing is stored (set HOME to an existing directory)" {
		t.Errorf("without a home: %s", got)
	}
	home := t.TempDir()
	state := filepath.Join(home, ".config/marvin")
	const others = "true conversations: HOME/.local/share/marvin ()\ntrue log: HOME/.local/state/marvin ()\n"
	finds := func(want string) {
		t.Helper()
		world := clitest.NewWorld(home, "")
		got := strings.ReplaceAll(clitest.FormatFindings(fileFindings(cli.OpenHome(world))), state, "STATE")
		got = strings.ReplaceAll(got, home, "HOME")
		if got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(state, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(state, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	finds("true settings: STATE (created when something is stored) ()\n" + others + "true config.yaml: none, so the defaults apply ()\ntrue profile: default ()\ntrue usage.json: $0.0000 in 0 round trips ()")
	write("config.yaml", "approve: ask\n")
	finds("true settings: STATE ()\n" + others + "true config.yaml: read ()\ntrue profile: default ()\ntrue usage.json: $0.0000 in 0 round trips ()")
	write("config.yaml", "speling: 1\n")
	write("usage.json", "{")
	write("prices.yaml", "[")
	world := clitest.NewWorld(home, "")
	found := fileFindings(cli.OpenHome(world))
	if len(found) != 7 || found[0].Good != true {
		t.Fatalf("%s", clitest.FormatFindings(found))
	}
	found = found[2:]
	if found[1].Good || found[1].Mend != "edit "+state+"/config.yaml" || strings.HasPrefix(found[1].State, "Marvin does not start: ") ||
		found[3].Good || found[4].What != "prices" || found[4].Good || found[4].Mend != "correct or remove the file of prices (marvin help models, Prices)" {
		t.Errorf("%s", clitest.FormatFindings(found))
	}
	write("config.yaml", "aprove: ask\n")
	if found := fileFindings(cli.OpenHome(world))[2:]; found[1].Good || !strings.HasPrefix(found[1].State, "Marvin does not start: ") {
		t.Errorf("%s", clitest.FormatFindings(found[1:2]))
	}
}

// The doctor checks the key, the address and the server of a provider.
func TestDoctorChecksProvider(t *testing.T) {
	up := httptest.NewServer(http.NotFoundHandler())
	defer up.Close()
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	own := []settings.Provider{
		{Name: "up", URL: up.URL + "/v1", Key: "$UP_KEY", Model: "m"},
		{Name: "down", URL: down.URL + "/v1", Model: "m"},
		{Name: "locked", URL: up.URL + "/v1", Key: "${NO_KEY}", Model: "m"},
		{Name: "filed", URL: up.URL + "/v1", Key: "file:/none/here", Model: "m"},
		{Name: "empty", URL: up.URL + "/v1"},
	}
	all, err := accounts.New(clitest.NewWorld(t.TempDir(), "", "UP_KEY=abcdefghijklmnopqrstuvwx"), settings.Config{Providers: own})
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"up": "true|m, key from |", "down": "false|m, not reachable: |check the network, HTTPS_PROXY and the provider's URL variable", "locked": "false||export NO_KEY=…",
		"filed": "false||correct key: below filed in config.yaml", "empty": "false|empty has no model yet|", "chatgpt": "false|nobody is logged in|marvin login chatgpt",
		"groq":            "false|no key|marvin login groq, or export GROQ_API_KEY=…   (get a key at https://console.groq.com/keys)",
		providers.Offline: "true|built in: plain requests, no model, no network|",
	} {
		provider, err := all.Pool.Lookup(name)
		if err != nil {
			t.Fatal(err)
		}
		f := lookAtModel(context.Background(), all, cli.Options{}, provider)
		part := strings.Split(want, "|")
		if f.What != name || fmt.Sprint(f.Good) != part[0] || !strings.Contains(f.State, part[1]) || f.Mend != part[2] {
			t.Errorf("%+v, want %s", f, want)
		}
	}
	if f := lookAtModel(context.Background(), all, cli.Options{Model: "else"}, mustLookup(t, all, "up")); f.State != "else, key from UP_KEY, reachable" && !strings.HasPrefix(f.State, "else, key from ") {
		t.Errorf("with a model: %+v", f)
	}
	for _, base := range []string{"://", "http://[::1", down.URL} {
		if err := dial(context.Background(), base); err == nil {
			t.Errorf("%s can be reached", base)
		}
	}
}

func mustLookup(t *testing.T, all *accounts.Accounts, name string) providers.Provider {
	t.Helper()
	provider, err := all.Pool.Lookup(name)
	if err != nil {
		t.Fatal(err)
	}
	return provider
}

// The findings are printed for the user, with a remedy only for problems, and for programs with the
// same content.
func TestDoctorOutput(t *testing.T) {
	found := diagnosis{
		selection: providers.Selection{Provider: "p", Model: "m", Why: "said so"},
		sections:  []section{{"Models", []cli.Finding{{What: "a", State: "fine", Good: true, Mend: "nothing"}, {What: "b", State: "ill", Mend: "heal"}, {What: "c", State: "ill"}}}, {"Files", nil}},
	}
	body := "\n\nModels\n  + a                fine\n  - b                ill\n                     mend: heal\n  - c                ill\n\nFiles\n"
	for _, row := range []struct {
		provider, want string
		wrong          error
	}{
		{"p", "Answers come from p, m: said so.", nil},
		{"p", "Answers would come from p, m: said so. But it cannot answer: it broke.", errors.New("it broke")},
		{"", "No model: it broke", errors.New("it broke")},
	} {
		found.selection.Provider, found.wrong = row.provider, row.wrong
		var out strings.Builder
		found.write(&out, true)
		head, rest, _ := strings.Cut(out.String(), "\n\n")
		if !strings.HasPrefix(head, "marvin , go") || rest != row.want+body {
			t.Errorf("%q, want %q", rest, row.want+body)
		}
		told := found.forPrograms()
		if told.Answers != (row.wrong == nil) || told.Provider != row.provider || told.Model != "m" || told.Why != "said so" || told.Wrong != strings.TrimPrefix(fmt.Sprint(row.wrong), "<nil>") {
			t.Errorf("%+v", told)
		}
		want := map[string][]cli.Finding{"models": {{What: "a", Good: true, State: "fine"}, {What: "b", State: "ill", Mend: "heal"}, {What: "c", State: "ill"}}, "files": {}}
		if !reflect.DeepEqual(told.Findings, want) {
			t.Errorf("%+v, want %+v", told.Findings, want)
		}
	}
}

// A report contains the settings without secrets, and the lengths of the texts of a conversation.
func TestReportLeavesOutSecrets(t *testing.T) {
	whole := sessions.MessageJSON{Role: messages.Assistant, Text: "four", Thinking: "ärger", Tool: "read_file", Title: "of a secret", Status: "done", Time: time.Unix(5, 0), Model: "m", Pictures: []string{"a", "b"}}
	want := whole
	want.Text, want.Thinking, want.Title, want.Pictures = "[4 bytes]", "[6 bytes]", "", []string{"", ""}
	if got := shapeOf(whole); !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	if got := shapeOf(sessions.MessageJSON{}); !reflect.DeepEqual(got, sessions.MessageJSON{}) {
		t.Errorf("%+v", got)
	}
	home := cli.OpenHome(clitest.NewWorld(t.TempDir(), ""))
	if part, _, err := settled(home); err != nil || part.what != "you have none" || len(part.content) != 0 {
		t.Errorf("%+v, %v", part, err)
	}
	if _, _, err := settled(cli.OpenHome(clitest.NewWorld("", ""))); !errors.Is(err, persistence.ErrNoHome) {
		t.Errorf("%v", err)
	}
}
