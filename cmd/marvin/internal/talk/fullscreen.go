package talk

import (
	"context"
	"fmt"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/editor"
	"marvin/cmd/marvin/internal/host"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/cmd/marvin/internal/themes"
	"marvin/persistence/chat"
	"marvin/ui"
	"marvin/ui/command"
	"marvin/ui/slash"
	"marvin/ui/tui"
)

func fullScreen(ctx context.Context, terminal *tui.Terminal, client ui.Client, parts *app.App, first string, aside *cli.TranscriptWriter) error {
	lines := aside.Begin()
	defer aside.End()
	aside.Repeat()
	draft, unsent, err := chat.OpenDraft(parts.Config.Home.Profile(parts.Profile))
	if err != nil {
		fmt.Fprintln(aside, "warning:", err)
	}
	defer func() { _ = draft.Close() }() // an error does no harm, because the content is already saved
	world := parts.World
	return terminal.Run(ctx, tui.Config{
		Client: client, First: first, Now: world.Now, Lines: lines,
		Engine: func(front command.Front) *command.Engine { return host.Engine(parts, client, front) },
		Inputs: func(profile string) []string { return inputsOf(parts, profile) },
		Place:  func(dir string) string { return placeOf(parts, dir) },
		Jobs:   host.JobTable{Parts: parts}.Running,
		Status: parts.Settings.Status,
		Input:  func(profile string, text string) { addInput(parts, profile, text) },
		Looks:  themes.LookOf(world, parts.Settings),
		Vim:    parts.Settings.Editing == "vim",
		Keys:   parts.Settings.Keys, Edit: editor.Editor{World: world}.Edit, Copy: func(text string) (string, error) { return pictures.CopyText(parts.World, text) }, Complete: func(kind slash.Kind, dir string, prefix string) []slash.Completion {
			return host.Complete(parts, kind, dir, prefix)
		},
		Unsent: tui.Unsent(unsent), Save: func(unsent tui.Unsent) error { return draft.Save(chat.Unsent(unsent)) },
		Notify: notificationMethod(parts.Settings.Notify, world.Getenv("TERM_PROGRAM")), Scroll: themes.Scrolls(world.Getenv("TERM")),
		Images: themes.Images(world, parts.Settings.Images),
	})
}

// notificationMethod returns the method for notifying a user who is not looking at the terminal.
// The default is OSC 9 in terminals that are known to support it, and the bell in other terminals.
func notificationMethod(chosen, program string) string {
	if chosen != "" {
		return chosen
	}
	switch program {
	case "iTerm.app", "WezTerm", "ghostty":
		return "osc9"
	}
	return "bell"
}
