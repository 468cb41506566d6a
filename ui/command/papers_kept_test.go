package command_test

import (
	"context"
	"errors"

	"marvin/messages"
	"marvin/ui/command"
)

func (p *papers) Sessions(_ context.Context, words string) ([]command.Conversation, error) {
	all := p.kept()
	switch words {
	case "nothing":
		return nil, p.trouble
	case "many":
		for len(all) <= 20 {
			all = append(all, all[0])
		}
	case "twenty":
		for len(all) < 20 {
			all = append(all, all[0])
		}
	}
	return all, p.trouble
}

func (p *papers) Detach() error { return p.trouble }

func (p *papers) AllSessions() command.Stock { return &stock{p.kept(), p.note} }
func (p *papers) Session(_ context.Context, named string) (string, error) {
	return "2026-" + named, p.trouble
}

// stock contains all conversations.
type stock struct {
	all  []command.Conversation
	note func(format string, words ...any)
}

func (s *stock) Len() int                               { return len(s.all) }
func (s *stock) At(index int) command.Conversation      { return s.all[index] }
func (s *stock) FindText(context.Context, string) []int { return []int{1} }
func (s *stock) ForEach(visit func(int, command.Conversation) bool) {
	for i, one := range s.all {
		if !visit(i, one) {
			return
		}
	}
}

func (p *papers) Ask(_ context.Context, name, arguments, dir string) (command.Submission, error) {
	prompt := messages.Prompt{Text: name + " in " + dir + ": " + arguments}
	switch name {
	case "release":
		return command.Submission{Prompt: prompt}, p.trouble
	case "odd":
		return command.Submission{Prompt: prompt, Said: "It is long."}, p.trouble
	case "careful":
		return command.Submission{Prompt: prompt, Asks: "Type it again to run make."}, p.trouble
	}
	return command.Submission{}, command.ErrNotWritten
}

func (p *papers) Survey(_ context.Context, dir string, tried map[string]string) (command.Survey, error) {
	found := command.Survey{Path: "AGENTS.md", Text: "Build: make\n"}
	for _, line := range p.some("make", "make test") {
		found.Try = append(found.Try, line)
		if became := tried[line]; became != "" {
			found.Text += line + " " + became + "\n"
		}
	}
	return found, p.trouble
}

func (p *papers) Try(_ context.Context, dir, line string, mode messages.Approval) (string, string) {
	p.note("tries in %s, approval %s: %s", dir, mode, line)
	if line == "make" {
		return "works", ""
	}
	return "fails", "1 test failed"
}

func (p *papers) LogIn(provider string) (string, error) {
	p.note("asks for the key of %s", provider)
	return provider + " takes the key.", p.trouble
}

func (p *papers) EditPreferences(profile string) error {
	p.note("edits the preferences of %s", profile)
	return p.trouble
}

func (p *papers) Page(path string) error {
	p.note("pages %s", path)
	return p.trouble
}

func (p *papers) EditAt(path, dir string, line int) (string, error) {
	p.note("edits %s in %s at line %d", path, dir, line)
	return p.changed, p.trouble
}

func (p *papers) EditChange(diff, _ string) (string, bool, error) {
	p.note("edits the change %q", diff)
	return p.changed, p.changed != "", p.trouble
}

func (p *papers) Shell(dir string) error {
	p.note("opens a shell in %s", dir)
	return p.trouble
}

var errFull = errors.New("the disk is full")
