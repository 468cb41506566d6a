package host

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/ui/command"
)

func TestProjectModelChoice(t *testing.T) {
	own := []settings.Provider{{Name: "mine", URL: "https://mine.example/v1", Models: []settings.Model{{Name: "m1"}, {Name: "m2"}}}}
	for _, row := range []struct {
		name      string
		kept      projects.Choice
		change    func(*cli.Options)
		variables string
		want      string
	}{
		{"nothing", projects.Choice{}, nil, "", "groq g  false"},
		{"a model", projects.Choice{Provider: "mine", Model: "m2"}, nil, "", "mine m2  true"},
		{"with an effort", projects.Choice{Provider: "mine", Model: "m2", Effort: "high"}, nil, "", "mine m2 high true"},
		{"an effort alone", projects.Choice{Effort: "auto"}, nil, "", "groq g auto false"},
		{"an effort that there is not", projects.Choice{Effort: "much"}, nil, "", "groq g  false"},
		{"another effort", projects.Choice{Effort: "high"}, func(o *cli.Options) { o.Effort = "low" }, "", "groq g  false"},
		{"a provider named", projects.Choice{Provider: "mine", Model: "m2", Effort: "low"}, func(o *cli.Options) { o.Provider = "groq" }, "", "groq g low false"},
		{"a model named", projects.Choice{Provider: "mine", Model: "m2"}, func(o *cli.Options) { o.Model = "g" }, "", "groq g  false"},
		{"a variable", projects.Choice{Provider: "mine", Model: "m2"}, nil, "LLM_PROVIDER=groq", "groq g  false"},
		{"an empty variable", projects.Choice{Provider: "mine", Model: "m2"}, nil, "LLM_PROVIDER= ", "mine m2  true"},
		{"its model's variable", projects.Choice{Provider: "gemini", Model: "x"}, nil, "GEMINI_MODEL=y", "groq g  false"},
		{"not wanted", projects.Choice{Provider: "mine", Model: "m2", Effort: "high"}, func(o *cli.Options) { o.NoKeptModel = true }, "", "groq g  false"},
		{"nobody talks", projects.Choice{Provider: "mine", Model: "m2", Effort: "high"}, func(o *cli.Options) { o.KeepsChoice = false }, "", "groq g  false"},
		{"one that is gone", projects.Choice{Provider: "gone", Model: "x"}, nil, "", "groq g  false gone x, which you chose in this project, is no longer available: "},
	} {
		world := clitest.NewWorld(t.TempDir(), t.TempDir(), row.variables)
		home := cli.OpenHome(world)
		opts := cli.Options{KeepsChoice: true}
		if row.change != nil {
			row.change(&opts)
		}
		all, err := accounts.New(world, settings.Config{Providers: own})
		if err != nil {
			t.Fatal(err)
		}
		p := &app.App{World: world, Opts: opts, Accounts: all, Selection: providers.Selection{Provider: "groq", Model: "g"}, Config: actors.Config{Home: home}}
		p.Keeping.Begin(p, home)
		if opts.KeepsChoice {
			if _, err := (chooser{p}).Keep(command.ModelChoice{Provider: row.kept.Provider, Model: row.kept.Model, Effort: row.kept.Effort}); err != nil {
				t.Fatal(err)
			}
		}
		p.Keeping = app.ProjectChoice{}
		p.Keeping.Begin(p, home)
		got := fmt.Sprint(p.Selection.Provider, " ", p.Selection.Model, " ", p.Keeping.Effort, " ", p.Keeping.Named)
		if len(p.Notices) > 0 {
			got += " " + strings.Join(p.Notices, "|")
		}
		if got != row.want && (!strings.HasSuffix(row.want, ": ") || !strings.HasPrefix(got, row.want) || !strings.HasSuffix(got, "; groq g answers instead (choose another with /model, or drop your choice with /model default)")) {
			t.Errorf("%s: %s, want %s", row.name, got, row.want)
		}
		if p.Keeping.Named != (p.Selection.Why == "you chose it in this project; /model default forgets it") {
			t.Errorf("%s: it answers because %q", row.name, p.Selection.Why)
		}
	}
}

// The stored choice of a model is the user's choice. If there is no place to store it, nothing is
// stored.
func TestSavedModelChoice(t *testing.T) {
	home := t.TempDir()
	dir := filepath.Join(home, "work")
	if err := os.Mkdir(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	world := clitest.NewWorld(home, dir, "LLM_PROVIDER=offline")
	all, err := accounts.New(world, settings.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &app.App{World: world, Accounts: all, Config: actors.Config{Home: cli.OpenHome(world)}, Settings: settings.Config{Effort: "low"}}
	h := chooser{p}
	if where, err := h.Keep(command.ModelChoice{Provider: "x", Model: "y"}); where != "" || err != nil {
		t.Errorf("without a project it is kept in %q, %v", where, err)
	}
	p.Keeping.Dir = dir
	kept := func(change command.ModelChoice, want projects.Choice) {
		t.Helper()
		where, err := h.Keep(change)
		got, wrong := projects.Choices{Home: p.Config.Home}.Get(dir)
		if got.Provider != want.Provider || got.Model != want.Model || got.Effort != want.Effort || where != "~/work" || err != nil || wrong != nil {
			t.Errorf("%+v in %q, %v, %v; want %+v", got, where, err, wrong, want)
		}
	}
	kept(command.ModelChoice{Effort: "high"}, projects.Choice{Effort: "high"})
	kept(command.ModelChoice{Provider: "a", Model: "b"}, projects.Choice{Provider: "a", Model: "b", Effort: "high"})
	kept(command.ModelChoice{Provider: "c", Effort: "auto"}, projects.Choice{Provider: "c", Effort: "auto"})
	usual, effort, err := h.Forget()
	if usual.Provider != "offline" || effort != "low" || err != nil {
		t.Errorf("%+v, %q, %v", usual, effort, err)
	}
	if got, err := (projects.Choices{Home: p.Config.Home}).Get(dir); got.Provider != "" || got.Effort != "" || err != nil {
		t.Errorf("%+v, %v", got, err)
	}
	for _, row := range [][4]string{{"", "", "", ""}, {"", "", "low", "low"}, {"", "high", "low", "high"}, {"max", "high", "low", "max"}, {"", "auto", "low", ""}, {"auto", "high", "low", ""}} {
		p := &app.App{Settings: settings.Config{Effort: row[2]}}
		p.Opts.Effort, p.Keeping.Effort = row[0], row[1]
		if got := string(p.Effort()); got != row[3] {
			t.Errorf("%q: %q", row, got)
		}
	}
}
