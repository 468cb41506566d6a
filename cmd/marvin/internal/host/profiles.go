package host

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/editor"
	"marvin/persistence/chat"
	"marvin/persistence/personal"
	"marvin/persistence/spending"
	"marvin/tools"
	"marvin/ui/command"
)

// persons implements the [command.Host] methods that manage profiles and their data.
type persons struct{ parts *app.App }

// Remember adds a command and its output to the profile's chat log, with the user's keys redacted.
func (h persons) Remember(profile, said, answered string) error {
	kept := tools.SecretsOf(h.parts.World.Environ, h.parts.World.Home)
	return chat.New(h.parts.Config.Home.Profile(profile)).Append(
		chat.Entry{Role: "you", Text: kept.Hide(said)}, chat.Entry{Role: "assistant", Text: kept.Hide(answered)})
}

func (h persons) Profiles() ([]string, error) { return personal.Profiles(h.parts.Config.Home) }

func (h persons) UseProfile(name string) (string, bool, error) {
	profile, isNew, err := personal.SwitchProfile(h.parts.Config.Home, name)
	return profile.Name, isNew, err
}

// Saved returns the output of the list_places tool.
func (h persons) Saved(profile string) (string, error) {
	tool, err := h.parts.Config.Tools.Snapshot().Find("list_places", tools.Mode{Person: true})
	if err != nil {
		return "", err
	}
	call, err := tool.Decode(nil)
	if err != nil {
		return "", err
	}
	output, err := call.Run(context.Background(), tools.Env{
		Home: h.parts.Config.Home.User, State: h.parts.Config.Home.State, Profile: h.parts.Config.Home.Profile(profile).Dir, Now: h.parts.World.Now,
		Environ: h.parts.World.Environ, Progress: func(string) {}, Room: tools.ResultLimits.Tokens,
		Seen:         &tools.Stamps{},
		Conversation: tools.Conversation{SetDir: func(string) error { return nil }, SetProfile: func(string) error { return nil }, Exit: func() {}},
	})
	return output.Text, err
}

func (h persons) Lifetime() (command.Lifetime, error) {
	total, err := spending.Of(h.parts.Config.Home).Usage()
	return command.Lifetime{Cost: total.Cost, Turns: total.Turns, ModelTurns: total.ModelTurns}, err
}

func (h persons) PreferencesPath(profile string) string {
	dir := h.parts.Config.Home.Profile(profile).Dir
	if dir == "" {
		return "nowhere, because there is no home directory"
	}
	return filepath.Join(dir, "preferences.yaml")
}

func (h persons) EditPreferences(profile string) error {
	files := h.parts.Config.Home.Profile(profile)
	path, err := personal.CreatePreferences(files)
	if err != nil {
		return fmt.Errorf("preferences: %w", err)
	}
	if err := (editor.Editor{World: h.parts.World}).Open(path); err != nil {
		return err
	}
	_, err = personal.Preferences(files)
	return err
}

// Detach implements [command.Host].
func (h persons) Detach() error {
	switch p := h.parts; {
	case p.Attached:
		return nil
	case p.Detach == nil:
		return errors.New("this conversation cannot continue without its window; to begin one that can, run marvin start")
	default:
		return p.Detach()
	}
}
