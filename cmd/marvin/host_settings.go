package main

import (
	"context"
	"fmt"

	"marvin/persistence/settings"
	"marvin/ui/command"
	"marvin/ui/theme"
)

// preferences are the colours and settings of a person.
type preferences struct{ parts *parts }

// Themes implements [command.Host].
func (h preferences) Themes(context.Context) []command.ThemeChoice {
	world := h.parts.world
	list := append([]command.ThemeChoice{}, plainThemes...)
	own := map[string]bool{}
	for _, name := range (settings.ThemeFiles{Home: openHome(world)}).Names() {
		choice := command.ThemeChoice{Name: name, Note: "yours"}
		if _, err := themeOf(world, name); err != nil {
			choice.Wrong = err.Error()
		}
		own[name] = true
		list = append(list, choice)
	}
	for _, name := range theme.Names() {
		one, _ := theme.Named(name)
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
	world := h.parts.world
	all, err := heldSettings(world, h.parts.opts)
	if err != nil {
		return nil, err
	}
	var list []command.Setting
	for _, one := range all {
		setting := command.Setting{Key: one.Key, Help: one.Help, Value: one.told(), From: one.From, Words: one.Words, Explained: one.explained(world.configFile().Path())}
		switch one.setting.Shape {
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
	world := h.parts.world
	if value == "" {
		if err := world.configFile().Unset(key); err != nil {
			return "", err
		}
		one, err := heldOf(world, key, h.parts.opts)
		return fmt.Sprintf("%s is %s (%s)", one.Key, one.told(), one.From), err
	}
	return setConfig(world, key, value, h.parts.opts)
}

// plainThemes are the names that are no set of colours.
var plainThemes = []command.ThemeChoice{
	{Name: "auto", Note: "Marvin's own, on the ground that the terminal has"},
	{Name: "terminal", Note: "the terminal's own sixteen colors"},
	{Name: "mono", Note: "no colors"},
}
