package keymap

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/ui/slash"
)

// Map contains one user's key bindings for one surface.
type Map struct {
	surface Surface
	keys    [len(Table)]string   // keys[i] lists the keys of Table[i], separated by spaces
	actions [2]map[string]string // names of actions, by place and key
}

// Bind returns a surface's key bindings. The user assigns keys to named actions, and an assigned
// key loses its default action. The second result reports unknown actions and invalid keys.
func Bind(surface Surface, changes map[string][]string) (*Map, []string) {
	m := &Map{surface: surface, actions: [2]map[string]string{{}, {}}}
	for i, action := range Table {
		m.keys[i] = action.KeysOn(surface)
	}
	var problems []string
	given := map[Place]map[string]bool{Typing: {}, Reading: {}}
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		at := slices.IndexFunc(Table[:], func(action Action) bool { return action.Name == name })
		if at < 0 {
			problems = append(problems, fmt.Sprintf("there is no action %q%s", name, suggest(name)))
			continue
		}
		if !m.supports(Table[at]) {
			continue // plain mode does not have this action
		}
		keys, wrong := chords(Table[at], changes[name])
		problems = append(problems, wrong...)
		for _, key := range keys {
			given[Table[at].Place][key] = true
		}
		if len(keys) > 0 || len(changes[name]) == 0 {
			m.keys[at] = strings.Join(keys, " ")
		}
	}
	for i, action := range Table {
		_, mine := changes[action.Name]
		own := slices.DeleteFunc(strings.Fields(m.keys[i]), func(key string) bool { return given[action.Place][key] && !mine })
		m.keys[i] = strings.Join(own, " ")
		for _, key := range own {
			m.actions[action.Place][key] = action.Name
		}
	}
	return m, problems
}

func (m *Map) supports(action Action) bool { return m.surface == Screen || action.KeysOn(Lines) != "" }

// chords parses key names that a user wrote. It also returns a message for each invalid name.
func chords(action Action, texts []string) (keys, problems []string) {
	for _, text := range texts {
		key := Read(text)
		if key == "" || action.Place == Typing && len(key) == 1 {
			problems = append(problems, fmt.Sprintf("%q is not a key for %s (write keys as Ctrl-P, Alt-Enter or F3)", text, action.Name))
			continue
		}
		keys = append(keys, key)
	}
	return keys, problems
}

func suggest(name string) string {
	var names []string
	for _, each := range Table {
		names = append(names, each.Name)
	}
	if near := slash.Suggest(name, names); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
	}
	return " (/keys lists them)"
}

// Action returns the name of a key's action in the given place, or "" if the key has none there.
func (m *Map) Action(place Place, key string) string { return m.actions[place][key] }

// First returns the first key of an action, or "" if the action has no key. Hints show this key.
func (m *Map) First(name string) string {
	for i, action := range Table {
		if action.Name == name {
			first, _, _ := strings.Cut(m.keys[i], " ")
			return first
		}
	}
	return ""
}
