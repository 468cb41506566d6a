package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/providers"
	"marvin/tools"
	"marvin/tools/blender"
	"marvin/tools/voice"
	"marvin/ui"
	"marvin/ui/command"
)

// host is what commands can do around a conversation. It is the other side of
// [command.Host].
type host struct{ chooser }

// engine carries commands out for a front end.
func (p *parts) engine(client ui.Client, front command.Front) *command.Engine {
	begins := ""
	if p.opts.choosing {
		begins = "/resume"
	}
	p.talked = &command.Engine{
		Env:    command.Env{Client: client, Host: hostOfFiles{host{chooser{p}}}, Front: front, Now: p.world.Now},
		Begins: begins, Greeting: p.greeting(),
		Attach:   func(ctx context.Context, text, dir string) command.Attached { return attached(ctx, p, text, dir) },
		Ready:    func() error { return voice.Ready(p.world.Environ, p.world.Home) },
		Pictures: command.Pictures{Show: showing{p}.show, Paste: showing{p}.paste, First: p.pictures},
		Lines:    command.Lines{Hide: tools.SecretsOf(p.world.Environ, p.world.Home).Hide},
		Voice: func(ctx context.Context, seconds int) (string, error) {
			return voice.Listen(ctx, p.client, p.world.Environ, p.world.Home, time.Duration(seconds)*time.Second)
		},
	}
	return p.talked
}

// greeting is for somebody who has no model yet: what works, and how to get one.
func (p *parts) greeting() []string {
	if p.selection.Provider != providers.Offline || p.opts.Provider != "" {
		return nil
	}
	return []string{
		`Without a model plain requests work, such as "show the tree of this project", "convert 12 km to miles" or "start a 5 minute timer".`,
		"To add a model: export GEMINI_API_KEY=… (a free key: https://aistudio.google.com/apikey), or install Ollama, and start marvin again. /provider lists all ways.",
	}
}

func (h host) home() *persistence.Home { return h.parts.config.Home }

// dir is where a person's commands run: in the directory of the conversation, or
// where Marvin was started.
func (h host) dir(of string) string {
	if of != "" {
		return of
	}
	return h.parts.world.Dir
}

func (h host) Run(ctx context.Context, line, dir string) (string, error) {
	return h.parts.own.Run(ctx, line, h.dir(dir), h.parts.world.Environ)
}

// Remember keeps what a person ran, without the keys: a model reads it the next time.
func (h host) Remember(profile, said, answered string) error {
	kept := tools.SecretsOf(h.parts.world.Environ, h.parts.world.Home)
	return h.home().Profile(profile).Chat().Append(
		// guard: keys are hidden in what a person ran
		persistence.ChatEntry{Role: "you", Text: kept.Hide(said)}, persistence.ChatEntry{Role: "assistant", Text: kept.Hide(answered)})
}

func (h host) Profiles() ([]string, error) { return h.home().Profiles() }

func (h host) UseProfile(name string) (string, bool, error) {
	profile, isNew, err := h.home().SwitchProfile(name)
	return profile.Name, isNew, err
}

// Saved is what the tool says, so that there is one way to show a place.
func (h host) Saved(profile string) (string, error) {
	tool, err := h.parts.config.Tools.Now().Find("list_places", tools.Mode{Person: true})
	if err != nil {
		return "", err
	}
	call, err := tool.Decode(nil)
	if err != nil {
		return "", err
	}
	output, err := call.Run(context.Background(), tools.Env{
		Home: h.home().User, State: h.home().State, Profile: h.home().Profile(profile).Dir, Now: h.parts.world.Now,
		Environ: h.parts.world.Environ, Progress: func(string) {}, Room: tools.ResultLimits.Tokens,
		Seen:         &tools.Stamps{},
		Conversation: tools.Conversation{SetDir: func(string) error { return nil }, SetProfile: func(string) error { return nil }, Exit: func() {}},
	})
	return output.Text, err
}

func (h host) Lifetime() (command.Lifetime, error) {
	total, err := h.home().Lifetime().Usage()
	return command.Lifetime{Cost: total.Cost, Turns: total.Turns, ModelTurns: total.ModelTurns}, err
}

// Tools lists each tool with the first sentence of what the model reads of it.
func (h host) Tools(word string) string {
	var text strings.Builder
	for _, tool := range h.parts.config.Tools.Now().All() {
		sentence, _, _ := strings.Cut(tool.Doc, ". ")
		row := fmt.Sprintf("%-24s %s", tool.Name, strings.TrimSuffix(sentence, "."))
		if tool.Coding {
			row += " (coding mode)"
		}
		if strings.Contains(strings.ToLower(row), strings.ToLower(word)) {
			text.WriteString(row + "\n")
		}
	}
	if text.Len() == 0 {
		return "No tool is about " + word + "; /tools lists all."
	}
	return strings.TrimRight(text.String(), "\n")
}

