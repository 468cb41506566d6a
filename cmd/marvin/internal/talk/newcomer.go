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

// firstStart returns the questions of the very first start; nil on any other start. It asks once,
// and only if the user starts the full screen with no prompt, no configuration and no earlier
// conversation. A user who named a provider is only asked about colors.
func firstStart(p *app.App) *command.Newcomer {
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
	return &command.Newcomer{Light: themes.LookOf(p.World, p.Settings).Stands == tui.Light, Named: named, Begun: first.Record}
}
