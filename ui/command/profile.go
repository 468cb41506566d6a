package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

type profiles struct {
	*Env
	numbered *numbered
}

func (p profiles) take(name string) {
	if name == "" {
		p.runOutside("list the profiles", func(context.Context) func() {
			names, err := p.Host.Profiles()
			return func() { p.list(names, err) }
		})
		return
	}
	if at, err := pick(name, len(p.numbered.profiles)); at >= 0 {
		name = p.numbered.profiles[at]
	} else if err != nil && len(p.numbered.profiles) > 0 {
		p.warn(err.Error() + "; /profile lists them.")
		return
	}
	p.runOutside("switch the profile", func(context.Context) func() {
		names, err := p.Host.Profiles()
		return p.reportOr(err, func() { p.choose(name, names) })
	})
}

// choose selects an existing profile. It creates a profile only if the user typed the word "new",
// so that a typing error does not create one.
func (p profiles) choose(name string, names []string) {
	if word, rest := slash.CutWord(name); strings.EqualFold(word, "new") && rest != "" {
		p.use(rest)
		return
	}
	typed := strings.ReplaceAll(name, " ", "_")
	same := func(other string) bool { return strings.EqualFold(other, typed) }
	if at := slices.IndexFunc(names, same); at >= 0 || same(p.Talk.Profile) || same("default") {
		p.use(name)
		return
	}
	if strings.EqualFold(name, "new") {
		p.warn("Usage: /profile new NAME makes a profile; /profile lists them.")
		return
	}
	p.warn("There is no profile " + name + suggestOr(typed, names, "; /profile lists them.") + " /profile new " + name + " makes it.")
}

func (p profiles) use(name string) {
	p.runOutside("switch the profile", func(context.Context) func() {
		profile, isNew, err := p.Host.UseProfile(name)
		return p.reportOr(err, func() {
			if profile == p.Talk.Profile {
				p.say("The profile is " + profile + " already.")
				return
			}
			p.ask("switch the profile", messages.SetProfile{Name: profile})
			text := "Profile switched to: " + profile
			if isNew {
				text += " (new; /preferences edits its preferences)"
			}
			p.say(text)
		})
	})
}

func (p profiles) list(names []string, err error) {
	if err != nil {
		p.fail(err)
		return
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == p.Talk.Profile })
	p.numbered.profiles = append([]string{p.Talk.Profile}, names...)
	var text strings.Builder
	text.WriteString("Profiles:\n")
	for i, name := range p.numbered.profiles {
		mark := " "
		if i == 0 {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %2d. %s\n", mark, i+1, name)
	}
	text.WriteString("Switch with /profile NUMBER or /profile NAME; make a new one with /profile new NAME.")
	p.say(text.String())
}

// preferences opens the current profile's preferences in the user's editor.
func (p profiles) preferences(string) {
	profile := p.Talk.Profile
	err := p.Front.Suspend(func() error { return p.Host.EditPreferences(profile) })
	switch {
	case errors.Is(err, ErrNoTerminal):
		p.say("The preferences are in " + p.Host.PreferencesPath(profile) + "; changes apply from your next prompt.")
	case err != nil:
		p.fail(err)
	default:
		p.say("The preferences of " + profile + " apply from your next prompt.")
	}
}

func (p profiles) saved(string) {
	profile := p.Talk.Profile
	p.runOutside("list the saved places", func(context.Context) func() {
		places, err := p.Host.Saved(profile)
		return func() {
			if places != "" {
				p.say(places)
			}
			if err != nil {
				p.fail(err)
			}
		}
	})
}
