package talk

import (
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/themes"
	"marvin/persistence"
	"marvin/providers"
	"marvin/ui/command"
	"marvin/ui/tui"
)

// firstStart returns the questions for a new user, or nil if no questions are needed. They are
// asked once, in full-screen mode, if the command line contains no prompt. A user who already has a
// configuration or a conversation is not asked. A user who named a provider is asked only about
// colors.
func firstStart(p *app.App) *command.FirstStart {
	opts := p.Opts
	switch {
	case !cli.WantsFullScreen(p.World, opts) || p.Keeping.Dir == "" || p.GoesOn() || opts.Choosing:
		return nil
	case opts.Prompt != nil || opts.PromptFile != "" || len(opts.Words) > 0:
		return nil
	}
	named := app.NamesProvider(p, p.Selection.Provider)
	if named && p.Selection.Provider == providers.Offline {
		return nil
	}
	first := persistence.FirstStart{Home: p.Config.Home}
	if !first.Pending() {
		return nil
	}
	return &command.FirstStart{Light: themes.LookOf(p.World, p.Settings).Stands == tui.Light, Named: named, Begun: first.Record}
}
