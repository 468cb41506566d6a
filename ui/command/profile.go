package command

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/messages"
)

// profile lists the profiles, the active one first, or switches to one.
func (e *Engine) profile(name string) {
	if name == "" {
		e.beside("list the profiles", func(context.Context) func() {
			names, err := e.Host.Profiles()
			return func() { e.listProfiles(names, err) }
		})
		return
	}
	if at, err := pick(name, len(e.profiles)); at >= 0 {
		name = e.profiles[at]
	} else if err != nil && len(e.profiles) > 0 {
		e.warn(err.Error() + "; /profile lists them.")
		return
	}
	e.beside("switch the profile", func(context.Context) func() {
		names, err := e.Host.Profiles()
		return func() {
			if err != nil {
				e.fail(err)
				return
			}
			e.chooseProfile(name, names)
		}
	})
}

// chooseProfile switches to a profile that there is. Only one that is called new by the
// person is made: a slip of the keyboard would otherwise begin an empty one.
func (e *Engine) chooseProfile(name string, names []string) {
	if word, rest := cutWord(name); strings.EqualFold(word, "new") && rest != "" {
		e.useProfile(rest)
		return
	}
	typed := strings.ReplaceAll(name, " ", "_")
	same := func(other string) bool { return strings.EqualFold(other, typed) }
	if at := slices.IndexFunc(names, same); at >= 0 || same(e.Talk.Profile) || same("default") { // guard: U10: a slip of the keyboard makes no profile
		e.useProfile(name)
		return
	}
	text := "There is no profile " + name
	if near := Suggest(typed, names); len(near) > 0 {
		text += "; did you mean " + strings.Join(near, " or ") + "?"
	} else {
		text += "; /profile lists them."
	}
	if strings.EqualFold(name, "new") {
		e.warn("Usage: /profile new NAME makes a profile; /profile lists them.")
		return
	}
	e.warn(text + " /profile new " + name + " makes it.")
}

func (e *Engine) useProfile(name string) {
	e.beside("switch the profile", func(context.Context) func() {
		profile, isNew, err := e.Host.UseProfile(name)
		return func() {
			if err != nil {
				e.fail(err)
				return
			}
			if profile == e.Talk.Profile {
				e.say("The profile is " + profile + " already.")
				return
			}
			e.ask("switch the profile", messages.SetProfile{Name: profile})
			text := "Profile switched to: " + profile
			if isNew {
				text += " (new; preferences edits what it likes)"
			}
			e.say(text)
		}
	})
}

func (e *Engine) listProfiles(names []string, err error) {
	if err != nil {
		e.fail(err)
		return
	}
	names = slices.DeleteFunc(names, func(name string) bool { return name == e.Talk.Profile })
	e.profiles = append([]string{e.Talk.Profile}, names...)
	var text strings.Builder
	text.WriteString("Profiles:\n")
	for i, name := range e.profiles {
		mark := " "
		if i == 0 {
			mark = "*"
		}
		fmt.Fprintf(&text, "%s %2d. %s\n", mark, i+1, name)
	}
	text.WriteString("/profile NUMBER or /profile NAME switches; /profile new NAME makes one.")
	e.say(text.String())
}

// preferences lets the person edit; the next request reads what they wrote.
func (e *Engine) preferences(string) {
	profile := e.Talk.Profile
	err := e.Front.Suspend(func() error { return e.Host.EditPreferences(profile) })
	switch {
	case errors.Is(err, ErrNoTerminal):
		e.say("The preferences are in " + e.Host.PreferencesPath(profile) + "; what you change there holds from the next prompt on.")
	case err != nil:
		e.fail(err)
	default:
		e.say("The preferences of " + profile + " hold from the next prompt on.")
	}
}

func (e *Engine) saved(string) {
	profile := e.Talk.Profile
	e.beside("list the saved places", func(context.Context) func() {
		places, err := e.Host.Saved(profile)
		return func() {
			if places != "" {
				e.say(places)
			}
			if err != nil {
				e.fail(err)
			}
		}
	})
}
