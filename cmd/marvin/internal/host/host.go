package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli/doctor"
	clisessions "marvin/cmd/marvin/internal/cli/sessions"
	"marvin/cmd/marvin/internal/cli/tool"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/blender"
	"marvin/tools/voice"
	"marvin/ui"
	"marvin/ui/command"
)

// host implements [command.Host]. Each embedded type implements a group of methods.
type host struct {
	chooser
	persons
	reports
	archives
	JobTable
	additions
	workplace
	typedWords
	preferences
}

func hostOf(p *app.App) host {
	return host{chooser{p}, persons{p}, reports{p}, archives{p}, JobTable{Parts: p}, additions{p}, workplace{p}, typedWords{p}, preferences{p}}
}

type reports struct{ parts *app.App }

type archives struct{ parts *app.App }

// Engine returns the command engine of a front end.
func Engine(p *app.App, client ui.Client, front command.Front) *command.Engine {
	begins := ""
	if p.Opts.Choosing {
		begins = "/resume"
	}
	p.Talked = NewJoinedEngine(p, client, front)
	p.Talked.FirstLine, p.Talked.Greeting, p.Talked.Newcomer, p.Talked.Pictures.First = begins, greeting(p), p.Newcomer, p.Pictures
	return p.Talked
}

// NewJoinedEngine returns the command engine of a front end that joins a conversation.
func NewJoinedEngine(p *app.App, client ui.Client, front command.Front) *command.Engine {
	return &command.Engine{
		Env:        command.Env{Client: client, Host: hostOf(p), Front: front, Now: p.World.Now, LoginForm: loginForm(p)},
		Attach:     func(ctx context.Context, text, dir string) command.Attached { return attached(ctx, p, text, dir) },
		CheckVoice: func() error { return voice.CheckReady(p.World.Environ, p.World.Home) },
		Pictures:   command.Pictures{Show: PictureHost{App: p}.show, Paste: PictureHost{App: p}.paste},
		Lines:      command.Lines{Hide: tools.SecretsOf(p.World.Environ, p.World.Home).Hide},
		Voice: func(ctx context.Context, seconds int) (string, error) {
			return voice.Listen(ctx, p.Client, p.World.Environ, p.World.Home, time.Duration(seconds)*time.Second)
		},
	}
}

// greeting returns advice for users who have no model.
func greeting(p *app.App) []string {
	if p.Attached || p.Selection.Provider != providers.Offline || p.Opts.Provider != "" {
		return nil
	}
	return []string{
		`Without a model, plain requests work, such as "show the tree of this project", "convert 12 km to miles" or "start a 5 minute timer".`,
		"To add a model, type /login gemini and paste a free key (https://aistudio.google.com/apikey). Or set GEMINI_API_KEY, or install Ollama, and start marvin again. /provider lists the providers.",
	}
}

// Tools returns a list of the tools that match all the given words, each with the first sentence of
// its description.
func (h reports) Tools(words string) string {
	var text strings.Builder
	for _, tool := range tool.AboutWords(h.parts.Config.Tools.Snapshot().All(), strings.Fields(words)) {
		fmt.Fprintf(&text, "%-24s %s", tool.Name, extensions.Summary(tool))
		if tool.Coding {
			text.WriteString(" (coding mode)")
		}
		text.WriteString("\n")
	}
	if text.Len() == 0 {
		return "No tool is about " + words + "; /tools lists all."
	}
	return strings.TrimRight(text.String(), "\n")
}

func (h reports) Doctor(ctx context.Context) string {
	var report bytes.Buffer
	world := h.parts.World
	world.Stdout = &report
	_ = doctor.Command{}.Run(ctx, world, h.parts.Opts) // the report contains the error
	return strings.TrimRight(report.String(), "\n")
}

