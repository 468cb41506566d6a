package host

import (
	"context"
	"fmt"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/config"
	"marvin/cmd/marvin/internal/themes"
	"marvin/persistence/settings"
	"marvin/ui/command"
	"marvin/ui/theme"
)

// preferences implements the [command.Host] methods that manage themes and settings.
type preferences struct{ parts *app.App }

// Themes implements [command.Host].
func (h preferences) Themes(context.Context) []command.ThemeChoice {
	world := h.parts.World
	list := append([]command.ThemeChoice{}, PlainThemes...)
	own := map[string]bool{}
	for _, name := range (settings.ThemeFiles{Home: cli.OpenHome(world)}).Names() {
		choice := command.ThemeChoice{Name: name, Note: "yours"}
		if _, err := themes.FindTheme(world, name); err != nil {
			choice.Wrong = err.Error()
		}
		own[name] = true
		list = append(list, choice)
	}
	for _, name := range theme.Names() {
		one, _ := theme.Find(name)
		if note := "light"; !own[name] {
			if one.Dark() {
				note = "dark"
			}
			list = append(list, command.ThemeChoice{Name: name, Note: note})
		}
	}
	return list
}

// Settings implements [command.Host].
func (h preferences) Settings(context.Context) ([]command.Setting, error) {
	world := h.parts.World
	all, err := config.HeldSettings(world, h.parts.Opts)
	if err != nil {
		return nil, err
	}
	var list []command.Setting
	for _, one := range all {
		setting := command.Setting{Key: one.Key, Help: one.Help, Value: one.Show(), From: one.From, Words: one.Words, Explained: one.Explain(world.ConfigFile().Path())}
		switch one.Setting.Shape {
		case settings.Block:
			setting.Fixed = "it has several lines"
		case settings.Switch:
			setting.Words = []string{"true", "false"}
		}
		list = append(list, setting)
	}
	return list, nil
}

// Set implements [command.Host].
func (h preferences) Set(_ context.Context, key, value string) (string, error) {
	world := h.parts.World
	if value == "" {
		if err := world.ConfigFile().Unset(key); err != nil {
			return "", err
		}
		one, err := config.SettingValue(world, key, h.parts.Opts)
		return fmt.Sprintf("%s is %s (%s)", one.Key, one.Show(), one.From), err
	}
	return config.SetConfig(world, key, value, h.parts.Opts)
}

// PlainThemes lists the theme choices that are not color themes.
var PlainThemes = []command.ThemeChoice{
	{Name: "auto", Note: "Marvin's own, on the terminal's background"},
	{Name: "terminal", Note: "the terminal's own sixteen colors"},
	{Name: "mono", Note: "no colors"},
}
