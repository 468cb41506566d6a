package command_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/command"
	"marvin/ui/slash"
)

// papers is the host of the desk. It answers from fixed data, returns the configured error if any,
// and records changes.
type papers struct {
	shelf
	note    func(format string, words ...any)
	trouble error
	bare    bool // no data exists yet
	many    bool // a provider has more models than a list shows
	// printed and ended are the output and the error of a command.
	printed string
	ended   error
	changed string // the user's changes in an editor
}

// shelf is the part of the host that only returns fixed data.
type shelf struct{}

func (shelf) Tools(word string) string                   { return "the tools about " + word }
func (shelf) Doctor(context.Context) string              { return "all is well" }
func (shelf) Permissions(context.Context) string         { return "The sandbox holds." }
func (shelf) Hooks(context.Context) string               { return "one hook" }
func (shelf) PreferencesPath(profile string) string      { return "/home/" + profile + "/preferences.md" }
func (shelf) Cycle() []command.Choice                    { return models()[:2] }
func (shelf) Providers(context.Context) []command.Choice { return providers() }

func (p *papers) OpenQuestions(context.Context) ([]command.OpenQuestion, error) {
	if p.bare {
		return nil, p.trouble
	}
	shell := messages.Asked{Ask: "c1", Title: "Run a command", Detail: "rm -r build\n\x1b[2Jtouch " + strings.Repeat("x", 80), Always: "rm"}
	colour := messages.Asked{Ask: "c2", Kind: messages.AskChoice, Title: "A question", Deadline: noon.Add(time.Minute), Questions: []messages.Question{{Text: "Which colour?", Options: []messages.Option{{Label: "red", Reason: "it is warm"}, {Label: "blue"}}}}}
	return []command.OpenQuestion{{Name: "s1/c1", Title: "clean up", Dir: "/srv/shop", Since: noon.Add(-time.Hour), Question: shell}, {Name: "s2/c2", Title: "paint", Since: noon, Question: colour}}, p.trouble
}

func (p *papers) AnswerWaiting(_ context.Context, one command.OpenQuestion, word, text string) error {
	p.note("answers %s with %q %q", one.Name, word, text)
	return p.trouble
}

func (shelf) KnownModels(messages.NeedsShown) []command.Choice { return models()[:2] }
func (p *papers) Models(_ context.Context, needs messages.NeedsShown) []command.Choice {
	all := models()
	for n := 1; p.many && n <= 1006; n++ {
		all = append(all, command.Choice{Provider: "groq", Model: fmt.Sprint("more-", n)})
	}
	if needs.Pictures > 0 {
		all[1].MissingAbilities = "sees no pictures"
	}
	return all
}

func (shelf) Efforts(of command.Choice) ([]string, bool) {
	switch of.Model {
	case "gpt-5":
		return []string{"low", "high"}, true
	case "gpt-4":
		return nil, true
	}
	return nil, false
}

func (shelf) Themes(context.Context) []command.ThemeChoice {
	return []command.ThemeChoice{{Name: "nord", Note: "cold"}, {Name: "mud", Note: "mine", Wrong: "line 3 has no colour"}}
}

func (shelf) ListWritten(context.Context, string) []slash.WrittenCommand {
	return []slash.WrittenCommand{{Name: "/release", Hint: "VERSION", Description: "Make a release."}, {Name: "/skill:tests"}}
}

func (p *papers) Settings(context.Context) ([]command.Setting, error) {
	return []command.Setting{
		{Key: "theme", Help: "the colours", Value: "nord", From: "config.yaml", Words: []string{"nord", "mud"}},
		{Key: "approval", Help: "what runs without asking", Value: "ask", From: "built in", Words: []string{"ask", "edits"}, Explained: "Who is asked."},
		{Key: "web_host", Help: "who serves", Explained: "The address."},
		{Key: "roles", Help: "models", Explained: "Which model does what.", Fixed: "it has lines"},
	}, p.trouble
}

func (p *papers) Lifetime() (command.Lifetime, error) {
	return command.Lifetime{Cost: 12.5, Turns: 1234, ModelTurns: map[string]int{"gpt-5": 1233, "gpt-4": 1}}, p.trouble
}