// archive returns the user's conversations. Warnings about damaged files are written to the given
// writer.
func (h archives) archive(problems io.Writer) clisessions.Archive {
	world := h.parts.World
	world.Stderr = problems
	return clisessions.Archive{Conversations: clisessions.Conversations{Home: h.parts.Config.Home, World: world, Dir: h.parts.Dir}}
}

func (h archives) Sessions(_ context.Context, words string) ([]command.Conversation, error) {
	all := h.archive(io.Discard) // damage is ignored here; "marvin sessions check" reports it
	return conversationsOf(all.FindMatching(all.List(), words)), nil
}

// AllSessions implements [command.Host]. It takes 0.3 s for ten thousand conversations on a busy
// machine.
func (h archives) AllSessions() command.Stock {
	// Damage is ignored here; "marvin sessions check" reports it.
	list, _ := sessions.New(h.parts.Config.Home).List()
	return stored{list, h.archive(io.Discard)}
}

type stored struct {
	list    []sessions.Info
	archive clisessions.Archive
}

// Len implements [command.Stock].
func (s stored) Len() int { return len(s.list) }

// At implements [command.Stock].
func (s stored) At(index int) command.Conversation { return conversationOf(s.list[index]) }

// ForEach implements [command.Stock].
func (s stored) ForEach(visit func(int, command.Conversation) bool) {
	for index, info := range s.list {
		if !visit(index, convertInfo(info)) {
			return
		}
	}
}

// FindText implements [command.Stock].
func (s stored) FindText(ctx context.Context, words string) (indices []int) {
	said := make([]bool, s.Len())
	s.archive.SearchAll(ctx, s.Len(), words, func(at int) sessions.Info { return s.list[at] }, func(at int, _ actors.SearchResult, ok bool, _ error) {
		said[at] = ok // damage is ignored here; "marvin sessions check" reports it
	})
	for at, so := range said {
		if so {
			indices = append(indices, at)
		}
	}
	return indices
}

func conversationsOf(list []sessions.Info) []command.Conversation {
	return lists.Map(list, conversationOf)
}

func conversationOf(info sessions.Info) command.Conversation {
	one := convertInfo(info)
	one.Line = func() string { return clisessions.Row(info, 0) }
	return one
}

// convertInfo converts info but leaves Line nil to save time in searches.
func convertInfo(info sessions.Info) command.Conversation {
	return command.Conversation{
		ID: info.ID, Name: info.Name, Called: info.DisplayName(), Last: info.Last, Dir: info.Dir, Branch: info.Branch, Model: info.Model,
		Updated: info.Updated, Turns: info.Turns, Cost: info.Cost,
	}
}

func (h archives) Session(_ context.Context, named string) (string, error) {
	info, err := h.archive(io.Discard).Lookup(named)
	return info.ID, err
}

// Blender implements [command.Host].
func (h reports) Blender(ctx context.Context) (string, error) {
	status, err := blender.Status(ctx, h.parts.World.Environ)
	if err != nil {
		return "", errors.New(messages.ForPeople(err.Error()))
	}
	return status, nil
}

// Permissions implements [command.Host].
func (h reports) Permissions(ctx context.Context) string {
	var text strings.Builder
	sandbox := app.SandboxFinding(ctx, h.parts.World, h.parts.Opts)
	fmt.Fprintf(&text, "Sandbox: %s\n", sandbox.State)
	rules := h.parts.Settings.Permissions
	if len(rules.Allow)+len(rules.Ask)+len(rules.Deny) == 0 {
		text.WriteString("Your rules: none (add them under \"permissions:\" in config.yaml)")
		return text.String()
	}
	text.WriteString("Your rules (under \"permissions:\" in config.yaml):")
	for _, list := range []struct {
		name  string
		rules []string
	}{{"deny", rules.Deny}, {"ask", rules.Ask}, {"allow", rules.Allow}} {
		for _, rule := range list.rules {
			fmt.Fprintf(&text, "\n  %-5s %s", list.name, tools.Visible(rule))
		}
	}
	return text.String()
}
