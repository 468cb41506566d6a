package acp

import (
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/slash"
)

// offered contains the commands that make sense in an editor. The other commands need a terminal,
// or do what the editor already does, such as opening sessions, copying text or assigning keys.
var offered = []slash.Verb{
	slash.Plan, slash.Thoughts, slash.Compact, slash.Usage, slash.ContextOf, slash.Sent, slash.Code, slash.Chat,
	slash.Diff, slash.Undo, slash.Redo, slash.Init, slash.Label, slash.Rename, slash.Export, slash.Tools, slash.Skills,
	slash.Jobs, slash.Background, slash.Agents, slash.Artifacts, slash.Servers, slash.Languages, slash.Problems,
	slash.Hooks, slash.Approve, slash.Permissions, slash.Model, slash.Provider, slash.Thinking, slash.Doctor, slash.Directory,
}

// command is called for a prompt that begins with a slash.
func (s *session) command(one *prompt) {
	switch known := slash.Parse(one.line, false); {
	case known.Verb == slash.Unknown, slices.Contains(offered, known.Verb):
		s.engine.Take(one.line)
	case known.Verb == slash.Prompt:
		one.line = ""
		s.engine.Send(one.words)
	default:
		name, _, _ := strings.Cut(one.line, " ")
		s.say(messages.Warning, name+" does not work in an editor: the editor opens and closes sessions itself, and there is no terminal here.")
	}
}

// tellCommands sends the list of available commands to the client.
func (s *session) tellCommands() {
	told := commandsUpdate{Kind: "available_commands_update", Commands: []availableCommand{}}
	add := func(name, description, hint string) {
		one := availableCommand{Name: strings.TrimPrefix(name, "/"), Description: description}
		if hint != "" {
			one.Input = &commandInput{Hint: hint}
		}
		told.Commands = append(told.Commands, one)
	}
	for _, entry := range slash.Table {
		if slices.Contains(offered, entry.Verb) {
			add(entry.Name, entry.Help, entry.Arguments)
		}
	}
	for _, written := range s.written {
		add(written.Name, written.Description, written.Hint)
	}
	s.update(told)
}