func (p *papers) Saved(string) (string, error) {
	if p.bare {
		return "", p.trouble
	}
	return "1. home", p.trouble
}

func (p *papers) Profiles() ([]string, error) { return []string{"alex", "default"}, p.trouble }
func (p *papers) UseProfile(name string) (string, bool, error) {
	return name, name == "kim", p.trouble
}

func (p *papers) Blender(context.Context) (string, error) { return "Blender answers.\n", p.trouble }
func (p *papers) Jobs(context.Context, string) ([]string, error) {
	return p.some("cmd-1  make"), p.trouble
}

func (p *papers) JobOutput(_ context.Context, _, id string) (string, error) {
	return "the end of " + id + "\n\n", p.trouble
}

func (p *papers) CancelJob(_ context.Context, _, id string) (string, error) {
	return id + " was ended", p.trouble
}

func (p *papers) AtTimes(_ context.Context, command, words, _ string) (string, error) {
	return "at its time: " + command + " " + words, nil
}

func (p *papers) Memory(_ context.Context, words, _, _ string) (string, error) {
	return "the facts: " + words, nil
}

func (p *papers) Rule(dir, text string, write bool) (path, diff string, err error) {
	if write {
		p.changed = text
	}
	return dir + "/AGENTS.md", "+- " + text, nil
}

func (p *papers) Servers(_ context.Context, words string) (string, error) {
	return "servers: " + words, p.trouble
}

func (p *papers) Languages(_ context.Context, words string) (string, error) {
	return "languages: " + words, p.trouble
}

func (p *papers) Directory(path, dir string) (string, error) {
	if path == "" || path == "." {
		return dir, p.trouble
	}
	return "/srv/" + path, p.trouble
}

func (p *papers) some(lines ...string) []string {
	if p.bare {
		return nil
	}
	return lines
}

func models() []command.Choice {
	return []command.Choice{
		{Provider: "openai", Model: "gpt-5", About: "400k", Details: "The large one.", Roles: []string{"default"}},
		{Provider: "openai", Model: "gpt-4", About: "128k"},
		{Provider: "groq", Model: "llama-3.3-70b", Roles: []string{"small"}},
		{Provider: "groq", Model: "openai/gpt-oss"},
		{Provider: "ollama", Model: "llama-3.2"},
	}
}

func providers() []command.Choice {
	return []command.Choice{{Provider: "openai", Model: "gpt-4"}, {Provider: "groq", Model: "llama-3.3-70b"}, {Provider: "azure", Lacks: "a key: set AZURE_KEY"}}
}

func (p *papers) Keep(kept command.ModelChoice) (string, error) {
	p.note("keeps: %+v", kept)
	return "~/shop", p.trouble
}

func (p *papers) KeepFiles(on bool) (string, error) {
	p.note("keeps files: %t", on)
	return "~/shop", p.trouble
}

func (p *papers) Forget() (command.Choice, string, error) {
	return models()[0], "auto", p.trouble
}

func (p *papers) Set(_ context.Context, key, value string) (string, error) {
	p.note("sets: %s to %q", key, value)
	return key + " is " + cmp.Or(value, "as usual") + " now", p.trouble
}

func (p *papers) Run(_ context.Context, line, dir string, _ io.Writer) (string, error) {
	p.note("shell in %s: %s", dir, line)
	return p.printed, p.ended
}

func (p *papers) Remember(profile, said, answered string) error {
	p.note("history of %s: %q, %q", profile, said, answered)
	return p.trouble
}

func (p *papers) Write(path, dir string, content []byte) (string, error) {
	p.note("writes %s in %s, %d bytes", path, dir, len(content))
	return dir + "/" + path, p.trouble
}

func (p *papers) kept() []command.Conversation {
	var all []command.Conversation
	for n, last := range p.some("", "and the tests?", "sell") {
		one := command.Conversation{ID: fmt.Sprintf("2026-%d", n), Called: "sell", Last: last, Dir: "/srv/shop", Turns: n, Updated: noon.Add(-time.Duration(n) * 25 * time.Hour)}
		if n == 1 {
			one.Name, one.Branch, one.Model, one.Cost = "Shop", "main", "gpt-5", 0.125
		}
		one.Line = func() string { return one.ID + " " + one.Called }
		all = append(all, one)
	}
	return all
}
