package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"marvin/actors"
	"marvin/messages"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/blender"
	"marvin/tools/voice"
	"marvin/ui"
	"marvin/ui/command"
)

// host is what commands can do around a conversation. It is the other side of
// [command.Host], one part for each thing that they are about.
type host struct {
	chooser
	persons
	reports
	archives
	jobTable
	extensions
	workplace
	typedWords
	preferences
}

func hostOf(p *parts) host {
	return host{chooser{p}, persons{p}, reports{p}, archives{p}, jobTable{p}, extensions{p}, workplace{p}, typedWords{p}, preferences{p}}
}

// reports describe Marvin and its environment.
type reports struct{ parts *parts }

// archives are the conversations of before.
type archives struct{ parts *parts }

// engineOf carries commands out for a front end.
func engineOf(p *parts, client ui.Client, front command.Front) *command.Engine {
	begins := ""
	if p.opts.choosing {
		begins = "/resume"
	}
	p.talked = joined(p, client, front)
	p.talked.Begins, p.talked.Greeting, p.talked.Newcomer, p.talked.Pictures.First = begins, greeting(p), p.newcomer, p.pictures
	return p.talked
}

// joined carries commands out for a front end that joins a conversation.
func joined(p *parts, client ui.Client, front command.Front) *command.Engine {
	return &command.Engine{
		Env:      command.Env{Client: client, Host: hostOf(p), Front: front, Now: p.world.Now, LoginForm: loginForm(p)},
		Attach:   func(ctx context.Context, text, dir string) command.Attached { return attached(ctx, p, text, dir) },
		Ready:    func() error { return voice.Ready(p.world.Environ, p.world.Home) },
		Pictures: command.Pictures{Show: showing{p}.show, Paste: showing{p}.paste},
		Lines:    command.Lines{Hide: tools.SecretsOf(p.world.Environ, p.world.Home).Hide},
		Voice: func(ctx context.Context, seconds int) (string, error) {
			return voice.Listen(ctx, p.client, p.world.Environ, p.world.Home, time.Duration(seconds)*time.Second)
		},
	}
}

// greeting is for a user without a model: what works, and how to add one.
func greeting(p *parts) []string {
	if p.attached || p.selection.Provider != providers.Offline || p.opts.Provider != "" {
		return nil
	}
	return []string{
		`Without a model plain requests work, such as "show the tree of this project", "convert 12 km to miles" or "start a 5 minute timer".`,
		"To add a model: /login gemini, with a free key (https://aistudio.google.com/apikey). Or set GEMINI_API_KEY, or install Ollama, and start marvin again. /provider lists all ways.",
	}
}

// Tools lists each tool that matches all words, with the first sentence of its description.
func (h reports) Tools(words string) string {
	var text strings.Builder
	for _, tool := range aboutWords(h.parts.config.Tools.Now().All(), strings.Fields(words)) {
		fmt.Fprintf(&text, "%-24s %s", tool.Name, does(tool))
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
	world := h.parts.world
	world.Stdout = &report
	_ = doctorCommand{}.Run(ctx, world, h.parts.opts) // the report says so
	return strings.TrimRight(report.String(), "\n")
}

// archive is what the person's conversations are found in.
func (h archives) archive(problems io.Writer) archive {
	world := h.parts.world
	world.Stderr = problems
	return archive{conversations: conversations{home: h.parts.config.Home, world: world, dir: h.parts.dir}}
}

func (h archives) Sessions(_ context.Context, words string) ([]command.Conversation, error) {
	all := h.archive(io.Discard) // marvin sessions check says what is damaged
	return conversationsOf(all.about(all.list(), words)), nil
}

// firstPage is how many conversations are shown before all are read.
const firstPage = 100

func (h archives) RecentSessions() []command.Conversation {
	return conversationsOf(sessions.RecentOf(sessions.Of(h.parts.config.Home), firstPage))
}

// AllSessions is part of [command.Host].
func (h archives) AllSessions() command.Stock {
	roll, _ := sessions.RollOf(sessions.Of(h.parts.config.Home)) // marvin sessions check says what is damaged
	return rolled{roll, h.archive(io.Discard)}
}

// rolled is all conversations, with only a few in memory.
type rolled struct {
	*sessions.Roll
	archive archive
}

// At is part of [command.Stock].
func (s rolled) At(index int) command.Conversation { return conversationOf(s.Roll.At(index)) }

// Each is part of [command.Stock].
func (s rolled) Each(visit func(int, command.Conversation) bool) {
	s.Roll.Each(func(index int, info sessions.Info) bool { return visit(index, unlined(info)) })
}

// Said is part of [command.Stock].
func (s rolled) Said(ctx context.Context, words string) (indices []int) {
	said := make([]bool, s.Len())
	s.archive.each(ctx, s.Len(), words, s.File, func(at int, _ actors.Found, ok bool, _ error) {
		said[at] = ok // marvin sessions check says what is damaged
	})
	for at, so := range said {
		if so {
			indices = append(indices, at)
		}
	}
	return indices
}

func conversationsOf(list []sessions.Info) []command.Conversation {
	all := make([]command.Conversation, len(list))
	for i, info := range list {
		all[i] = conversationOf(info)
	}
	return all
}

func conversationOf(info sessions.Info) command.Conversation {
	one := unlined(info)
	one.Line = func() string { return row(info, 0) }
	return one
}

// unlined is one without its line, which holds all of it: a search looks at ten thousand.
func unlined(info sessions.Info) command.Conversation {
	return command.Conversation{
		ID: info.ID, Name: info.Name, Called: info.Called(), Last: info.Last, Dir: info.Dir, Branch: info.Branch, Model: info.Model,
		Updated: info.Updated, Turns: info.Turns, Cost: info.Cost,
	}
}

func (h archives) Session(_ context.Context, named string) (string, error) {
	info, err := h.archive(io.Discard).meant(named)
	return info.ID, err
}

// Blender implements [command.Host].
func (h reports) Blender(ctx context.Context) (string, error) {
	status, err := blender.Status(ctx, h.parts.world.Environ)
	if err != nil {
		return "", errors.New(messages.ForPeople(err.Error()))
	}
	return status, nil
}

// Permissions implements [command.Host].
func (h reports) Permissions(ctx context.Context) string {
	var text strings.Builder
	sandbox := sandboxFinding(ctx, h.parts.world, h.parts.opts)
	fmt.Fprintf(&text, "Sandbox: %s\n", sandbox.state)
	rules := h.parts.settings.Permissions
	if len(rules.Allow)+len(rules.Ask)+len(rules.Deny) == 0 {
		text.WriteString("Your rules: none (permissions: in config.yaml)")
		return text.String()
	}
	text.WriteString("Your rules (permissions: in config.yaml):")
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
