package main

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/providers"
	"marvin/tools"
	"marvin/ui/command"
)

// The user's choice of model and effort in a project is the default for the next conversation
// there. Programs that start Marvin do not get it: only their own arguments choose the model.

// keepsChoice is the choice of a project.
type keepsChoice struct {
	dir    string             // of the project; "" where nothing is kept
	kept   persistence.Choice // that this program began with
	effort string             // of it, as far as it counts
	named  bool               // the model of it answers
}

// begin uses the earlier choice, unless something else selects a model. If it is no longer
// available, a notice says so and the default is used.
func (k *keepsChoice) begin(p *parts, home *persistence.Home) {
	if !p.opts.keepsChoice || home.State == "" {
		return
	}
	k.dir = tools.Project(cmp.Or(p.dir, p.world.Dir))
	kept, err := persistence.Choices{Home: home}.Of(k.dir)
	if p.note(err); err != nil || p.opts.NoKeptModel {
		return
	}
	k.kept = kept
	if p.opts.Effort == "" && (kept.Effort == autoEffort || slices.Contains(persistence.Efforts, kept.Effort)) {
		k.effort = kept.Effort
	}
	if kept.Provider == "" || named(p, kept.Provider) {
		return
	}
	selection, err := p.accounts.still(kept)
	if err != nil {
		p.note(fmt.Errorf("%s %s, which you chose in this project, cannot be asked any more: %w; %s %s answers (/model chooses another, /model default forgets it)", kept.Provider, kept.Model, unasked(err), p.selection.Provider, p.selection.Model))
		return
	}
	selection.Why = "you chose it in this project; /model default forgets it"
	p.selection, k.named = selection, true
}

// autoEffort is kept where a person had models think as they do by themselves.
const autoEffort = "auto"

// named says whether a flag or a variable names who answers, or what of a provider.
func named(p *parts, provider string) bool {
	if p.opts.Provider != "" || p.opts.Model != "" || strings.TrimSpace(p.world.Getenv("LLM_PROVIDER")) != "" {
		return true
	}
	row, err := p.accounts.pool.Lookup(provider)
	return err == nil && row.ModelVar != "" && strings.TrimSpace(p.world.Getenv(row.ModelVar)) != ""
}

// still is the earlier choice if it is available. A local server is checked within [findLimit];
// other providers report a problem when asked.
func (a *accounts) still(kept persistence.Choice) (providers.Selection, error) {
	selection, err := providers.Resolve(a.wishes(kept.Provider, kept.Model))
	if err != nil {
		return selection, err
	}
	provider, err := a.pool.Lookup(kept.Provider)
	if err != nil || !provider.Local {
		return selection, err
	}
	ctx, stop := context.WithTimeout(context.Background(), findLimit)
	defer stop()
	offers, err := a.offers(ctx, provider, selection)
	if err != nil {
		return selection, fmt.Errorf("nothing answers at %s", selection.BaseURL)
	}
	if !slices.ContainsFunc(offers, func(one offered) bool { return one.Model == selection.Model || one.Model == selection.Model+":latest" }) {
		return selection, fmt.Errorf("%s does not have it", provider.Title())
	}
	return selection, nil
}

// effort is how long models think at the start.
func (p *parts) effort() providers.Effort {
	effort := cmp.Or(p.opts.Effort, p.opts.left.Effort, p.keeping.effort, p.settings.Effort)
	if effort == autoEffort {
		effort = ""
	}
	return providers.Effort(effort)
}

// Keep implements [command.Host].
func (h chooser) Keep(chosen command.Kept) (string, error) {
	keeping := &h.parts.keeping
	if keeping.dir == "" {
		return "", nil
	}
	err := persistence.Choices{Home: h.parts.config.Home}.Change(keeping.dir, func(kept *persistence.Choice) {
		if chosen.Provider != "" {
			kept.Provider, kept.Model = chosen.Provider, chosen.Model
		}
		kept.Effort = cmp.Or(chosen.Effort, kept.Effort)
	})
	return fromHome(h.parts.world, keeping.dir), err
}

// KeepFiles implements [command.Host].
func (h chooser) KeepFiles(on bool) (string, error) {
	if h.parts.keeping.dir == "" {
		return "", nil
	}
	return fromHome(h.parts.world, h.parts.dir), keepFiles(h.parts.config.Home, h.parts.dir, on)
}

// Forget implements [command.Host].
func (h chooser) Forget() (usual command.Choice, effort string, err error) {
	if dir := h.parts.keeping.dir; dir != "" {
		err = persistence.Choices{Home: h.parts.config.Home}.Change(dir, func(kept *persistence.Choice) { *kept = persistence.Choice{Files: kept.Files} })
		if err != nil {
			return usual, "", err
		}
	}
	selection, err := h.parts.accounts.choose(h.parts.opts)
	effort = cmp.Or(h.parts.opts.Effort, h.parts.settings.Effort, autoEffort)
	return command.Choice{Provider: selection.Provider, Model: selection.Model}, effort, err
}

// Cycle implements [command.Host].
func (h chooser) Cycle() (list []command.Choice) {
	models := h.parts.settings.Cycle
	if len(models) == 0 {
		models = h.parts.accounts.roles["default"]
	}
	all, _ := h.parts.accounts.resolved("cycle", models) // what cannot be asked is passed over
	for _, choice := range all {
		list = append(list, command.Choice{Provider: choice.Provider, Model: choice.Model})
	}
	return list
}

// Efforts implements [command.Host].
func (h chooser) Efforts(of command.Choice) (steps []string, known bool) {
	about := h.parts.accounts.pool.About(of.Provider, of.Model)
	for _, effort := range about.Efforts {
		steps = append(steps, string(effort))
	}
	return steps, about.Efforts != nil
}
