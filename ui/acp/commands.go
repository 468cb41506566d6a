package acp

import (
	"slices"
	"strings"

	"marvin/messages"
	"marvin/ui/command"
)

// offered are the commands that make sense in an editor. The others need a terminal, or do
// what the editor does itself: it opens sessions, copies text and has the keys.
var offered = []command.Verb{
	command.Plan, command.Thoughts, command.Compact, command.Usage, command.ContextOf, command.Sent, command.Code, command.Chat,
	command.Diff, command.Undo, command.Redo, command.Init, command.Label, command.Rename, command.Export, command.Tools, command.Skills,
	command.Jobs, command.Background, command.Agents, command.Artifacts, command.Servers, command.Languages, command.Problems,
	command.Hooks, command.Approve, command.Permissions, command.Model, command.Provider, command.Thinking, command.Doctor, command.Directory,
}

// command carries out a line that begins with a slash.
func (s *session) command(one *prompt) {
	switch known := command.Parse(one.line, false); {
	case known.Verb == command.Unknown, slices.Contains(offered, known.Verb):
		s.engine.Take(one.line)
	case known.Verb == command.Prompt:
		one.line = ""
		s.engine.Send(one.words)
	default:
		name, _, _ := strings.Cut(one.line, " ")
		s.say(messages.Warning, name+" is not for an editor: the editor opens and closes sessions itself, and there is no terminal here.")
	}
}

// tellCommands lists the commands of Marvin's and of files.
func (s *session) tellCommands() {
	told := commandsUpdate{Kind: "available_commands_update", Commands: []availableCommand{}}
	add := func(name, description, hint string) {
		one := availableCommand{Name: strings.TrimPrefix(name, "/"), Description: description}
		if hint != "" {
			one.Input = &commandInput{Hint: hint}
		}
		told.Commands = append(told.Commands, one)
	}
	for _, entry := range command.Table {
		if slices.Contains(offered, entry.Verb) {
			add(entry.Name, entry.Help, entry.Arguments)
		}
	}
	for _, written := range s.written {
		add(written.Name, written.Description, written.Hint)
	}
	s.update(told)
}
