package accounts

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/persistence/settings"
	"marvin/providers"
)

func TestDoctorChecksOllama(t *testing.T) {
	var tags, show string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasSuffix(r.URL.Path, "/tags") {
			_, _ = io.WriteString(w, tags)
			return
		}
		_, _ = io.WriteString(w, show)
	}))
	defer server.Close()
	has := `{"models":[{"name":"a:1","model":"a:1"},{"name":"m:latest","model":"m:latest"}]}`
	for _, row := range [][3]string{
		{`{"models":[]}`, `{}`, "false ollama: answers at URL and has no models (ollama pull m)"},
		{`{"models":[{"name":"a:1","model":"a:1"}]}`, `{}`, "false ollama: m is not installed; the installed models are a:1 (ollama pull m   (or set OLLAMA_MODEL to an installed model))"},
		{has, `{"capabilities":["completion"]}`, "true ollama: m, installed; it cannot call tools, so it can only talk ()"},
		{has, `{"capabilities":["completion","tools"]}`, "true ollama: m, installed ()"},
	} {
		tags, show = row[0], row[1]
		got := clitest.FormatFindings([]cli.Finding{anyAccounts(t).LookAtOllama(context.Background(), providers.Selection{Provider: providers.Ollama, Model: "m", BaseURL: server.URL})})
		if got = strings.ReplaceAll(got, server.URL, "URL"); got != row[2] {
			t.Errorf("%s\nwant\n%s", got, row[2])
		}
	}
	server.Close()
	got := anyAccounts(t).LookAtOllama(context.Background(), providers.Selection{Model: "m", BaseURL: server.URL})
	if got.Good || got.State != "does not answer at "+server.URL || got.Mend != "ollama serve & ollama pull m   (or set OLLAMA_URL)" {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{"": "0", "0": "0", ` "4096" `: "4096", "512": "512", "511": "!", "4194304": "4194304", "4194305": "!", "4k": "!"} {
		got := clitest.ValueOrError(WindowVariable(text))
		if got != want && (want != "!" || !strings.HasPrefix(got, "! OLLAMA_CONTEXT_LENGTH=")) {
			t.Errorf("%q: %s", text, got)
		}
		asked := askedWindow(clitest.NewWorld("", "", "OLLAMA_CONTEXT_LENGTH="+text), settings.Config{})
		if want == "!" {
			want = "0"
		}
		if fmt.Sprint(asked) != want || askedWindow(clitest.NewWorld("", "", "OLLAMA_CONTEXT_LENGTH="+text), settings.Config{NumCtx: 7}) != 7 {
			t.Errorf("with %q %d are asked for", text, asked)
		}
	}
}

// anyAccounts returns the accounts of an empty configuration.
func anyAccounts(t *testing.T) *Accounts {
	t.Helper()
	all, err := New(clitest.NewWorld("", ""), settings.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
