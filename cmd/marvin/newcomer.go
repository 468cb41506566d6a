package main

import (
	"marvin/persistence"
	"marvin/providers"
	"marvin/ui/command"
	"marvin/ui/tui"
)

// firstStart is what the very first start asks; nil on any other. Only a user who sits at the
// full screen without a model, a prompt, a configuration or an earlier conversation is asked,
// and only once.
func firstStart(p *parts) *command.Newcomer {
	opts := p.opts
	switch {
	case !wantsFullScreen(p.world, opts) || p.keeping.dir == "" || p.goesOn() || opts.choosing:
		return nil
	case opts.Prompt != nil || opts.PromptFile != "" || len(opts.words) > 0:
		return nil
	case p.selection.Provider != providers.Offline || named(p, providers.Offline):
		return nil
	}
	first := persistence.FirstStart{Home: p.config.Home}
	if !first.Is() {
		return nil
	}
	return &command.Newcomer{Light: looks(p.world, p.settings).Stands == tui.Light, Begun: first.Begun}
}
