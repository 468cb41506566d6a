package tui

import (
	"slices"
	"strings"

	"marvin/ui/command"
	"marvin/ui/keymap"
	"marvin/ui/slash"
	"marvin/ui/tui/internal/canvas"
	"marvin/ui/view"
)

type menuEntry struct {
	item view.Item
	do   func()
}

// offered contains the names of the actions that the menu shows with their keys. Actions that edit
// text or move the cursor are omitted.
var offered = []string{
	"approve", "next-model", "next-effort", "background", "agents", "plan", "find", "read", "results", "thoughts",
	"copy-answer", "copy-code", "search", "editor", "paste-picture", "top", "bottom", "mouse", "suspend", "redraw", "help",
}

// openMenu opens a menu of all commands, key actions and the user's command files.
func openMenu(s *Screen) {
	deeds := slices.Concat(commandEntries(s), keyEntries(s))
	pick := command.Pick{List: view.List{Title: "What do you want to do?", Items: itemsOf(deeds)}}
	pick.Chosen = func(index int) { deeds[index].do() }
	if list, dir := s.Complete, s.view.Dir; list != nil {
		pick.Later = func() func() []view.Item {
			written := list(slash.KindCommand, dir, "/")
			return func() []view.Item {
				for _, one := range written {
					item := formatCommand(one.Item, one.Note)
					item.Group = "from files"
					deeds = append(deeds, menuEntry{item, func() { fillIn(s, one.Item, "") }})
				}
				return itemsOf(deeds)
			}
		}
	}
	front{s}.Pick(pick)
}

// formatCommand returns a menu item for a command. The variadic arguments are additional search
// terms.
func formatCommand(name, does string, names ...string) view.Item {
	gap := strings.Repeat(" ", max(14-view.Width(name), 1))
	return view.Item{Text: name + gap + canvas.OneRow(does), Words: strings.Join(names, " ")}
}

func itemsOf(deeds []menuEntry) []view.Item {
	items := make([]view.Item, len(deeds))
	for i, one := range deeds {
		items[i] = one.item
	}
	return items
}

// commandEntries returns menu entries for all commands except "/help" and "!COMMAND". A command
// that needs arguments is put into the input instead of being run.
func commandEntries(s *Screen) (all []menuEntry) {
	for _, entry := range slash.Table {
		if entry.Verb == slash.Run || entry.Verb == slash.Help {
			continue
		}
		do := func() { s.engine.Take(entry.Name) }
		if entry.Arguments != "" && entry.Arguments[0] != '[' {
			do = func() { fillIn(s, entry.Name, entry.Arguments) }
		}
		item := formatCommand(entry.Name, entry.Help, slices.Concat(entry.Aliases, slash.ForeignNames(entry), []string{string(entry.Group)})...)
		item.Group, item.Preview = string(entry.Group), slash.EntryHelp(entry)
		all = append(all, menuEntry{item, do})
	}
	return all
}

// keyEntries returns the menu entries of the [offered] actions. Each entry shows the action's first
// key.
func keyEntries(s *Screen) (all []menuEntry) {
	for _, action := range keymap.Table {
		if action.Place == keymap.Typing && slices.Contains(offered, action.Name) {
			do := s.actions[action.Name]
			all = append(all, menuEntry{view.Item{Text: action.What, Note: s.keys.First(action.Name), Words: action.Name, Group: "keys"}, func() { do(s) }})
		}
	}
	return all
}

// fillIn puts a command into an empty input so that the user can add arguments. If the input is not
// empty, fillIn only shows a hint.
func fillIn(s *Screen, name, arguments string) {
	if s.input.Empty() {
		s.input.SetText(name + " ")
		return
	}
	s.say(strings.TrimSpace("Type "+name+" "+arguments)+" once this is sent", canvas.HintTime)
}