func (h host) Doctor(ctx context.Context) string {
	var report bytes.Buffer
	world := h.parts.world
	world.Stdout = &report
	_ = doctorCommand{}.run(ctx, world, h.parts.opts) // the report says so
	return strings.TrimRight(report.String(), "\n")
}

// archive is what the person's conversations are found in.
func (h host) archive(problems io.Writer) archive {
	world := h.parts.world
	world.Stderr = problems
	return archive{conversations: conversations{home: h.home(), world: world, dir: h.parts.dir}}
}

func (h host) Sessions(_ context.Context, words string) ([]command.Conversation, error) {
	all := h.archive(io.Discard) // marvin sessions check says what is damaged
	list, err := all.list()
	var found []command.Conversation
	for _, info := range all.about(list, words) {
		found = append(found, command.Conversation{
			ID: info.ID, Name: info.Name, Called: info.Called(), Last: info.Last, Dir: info.Dir, Branch: info.Branch, Model: info.Model,
			Updated: info.Updated, Turns: info.Turns, Cost: info.Cost, Line: row(info, 0),
		})
	}
	return found, err
}

func (h host) Session(_ context.Context, named string) (string, error) {
	info, err := h.archive(io.Discard).meant(named)
	return info.ID, err
}

// Blender implements [command.Host].
func (h host) Blender(ctx context.Context) (string, error) {
	status, err := blender.Status(ctx, h.parts.world.Environ)
	if err != nil {
		return "", errors.New(messages.ForPeople(err.Error()))
	}
	return status, nil
}

// Permissions implements [command.Host].
func (h host) Permissions(ctx context.Context) string {
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

// Directory implements [command.Host].
func (h host) Directory(path, dir string) (string, error) {
	path = strings.Trim(path, `"'`)
	rest, below := strings.CutPrefix(path, "~")
	if below && h.parts.world.Home != "" && (rest == "" || rest[0] == '/') {
		path = filepath.Join(h.parts.world.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(h.dir(dir), path)
	}
	path = filepath.Clean(path)
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return "", fmt.Errorf("there is no directory %s; make it, or name another", tools.Visible(path))
	case err != nil:
		return "", fmt.Errorf("change the directory: %w", err)
	case !info.IsDir():
		return "", fmt.Errorf("%s is a file; name the directory %s", tools.Visible(path), tools.Visible(filepath.Dir(path)))
	}
	return path, nil
}

func (h host) Write(path, dir string, content []byte) (string, error) {
	return writeNew(h.parts.world, path, h.dir(dir), content)
}

// writeNew makes a file for its owner only, without the keys, and never over another one.
func writeNew(world World, path, dir string, content []byte) (string, error) {
	if rest, ok := strings.CutPrefix(path, "~/"); ok && world.Home != "" {
		path = filepath.Join(world.Home, rest)
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	secrets := tools.SecretsOf(world.Environ, world.Home)
	content = []byte(secrets.Hide(string(content)))
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	switch {
	case errors.Is(err, os.ErrExist):
		return path, fmt.Errorf("%s exists and is not overwritten; name another file", path)
	case errors.Is(err, os.ErrNotExist):
		return path, fmt.Errorf("there is no directory %s; make it, or name another file", filepath.Dir(path))
	case err != nil:
		return path, fmt.Errorf("export: %w", err)
	}
	_, err = file.Write(content)
	if err = errors.Join(err, file.Close()); err != nil {
		return path, fmt.Errorf("export: %w; what was written may be incomplete", err)
	}
	return path, nil
}

func (h host) PreferencesPath(profile string) string {
	dir := h.home().Profile(profile).Dir
	if dir == "" {
		return "nowhere, because there is no home directory"
	}
	return filepath.Join(dir, "preferences.yaml")
}

func (h host) EditPreferences(profile string) error {
	files := h.home().Profile(profile)
	path, err := files.CreatePreferences()
	if err != nil {
		return fmt.Errorf("preferences: %w", err)
	}
	if err := (editor{h.parts.world}).open(path); err != nil {
		return err
	}
	_, err = files.Preferences()
	return err
}

func (h host) Page(path string) error { return editor{h.parts.world}.page(path) }

func (h host) Shell(dir string) error { return editor{h.parts.world}.shell(h.dir(dir)) }
