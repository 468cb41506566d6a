package main

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/ui/command"
)

// What was chosen in a project answers there where no flag and no variable says who does; what
// cannot be asked any more is told.
func TestWhoAnswersInAProject(t *testing.T) {
	own := []settings.Provider{{Name: "mine", URL: "https://mine.example/v1", Models: []settings.Model{{Name: "m1"}, {Name: "m2"}}}}
	for _, row := range []struct {
		name      string
		kept      projects.Choice
		change    func(*options)
		variables string
		want      string
	}{
		{"nothing", projects.Choice{}, nil, "", "groq g  false"},
		{"a model", projects.Choice{Provider: "mine", Model: "m2"}, nil, "", "mine m2  true"},
		{"with an effort", projects.Choice{Provider: "mine", Model: "m2", Effort: "high"}, nil, "", "mine m2 high true"},
		{"an effort alone", projects.Choice{Effort: "auto"}, nil, "", "groq g auto false"},
		{"an effort that there is not", projects.Choice{Effort: "much"}, nil, "", "groq g  false"},
		{"another effort", projects.Choice{Effort: "high"}, func(o *options) { o.Effort = "low" }, "", "groq g  false"},
		{"a provider named", projects.Choice{Provider: "mine", Model: "m2", Effort: "low"}, func(o *options) { o.Provider = "groq" }, "", "groq g low false"},
		{"a model named", projects.Choice{Provider: "mine", Model: "m2"}, func(o *options) { o.Model = "g" }, "", "groq g  false"},
		{"a variable", projects.Choice{Provider: "mine", Model: "m2"}, nil, "LLM_PROVIDER=groq", "groq g  false"},
		{"an empty variable", projects.Choice{Provider: "mine", Model: "m2"}, nil, "LLM_PROVIDER= ", "mine m2  true"},
		{"its model's variable", projects.Choice{Provider: "gemini", Model: "x"}, nil, "GEMINI_MODEL=y", "groq g  false"},
		{"not wanted", projects.Choice{Provider: "mine", Model: "m2", Effort: "high"}, func(o *options) { o.NoKeptModel = true }, "", "groq g  false"},
		{"nobody talks", projects.Choice{Provider: "mine", Model: "m2", Effort: "high"}, func(o *options) { o.keepsChoice = false }, "", "groq g  false"},
		{"one that is gone", projects.Choice{Provider: "gone", Model: "x"}, nil, "", "groq g  false gone x, which you chose in this project, cannot be asked any more: "},
	} {
		world := worldOf(t.TempDir(), t.TempDir(), row.variables)
		home := openHome(world)
		opts := options{keepsChoice: true}
		if row.change != nil {
			row.change(&opts)
		}
		all, err := newAccounts(world, settings.Config{Providers: own})
		if err != nil {
			t.Fatal(err)
		}
		p := &parts{world: world, opts: opts, accounts: all, selection: providers.Selection{Provider: "groq", Model: "g"}, config: actors.Config{Home: home}}
		p.keeping.begin(p, home)
		if opts.keepsChoice {
			if _, err := (chooser{p}).Keep(command.Kept{Provider: row.kept.Provider, Model: row.kept.Model, Effort: row.kept.Effort}); err != nil {
				t.Fatal(err)
			}
		}
		p.keeping = keepsChoice{}
		p.keeping.begin(p, home)
		got := fmt.Sprint(p.selection.Provider, " ", p.selection.Model, " ", p.keeping.effort, " ", p.keeping.named)
		if len(p.notices) > 0 {
			got += " " + strings.Join(p.notices, "|")
		}
		if got != row.want && (!strings.HasSuffix(row.want, ": ") || !strings.HasPrefix(got, row.want) || !strings.HasSuffix(got, "; groq g answers (/model chooses another, /model default forgets it)")) {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
		if p.keeping.named != (p.selection.Why == "you chose it in this project; /model default forgets it") {
			t.Errorf("%s: it answers because %q", row.name, p.selection.Why)
		}
	}
}

// What is kept of a choice is what was said of it, and nothing where nothing is kept.
func TestWhatIsKeptOfAChoice(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	world := worldOf(home, dir, "LLM_PROVIDER=offline")
	all, err := newAccounts(world, settings.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &parts{world: world, accounts: all, config: actors.Config{Home: openHome(world)}, settings: settings.Config{Effort: "low"}}
	h := chooser{p}
	if where, err := h.Keep(command.Kept{Provider: "x", Model: "y"}); where != "" || err != nil {
		t.Errorf("without a project it is kept in %q, %v", where, err)
	}
	p.keeping.dir = dir
	kept := func(change command.Kept, want projects.Choice) {
		t.Helper()
		where, err := h.Keep(change)
		got, wrong := projects.Choices{Home: p.config.Home}.Of(dir)
		if got.Provider != want.Provider || got.Model != want.Model || got.Effort != want.Effort || where != "~/work" || err != nil || wrong != nil {
			t.Errorf("%+v in %q, %v, %v; want %+v", got, where, err, wrong, want)
		}
	}
	kept(command.Kept{Effort: "high"}, projects.Choice{Effort: "high"})
	kept(command.Kept{Provider: "a", Model: "b"}, projects.Choice{Provider: "a", Model: "b", Effort: "high"})
	kept(command.Kept{Provider: "c", Effort: "auto"}, projects.Choice{Provider: "c", Effort: "auto"})
	usual, effort, err := h.Forget()
	if usual.Provider != "offline" || effort != "low" || err != nil {
		t.Errorf("%+v, %q, %v", usual, effort, err)
	}
	if got, err := (projects.Choices{Home: p.config.Home}).Of(dir); got.Provider != "" || got.Effort != "" || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, row := range [][4]string{{"", "", "", ""}, {"", "", "low", "low"}, {"", "high", "low", "high"}, {"max", "high", "low", "max"}, {"", "auto", "low", ""}, {"auto", "high", "low", ""}} {
		p := &parts{settings: settings.Config{Effort: row[2]}}
		p.opts.Effort, p.keeping.effort = row[0], row[1]
		if got := string(p.effort()); got != row[3] {
			t.Errorf("%q: %q", row, got)
		}
	}
}

// What an Ollama has is found, and what helps where something is missing.
func TestWhatTheDoctorFindsOfAnOllama(t *testing.T) {
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
		{`{"models":[{"name":"a:1","model":"a:1"}]}`, `{}`, "false ollama: m is not installed; installed are a:1 (ollama pull m   (or set OLLAMA_MODEL to one that is there))"},
		{has, `{"capabilities":["completion"]}`, "true ollama: m, installed; it cannot call tools and only talks ()"},
		{has, `{"capabilities":["completion","tools"]}`, "true ollama: m, installed ()"},
	} {
		tags, show = row[0], row[1]
		got := toldFindings([]finding{anyAccounts(t).lookAtOllama(context.Background(), providers.Selection{Provider: providers.Ollama, Model: "m", BaseURL: server.URL})})
		if got = strings.ReplaceAll(got, server.URL, "URL"); got != row[2] {
			t.Errorf("%s\nwant\n%s", got, row[2])
		}
	}
	server.Close()
	got := anyAccounts(t).lookAtOllama(context.Background(), providers.Selection{Model: "m", BaseURL: server.URL})
	if got.good || got.state != "does not answer at "+server.URL || got.mend != "ollama serve & ollama pull m   (or set OLLAMA_URL)" {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]string{"": "0", "0": "0", ` "4096" `: "4096", "512": "512", "511": "!", "4194304": "4194304", "4194305": "!", "4k": "!"} {
		got := said(windowVariable(text))
		if got != want && (want != "!" || !strings.HasPrefix(got, "! OLLAMA_CONTEXT_LENGTH=")) {
			t.Errorf("%q: %s", text, got)
		}
		asked := askedWindow(worldOf("", "", "OLLAMA_CONTEXT_LENGTH="+text), settings.Config{})
		if want == "!" {
			want = "0"
		}
		if fmt.Sprint(asked) != want || askedWindow(worldOf("", "", "OLLAMA_CONTEXT_LENGTH="+text), settings.Config{NumCtx: 7}) != 7 {
			t.Errorf("with %q %d are asked for", text, asked)
		}
	}
}

// anyAccounts are those of an empty configuration.
func anyAccounts(t *testing.T) *accounts {
	t.Helper()
	all, err := newAccounts(worldOf("", ""), settings.Config{})
	if err != nil {
		t.Fatal(err)
	}
	return all
}
