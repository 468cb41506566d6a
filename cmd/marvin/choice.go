package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/tools"
)

// The user's choice of model and effort in a project is the default for the next conversation
// there. Programs that start Marvin do not get it: only their own arguments choose the model.

// keepsChoice is the choice of a project.
type keepsChoice struct {
	dir    string          // of the project; "" where nothing is kept
	kept   projects.Choice // that this program began with
	effort string          // of it, as far as it counts
	named  bool            // the model of it answers
}

// begin uses the earlier choice, unless something else selects a model. If it is no longer
// available, a notice says so and the default is used.
func (k *keepsChoice) begin(p *parts, home *persistence.Home) {
	if !p.opts.keepsChoice || home.State == "" {
		return
	}
	k.dir = tools.Project(cmp.Or(p.dir, p.world.Dir))
	kept, err := projects.Choices{Home: home}.Of(k.dir)
	if p.note(err); err != nil || p.opts.NoKeptModel {
		return
	}
	k.kept = kept
	if p.opts.Effort == "" && (kept.Effort == autoEffort || slices.Contains(settings.Efforts, kept.Effort)) {
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

// named says whether a flag or a variable names who answers, or what of a provider.
func named(p *parts, provider string) bool {
	if p.opts.Provider != "" || p.opts.Model != "" || strings.TrimSpace(p.world.Getenv("LLM_PROVIDER")) != "" {
		return true
	}
	row, err := p.accounts.pool.Lookup(provider)
	return err == nil && row.ModelVar != "" && strings.TrimSpace(p.world.Getenv(row.ModelVar)) != ""
}

// effort is how long models think at the start.
func (p *parts) effort() providers.Effort {
	effort := cmp.Or(p.opts.Effort, p.opts.left.Effort, p.keeping.effort, p.settings.Effort)
	if effort == autoEffort {
		effort = ""
	}
	return providers.Effort(effort)
}
