package tui

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"marvin/ui/command"
	"marvin/ui/view"
)

// keymap says what keys do.
type keymap struct {
	actions map[string]map[string]*action // by mode and chord
	table   []action                      // with the keys that count
	reading int                           // where the actions of reading begin
}

// The modes in which keys mean different things.
const (
	typing  = "typing"
	reading = "reading"
)

// bind makes the keymap of the defaults and what the person changed: action → keys. A
// key that was given away is taken from whoever had it. The problems are for them.
func bind(changes map[string][]string) (*keymap, []string) {
	typed := everywhere()
	k := &keymap{table: append(typed, inReading()...), reading: len(typed)}
	var problems []string
	changed := map[string]bool{} // mode and chord
	for _, name := range slices.Sorted(maps.Keys(changes)) {
		at := slices.IndexFunc(k.table, func(a action) bool { return a.name == name })
		if at < 0 {
			problems = append(problems, fmt.Sprintf("there is no action %q%s", name, k.suggest(name)))
			continue
		}
		var keys []string
		for _, text := range changes[name] {
			key := readChord(text)
			if key == "" || at < k.reading && len(key) == 1 {
				problems = append(problems, fmt.Sprintf("%q is no key for %s (write it as Ctrl-P, Alt-Enter or F3)", text, name))
				continue
			}
			keys = append(keys, key)
			changed[k.mode(at)+key] = true
		}
		if len(keys) > 0 || len(changes[name]) == 0 {
			k.table[at].keys = strings.Join(keys, " ")
		}
	}
	k.actions = map[string]map[string]*action{typing: {}, reading: {}}
	for i := range k.table {
		mode, own := k.mode(i), []string{}
		_, mine := changes[k.table[i].name]
		for _, key := range strings.Fields(k.table[i].keys) {
			if changed[mode+key] && !mine {
				continue
			}
			own = append(own, key)
			k.actions[mode][key] = &k.table[i]
		}
		k.table[i].keys = strings.Join(own, " ")
	}
	return k, problems
}

func (k *keymap) mode(index int) string {
	if index >= k.reading {
		return reading
	}
	return typing
}

func (k *keymap) suggest(name string) string {
	var names []string
	for _, each := range k.table {
		names = append(names, each.name)
	}
	if near := command.Suggest(name, names); len(near) > 0 {
		return fmt.Sprintf(" (did you mean %s?)", strings.Join(near, " or "))
	}
	return " (/keys lists them)"
}

// listing is the table as people read it.
func (k *keymap) listing() string {
	var text strings.Builder
	for i, each := range k.table {
		if i == k.reading {
			text.WriteString("\nWhile reading the conversation (" + k.keysOf("read") + "):\n")
		}
		keys := strings.ReplaceAll(each.keys, " ", ", ")
		if keys == "" {
			keys = "no key"
		}
		fmt.Fprintf(&text, "%s%s%s\n", pad(keys, 22), pad(each.name, 17), each.what)
	}
	text.WriteString("\nOther keys for an action: keys: in config.yaml, such as  keys: {find: [Ctrl-F, F3]}")
	return text.String()
}

// keysOf are the keys of an action, for hints; the first one only.
func (k *keymap) keysOf(name string) string {
	for _, each := range k.table {
		if each.name == name {
			first, _, _ := strings.Cut(each.keys, " ")
			return first
		}
	}
	return ""
}

func pad(text string, width int) string {
	return text + strings.Repeat(" ", max(width-view.Width(text), 1))
}
