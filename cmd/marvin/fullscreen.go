package main

import (
	"context"
	"fmt"

	"marvin/persistence/chat"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

// fullScreen talks on the whole terminal.
func fullScreen(ctx context.Context, terminal *tui.Terminal, client ui.Client, parts *parts, first string, aside *aside) error {
	lines := aside.begin()
	defer aside.end()
	aside.repeat()
	draft, unsent, err := chat.OpenDraft(parts.config.Home.Profile(parts.profile))
	if err != nil {
		fmt.Fprintln(aside, "warning:", err)
	}
	defer func() { _ = draft.Close() }() // what it keeps is written by Save
	world := parts.world
	return terminal.Run(ctx, tui.Config{
		Client: client, First: first, Now: world.Now, Lines: lines,
		Engine: func(front command.Front) *command.Engine { return engineOf(parts, client, front) },
		Inputs: func(profile string) []string { return inputsOf(parts, profile) },
		Place:  func(dir string) string { return placeOf(parts, dir) },
		Jobs:   jobTable{parts}.running,
		Status: parts.settings.Status,
		Input:  func(profile string, text string) { addInput(parts, profile, text) },
		Looks:  looks(world, parts.settings),
		Vim:    parts.settings.Editing == "vim",
		Keys:   parts.settings.Keys, Edit: editor{world}.edit, Copy: func(text string) (string, error) { return copyText(parts, text) }, Complete: func(kind slash.Kind, dir string, prefix string) []slash.Completion {
			return complete(parts, kind, dir, prefix)
		},
		Unsent: tui.Unsent(unsent), Save: func(unsent tui.Unsent) error { return draft.Save(chat.Unsent(unsent)) },
		Notify: notifies(parts.settings.Notify, world.Getenv("TERM_PROGRAM")), Scroll: scrolls(world.Getenv("TERM")),
		Images: images(world, parts.settings.Images),
	})
}

// notifies is how a user who looks away is notified: as configured, with text if the terminal is
// known to show it, otherwise by the bell.
func notifies(chosen, program string) string {
	if chosen != "" {
		return chosen
	}
	switch program {
	case "iTerm.app", "WezTerm", "ghostty":
		return "osc9"
	}
	return "bell"
}
