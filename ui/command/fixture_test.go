package command_test

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/persistence/projects"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/background"
	"marvin/tools/shell"
	"marvin/ui/command"
	"marvin/ui/conversation"
)

// fixture is a front end without a screen, with a real conversation. It records the messages to the
// user and the clipboard.
type fixture struct {
	picks  []command.Pick // opened lists; nil for a front end without lists
	shows  *shows         // the running command; nil for a front end that shows commands at their end
	t      *testing.T
	tree   *actorstest.Tree
	engine *command.Engine
	talk   conversation.State
	said   []string
	copied string
	left   bool
	busy   bool
	later  chan func()
}

func (d *fixture) Say(_ messages.Level, text string) { d.said = append(d.said, text) }
func (d *fixture) Submit(prompt messages.Prompt)     { d.busy = true; d.tree.Client.Send(prompt) }
func (d *fixture) Go(work func() func())             { go func() { d.later <- work() }() }
func (d *fixture) Suspend(use func() error) error    { return use() }
func (d *fixture) Copy(text string) (string, error)  { d.copied = text; return "here", nil }
func (d *fixture) Theme(string) error                { return command.ErrNoColours }
func (d *fixture) Keys() string                      { return "no keys" }
func (d *fixture) Leave()                            { d.left = true }

func (d *fixture) StartDisplay(line string) command.CommandDisplay {
	if d.shows == nil {
		return nil
	}
	d.shows.line = line
	return d.shows
}

// shows records the display of a command.
type shows struct {
	line    string
	printed []string
	ran     []command.CommandEnded
}

func (s *shows) Print(lines string)           { s.printed = append(s.printed, lines) }
func (s *shows) End(ran command.CommandEnded) { s.ran = append(s.ran, ran) }

func (d *fixture) Pick(pick command.Pick) bool {
	if d.picks == nil {
		return false
	}
	d.picks = append(d.picks, pick)
	return true
}

// disk is the part of a host for files and processes, without a user. No test here may call a
// method that it lacks.
type disk struct {
	command.Host
	home   *persistence.Home
	dir    string
	system *actors.System
}

func (d disk) Run(ctx context.Context, line, _ string, heard io.Writer) (string, error) {
	return shell.RunOwn(ctx, line, d.dir, os.Environ(), heard)
}

func (d disk) Remember(profile, said, answered string) error {
	return chat.New(d.home.Profile(profile)).Append(chat.Entry{Role: "you", Text: said}, chat.Entry{Role: "assistant", Text: answered})
}

func (d disk) Profiles() ([]string, error) { return personal.Profiles(d.home) }

func (d disk) UseProfile(name string) (string, bool, error) {
	profile, isNew, err := personal.SwitchProfile(d.home, name)
	return profile.Name, isNew, err
}

func (d disk) Write(path, _ string, content []byte) (string, error) {
	path = filepath.Join(d.dir, path)
	return path, os.WriteFile(path, content, 0o600)
}

func (d disk) Jobs(ctx context.Context, dir string) ([]string, error) {
	all, err := d.system.Jobs(dir).List(ctx)
	var lines []string
	for _, job := range all {
		lines = append(lines, background.Line(job, time.Now()))
	}
	return lines, err
}

func (d disk) JobOutput(ctx context.Context, dir, id string) (string, error) {
	all, err := d.system.Jobs(dir).List(ctx)
	for _, job := range all {
		if job.ID == id {
			return background.Tail(d.home, job, 10)
		}
	}
	return "", errors.Join(fmt.Errorf("no job %s", id), err)
}

func (d disk) CancelJob(ctx context.Context, dir, id string) (string, error) {
	job, err := d.system.Jobs(dir).Cancel(ctx, id)
	return background.Line(job, time.Now()), err
}

func (d disk) Models(context.Context, messages.NeedsShown) []command.Choice {
	return append(d.KnownModels(messages.NeedsShown{}), command.Choice{Provider: "copilot", Model: "other-model"}, command.Choice{Provider: "openai-compat", Model: "openai/gpt-oss-120b"})
}

func (d disk) KnownModels(messages.NeedsShown) []command.Choice {
	return []command.Choice{{Provider: "openai-compat", Model: "test-model"}, {Provider: "openai-compat", Model: "qwen3-32b", Roles: []string{"small"}}}
}

func (d disk) Cycle() []command.Choice {
	return []command.Choice{{Provider: "openai-compat", Model: "test-model"}, {Provider: "openai-compat", Model: "next"}}
}

func (d disk) Efforts(of command.Choice) ([]string, bool) {
	return []string{"low", "high"}, of.Model == "test-model"
}

func (d disk) Keep(chosen command.ModelChoice) (string, error) {
	return "~/project", projects.Choices{Home: d.home}.Change(d.dir, func(kept *projects.Choice) {
		*kept = projects.Choice{Provider: cmp.Or(chosen.Provider, kept.Provider), Model: cmp.Or(chosen.Model, kept.Model), Effort: cmp.Or(chosen.Effort, kept.Effort)}
	})
}

func (d disk) KeepFiles(bool) (string, error) { return "~/project", nil }

func (d disk) Forget() (command.Choice, string, error) {
	return command.Choice{Provider: "openai-compat", Model: "test-model"}, "auto", projects.Choices{Home: d.home}.Change(d.dir, func(kept *projects.Choice) { *kept = projects.Choice{} })
}

func sit(t *testing.T, server *modeltest.Server, list ...tools.Tool) *fixture {
	t.Helper()
	home := t.TempDir()
	d := &fixture{t: t, later: make(chan func(), 8)}
	d.tree = actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Dir: t.TempDir(), Tools: list, Policy: &actors.Policy{Person: true, Coding: true}})
	d.engine = &command.Engine{Env: command.Env{Client: d.tree.Client, Front: d, Talk: &d.talk, Now: time.Now, Host: disk{home: persistence.Open(home, time.Now), dir: t.TempDir(), system: d.tree.System}}}
	d.wait(func() bool { return len(d.tree.Seen) > 0 })
	return d
}

// wait runs the front end's loop until a condition holds.
func (d *fixture) wait(until func() bool) {
	d.t.Helper()
	ctx, stop := context.WithTimeout(d.t.Context(), actorstest.Patience)
	defer stop()
	for !until() {
		select {
		case then := <-d.later:
			then()
			continue
		default:
		}
		short, end := context.WithTimeout(ctx, 20*time.Millisecond)
		batch, err := d.tree.Client.Next(short)
		end()
		if ctx.Err() != nil || errors.Is(err, io.EOF) {
			d.t.Fatalf("it never came to that; said were %q", d.said)
		}
		for _, envelope := range batch {
			d.tree.Seen = append(d.tree.Seen, envelope)
			d.talk.Apply(envelope)
			d.engine.Hear(envelope)
			if _, ended := envelope.Event.(messages.TurnEnded); ended {
				d.busy = false
			}
		}
	}
}

// take types a line and waits until all work that it started is done.
func (d *fixture) take(line string) string {
	d.t.Helper()
	before := len(d.said)
	d.engine.Take(line)
	d.wait(func() bool { return !d.busy && len(d.engine.Working()) == 0 })
	return strings.Join(d.said[before:], "\n")
}

func (d *fixture) expect(line, want string) {
	d.t.Helper()
	if got := d.take(line); !strings.Contains(got, want) {
		d.t.Errorf("%s says %q, want %q", line, got, want)
	}
}
