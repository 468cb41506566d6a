package config

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jessevdk/go-flags"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/themes"
	"marvin/persistence/settings"
	"marvin/tools"
)

// This command shows and changes the settings. A repository cannot change a setting: settings come
// only from the user's config.yaml, environment variables and command-line options.

type Command struct {
	List    configList    `command:"list" description:"list every setting, its value and where it is set" long-description:"Examples:\n  marvin config list\n  marvin config list context\n  marvin config list --output json"`
	Get     configGet     `command:"get" description:"print the value of one setting, or nothing if it has none" long-description:"Example:\n  marvin config get theme"`
	Set     configSet     `command:"set" description:"write one setting into config.yaml; every other line stays as it is" long-description:"The items of a list are separated by commas. Edit a multi-line value in an editor.\n\nExamples:\n  marvin config set theme nord\n  marvin config set context.warn 150000\n  marvin config set pass_env NPM_TOKEN,MYAPP_*"`
	Unset   configUnset   `command:"unset" description:"remove one setting from config.yaml" long-description:"Example:\n  marvin config unset theme"`
	Explain configExplain `command:"explain" description:"explain one setting: allowed values, current value, and its source" long-description:"Example:\n  marvin config explain sandbox"`
}

type (
	configList struct {
		Args struct {
			Words []string `positional-arg-name:"WORD" description:"only settings with this word in their name or help"`
		} `positional-args:"yes"`
	}
	configGet struct {
		Args struct {
			Key settingKey `positional-arg-name:"KEY" required:"yes" description:"a key that \"marvin config list\" shows"`
		} `positional-args:"yes"`
	}
	configSet struct {
		Args struct {
			Key   settingKey `positional-arg-name:"KEY" required:"yes" description:"a key that \"marvin config list\" shows"`
			Value []string   `positional-arg-name:"VALUE" required:"1" description:"the new value"`
		} `positional-args:"yes"`
	}
	configUnset   configGet
	configExplain configGet
)

type settingKey string

// Complete returns the settings whose keys begin with prefix.
func (settingKey) Complete(prefix string) (list []flags.Completion) {
	for _, setting := range settings.All() {
		if strings.HasPrefix(setting.Key, prefix) {
			list = append(list, flags.Completion{Item: setting.Key, Description: setting.Help})
		}
	}
	return list
}

// heldSetting is the JSON form of a setting and its current value.
type heldSetting struct {
	Key   string   `json:"key"`
	Value string   `json:"value"` // "" if only the default applies
	From  string   `json:"from"`  // such as "--effort" or "config.yaml:3 and MARVIN_PASS_ENV"
	Usual string   `json:"default,omitempty"`
	Words []string `json:"words,omitempty"`
	Help  string   `json:"help"`
	Page  string   `json:"page"`

	Setting settings.Setting `json:"-"`
	line    int
}

// defaultSource is the source of a setting that has its default value.
const defaultSource = "default"

// HeldSettings returns every setting with its current value and source.
func HeldSettings(w cli.World, opts cli.Options) ([]heldSetting, error) {
	found, err := w.ConfigFile().Written()
	if err != nil {
		return nil, err
	}
	options := map[string]string{"--approve": opts.Approve, "--sandbox": opts.Sandbox, "--effort": opts.Effort}
	var list []heldSetting
	for _, setting := range settings.All() {
		one := heldSetting{Key: setting.Key, From: defaultSource, Usual: setting.Usual, Words: setting.Words, Help: setting.Help, Page: setting.Page, Setting: setting}
		written, inFile := found[setting.Key]
		variable := ""
		if setting.Env != "" {
			variable = strings.TrimSpace(w.Getenv(setting.Env))
		}
		one.line = written.Line
		file := fmt.Sprintf("config.yaml:%d", written.Line)
		switch option := options[setting.Flag]; {
		case setting.Flag != "" && option != "":
			one.Value, one.From = option, setting.Flag
		case variable != "" && setting.Shape != settings.OneWord && !setting.Before && inFile && setting.Shape != settings.Number: // the values are combined
			one.Value, one.From = written.Value+", "+variable, file+" and "+setting.Env
		case variable != "" && (setting.Before || !inFile):
			one.Value, one.From = variable, setting.Env
		case inFile:
			one.Value, one.From = written.Value, file
		}
		list = append(list, one)
	}
	return list, nil
}

// Show returns the value as visible text. If the value is empty, Show returns the default or
// "none".
func (h heldSetting) Show() string {
	return tools.Visible(cmp.Or(h.Value, h.Usual, "none"))
}

func (c configList) Run(_ context.Context, world cli.World, opts cli.Options) error {
	list, err := HeldSettings(world, opts)
	if err != nil {
		return err
	}
	list = slices.DeleteFunc(list, func(one heldSetting) bool {
		return slices.ContainsFunc(c.Args.Words, func(word string) bool {
			return !strings.Contains(strings.ToLower(one.Key+" "+one.Help), strings.ToLower(word))
		})
	})
	if opts.Output == "json" || opts.Output == "jsonl" {
		return cli.WriteLine(world, struct {
			Path     string        `json:"path"`
			Settings []heldSetting `json:"settings"`
		}{world.ConfigFile().Path(), append([]heldSetting{}, list...)})
	}
	for _, one := range list {
		fmt.Fprintf(world.Stdout, "%-16s %-40s %s\n", one.Key, one.Show(), one.From)
	}
	if len(list) == 0 {
		return fmt.Errorf("no setting is about %s; to list all settings, run marvin config list", strings.Join(c.Args.Words, " "))
	}
	return nil
}

