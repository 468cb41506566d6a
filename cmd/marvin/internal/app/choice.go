package app

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/persistence"
	"marvin/persistence/projects"
	"marvin/persistence/settings"
	"marvin/providers"
	"marvin/tools"
)

// By default, a new conversation in a project uses the model and effort that the user last chose
// there. If a program starts Marvin, this choice does not apply.

// ProjectChoice holds the model and the effort that the user chose for a project.
type ProjectChoice struct {
	Dir    string // the project's directory; "" if choices are not stored
	Effort string // the chosen effort; "" if an option overrides it
	Named  bool   // whether [ProjectChoice.Begin] selected the model that the user chose earlier
}

// Begin restores the model and effort that the user last chose in this project. Options and
// environment variables take precedence. If the model is no longer available, Begin adds a notice
// and keeps the default.
func (k *ProjectChoice) Begin(p *App, home *persistence.Home) {
	if !p.Opts.KeepsChoice || home.State == "" {
		return
	}
	k.Dir = tools.Project(cmp.Or(p.Dir, p.World.Dir))
	kept, err := projects.Choices{Home: home}.Get(k.Dir)
	if p.note(err); err != nil || p.Opts.NoKeptModel {
		return
	}
	if p.Opts.Effort == "" && (kept.Effort == accounts.AutoEffort || slices.Contains(settings.Efforts, kept.Effort)) {
		k.Effort = kept.Effort
	}
	if kept.Provider == "" || NamesProvider(p, kept.Provider) {
		return
	}
	selection, err := p.Accounts.Reselect(kept)
	if err != nil {
		p.note(fmt.Errorf("%s %s, which you chose in this project, is no longer available: %w; %s %s answers instead (choose another with /model, or drop your choice with /model default)", kept.Provider, kept.Model, accounts.WithoutChoice(err), p.Selection.Provider, p.Selection.Model))
		return
	}
	selection.Why = "you chose it in this project; /model default forgets it"
	p.Selection, k.Named = selection, true
}

// NamesProvider reports whether an option or an environment variable selects a provider or a model.
// Of the model variables, only that of the given provider counts.
func NamesProvider(p *App, provider string) bool {
	if p.Opts.Provider != "" || p.Opts.Model != "" || strings.TrimSpace(p.World.Getenv("LLM_PROVIDER")) != "" {
		return true
	}
	row, err := p.Accounts.Pool.Lookup(provider)
	return err == nil && row.ModelVar != "" && strings.TrimSpace(p.World.Getenv(row.ModelVar)) != ""
}

// Effort returns the reasoning effort at startup, or "" to let the model decide.
func (p *App) Effort() providers.Effort {
	effort := cmp.Or(p.Opts.Effort, p.Opts.Left.Effort, p.Keeping.Effort, p.Settings.Effort)
	if effort == accounts.AutoEffort {
		effort = ""
	}
	return providers.Effort(effort)
}
