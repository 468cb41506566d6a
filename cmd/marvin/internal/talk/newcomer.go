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

// firstStart returns the questions for the user's first start in full-screen mode. It returns nil
// for any other start, or if the command line contains a prompt. A user who selected a provider is
// asked only about colors.
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