func (c configGet) Run(_ context.Context, world cli.World, opts cli.Options) error {
	one, err := SettingValue(world, string(c.Args.Key), opts)
	if err != nil {
		return err
	}
	if opts.Output == "json" || opts.Output == "jsonl" {
		return cli.WriteLine(world, one)
	}
	if one.Value != "" {
		fmt.Fprintln(world.Stdout, tools.Visible(one.Value))
	}
	return nil
}

func SettingValue(w cli.World, key string, opts cli.Options) (heldSetting, error) {
	setting, err := settings.Find(key)
	if err != nil {
		return heldSetting{}, err
	}
	list, err := HeldSettings(w, opts)
	at := slices.IndexFunc(list, func(one heldSetting) bool { return one.Key == setting.Key })
	if err != nil || at < 0 {
		return heldSetting{}, err
	}
	return list[at], nil
}

func (c configExplain) Run(_ context.Context, world cli.World, opts cli.Options) error {
	one, err := SettingValue(world, string(c.Args.Key), opts)
	if err != nil {
		return err
	}
	if opts.Output == "json" || opts.Output == "jsonl" {
		return cli.WriteLine(world, one)
	}
	_, err = fmt.Fprintln(world.Stdout, one.Explain(world.ConfigFile().Path()))
	return err
}

// Explain returns a multi-line description of the setting and its value.
func (h heldSetting) Explain(path string) string {
	var text strings.Builder
	row := func(name, value string) {
		if value != "" {
			fmt.Fprintf(&text, "%-10s %s\n", name, value)
		}
	}
	fmt.Fprintf(&text, "%s: %s\n", h.Key, h.Help)
	row("holds", h.Show())
	from := h.From
	if h.line > 0 {
		from = strings.Replace(from, "config.yaml", path, 1)
	}
	row("from", from)
	switch h.Setting.Shape {
	case settings.OneWord:
		row("may be", strings.Join(h.Words, ", "))
	case settings.List:
		row("may be", "words, separated by commas")
	case settings.Switch:
		row("may be", "true, false")
	case settings.Block:
		row("set it", cmp.Or(h.Setting.Command, "in "+path+", with an editor"))
	}
	if h.Setting.Shape != settings.Block {
		row("set it", "marvin config set "+h.Key+" VALUE")
	}
	row("default", h.Usual)
	if h.Setting.Env != "" {
		row("variable", h.Setting.Env+map[bool]string{true: ", which overrides the file", false: ""}[h.Setting.Before])
	}
	row("option", h.Setting.Flag)
	row("more", "marvin help "+h.Page)
	text.WriteString("A repository cannot change it.")
	return text.String()
}

func (c configSet) Run(_ context.Context, world cli.World, opts cli.Options) error {
	said, err := SetConfig(world, string(c.Args.Key), strings.Join(c.Args.Value, " "), opts)
	if err == nil {
		fmt.Fprintln(world.Stdout, said)
	}
	return err
}

// errGuarded is returned if MARVIN_CALL is set. A conversation's commands must not change the
// conversation's limits.
var errGuarded = errors.New("a command that a conversation runs cannot change your settings; type it in your own terminal, or use /settings")

// SetConfig writes a setting and describes the value that is now in effect.
func SetConfig(w cli.World, key, value string, opts cli.Options) (said string, err error) {
	if w.Getenv("MARVIN_CALL") != "" {
		return "", errGuarded
	}
	setting, err := settings.Find(key)
	if err != nil {
		return "", err
	}
	if setting.Key == "theme" {
		if _, err := themes.FindTheme(w, value); err != nil {
			return "", err
		}
	}
	if err := w.ConfigFile().Set(key, value); err != nil {
		return "", err
	}
	one, err := SettingValue(w, key, opts)
	if err != nil {
		return "", err
	}
	said = fmt.Sprintf("%s is %s (%s)", one.Key, one.Show(), one.From)
	if !strings.HasPrefix(one.From, "config.yaml") {
		said = fmt.Sprintf("%s is saved, but %s overrides it with %s", one.Key, one.From, one.Show())
	}
	return said, nil
}

func (c configUnset) Run(_ context.Context, world cli.World, opts cli.Options) error {
	if world.Getenv("MARVIN_CALL") != "" {
		return errGuarded
	}
	if err := world.ConfigFile().Unset(string(c.Args.Key)); err != nil {
		return err
	}
	one, err := SettingValue(world, string(c.Args.Key), opts)
	if err != nil {
		return err
	}
	fmt.Fprintf(world.Stdout, "%s is %s (%s)\n", one.Key, one.Show(), one.From)
	return nil
}
