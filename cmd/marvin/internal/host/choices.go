package host

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"marvin/actors"
	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/projects"
	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/ollama"
	"marvin/tools"
	"marvin/ui/command"
)

// chooser implements the [command.Host] methods that manage models and providers.
type chooser struct{ parts *app.App }

// Providers returns all providers, and gives the reason for each unusable one. It contacts local
// servers. It does not test keys, so a provider with a wrong key counts as usable.
func (h chooser) Providers(ctx context.Context) []command.Choice {
	ctx, stop := context.WithTimeout(ctx, accounts.ListingTime)
	defer stop()
	all := h.parts.Accounts.Pool.All()
	list := make([]command.Choice, len(all))
	var looks sync.WaitGroup
	for i, provider := range all {
		looks.Go(func() { list[i] = h.choice(ctx, provider) })
	}
	looks.Wait()
	return list
}

func (h chooser) choice(ctx context.Context, provider providers.Provider) command.Choice {
	choice := command.Choice{Provider: provider.Name}
	if address, quiet := h.parts.Accounts.Unresponsive(provider); quiet {
		choice.Lacks = "nothing answers at " + address
		if provider.Name == providers.Ollama {
			choice.Lacks += "; run ollama serve"
		}
		return choice
	}
	selection, err := h.parts.Selected(h.choiceOf(provider.Name))
	switch {
	case errors.Is(err, providers.ErrNoKey) && provider.Account:
		choice.Login, choice.About = true, "with your account, in a browser"
		choice.Lacks = fmt.Sprintf("you are not logged in; type /login %[1]s, or in a shell run marvin login %[1]s", provider.Name)
		return choice
	case errors.Is(err, providers.ErrNoKey) && provider.KeySource != "":
		choice.Lacks = err.Error()
		return choice
	case errors.Is(err, providers.ErrNoKey):
		choice.Login, choice.About, choice.Details = true, "paste a key", "Create a key at "+provider.KeyPage
		choice.Lacks = fmt.Sprintf("no key; type /login %[1]s, or set %[2]s, or in a shell run marvin login %[1]s (create a key at %[3]s)", provider.Name, provider.KeyVar, provider.KeyPage)
		return choice
	case err != nil:
		choice.Lacks = err.Error()
		return choice
	}
	choice.Model = selection.Model
	switch provider.Name {
	case providers.Copilot:
		if usable, _ := copilot.Usable(tools.Trusted(h.parts.World.Environ)); !usable {
			choice.Lacks = "npm install -g @github/copilot, then start copilot and type /login"
		}
	case providers.Ollama:
		if !ollama.Reachable(ctx, selection.BaseURL, h.parts.Accounts.Lister(selection.Provider)) {
			choice.Lacks = "nothing answers at " + selection.BaseURL + "; run ollama serve"
		}
	}
	return choice
}

// choiceOf returns a choice that names the provider. For the provider selected at startup, the
// choice also names the selected model.
func (h chooser) choiceOf(provider string) actors.Choice {
	if start := h.parts.Selection; start.Provider == provider {
		return actors.Choice{Provider: provider, Model: start.Model}
	}
	return actors.Choice{Provider: provider}
}

// Models returns the models of the usable providers. It contacts all providers, for at most
// [accounts.ListingTime] in total. Each choice contains the reasons why the model does not suit the
// conversation. For every provider except Ollama, the default model comes first.
func (h chooser) Models(ctx context.Context, needs messages.NeedsShown) []command.Choice {
	ctx, stop := context.WithTimeout(ctx, accounts.ListingTime)
	defer stop()
	return h.choices(h.parts.Accounts.All(ctx), needs)
}

// KnownModels lists the models that are known without a request to a provider.
func (h chooser) KnownModels(needs messages.NeedsShown) []command.Choice {
	return h.choices(h.parts.Accounts.ListKnown(), needs)
}

// choices converts models to a list for the user. It includes the model with which Marvin was
// started, even if the provider does not list that model.
func (h chooser) choices(rows []accounts.ModelOffer, needs messages.NeedsShown) (list []command.Choice) {
	rows = slices.DeleteFunc(rows, func(row accounts.ModelOffer) bool { return row.Lacks != "" || row.Model == "" })
	start := h.parts.Selection
	if !slices.ContainsFunc(rows, func(row accounts.ModelOffer) bool { return row.Provider == start.Provider && row.Model == start.Model }) {
		of := max(slices.IndexFunc(rows, func(row accounts.ModelOffer) bool { return row.Provider == start.Provider }), 0)
		rows = slices.Insert(rows, of, accounts.ModelOffer{Provider: start.Provider, Wire: start.Wire, Model: start.Model})
	}
	private, roles := h.parts.Config.Models.Private, h.rolesByModel()
	for _, row := range rows {
		h.parts.Accounts.Describe(&row, h.parts.Config.Models.Price)
		list = append(list, command.Choice{
			Provider: row.Provider, Model: row.Model, About: row.Note(), Details: row.Explain(), MissingAbilities: row.Unfit(needs, private),
			Roles: roles[actors.Choice{Provider: row.Provider, Model: row.Model}],
		})
	}
	return list
}

// rolesByModel maps each model to the roles that use it. A role uses its first available model.
func (h chooser) rolesByModel() map[actors.Choice][]string {
	answering := map[actors.Choice][]string{}
	for role, models := range h.parts.Accounts.Roles {
		// Unavailable models are skipped.
		if all, _ := h.parts.Accounts.Resolved(role, models); len(all) > 0 {
			answering[all[0]] = append(answering[all[0]], role)
		}
	}
	return answering
}

// Cycle implements [command.Host].
func (h chooser) Cycle() (list []command.Choice) {
	models := h.parts.Settings.Cycle
	if len(models) == 0 {
		models = h.parts.Accounts.Roles["default"]
	}
	all, _ := h.parts.Accounts.Resolved("cycle", models) // unavailable models are skipped
	for _, choice := range all {
		list = append(list, command.Choice{Provider: choice.Provider, Model: choice.Model})
	}
	return list
}

// Efforts implements [command.Host].
func (h chooser) Efforts(of command.Choice) (steps []string, known bool) {
	about := h.parts.Accounts.Pool.About(of.Provider, of.Model)
	steps = lists.Map(about.Efforts, func(effort providers.Effort) string { return string(effort) })
	place := func(step string) uint { return uint(slices.Index(providers.Efforts, providers.Effort(step))) } // unknown ones come last
	slices.SortStableFunc(steps, func(a, b string) int { return cmp.Compare(place(a), place(b)) })
	return steps, about.Efforts != nil
}

// Forget implements [command.Host].
func (h chooser) Forget() (usual command.Choice, effort string, err error) {
	if dir := h.parts.Keeping.Dir; dir != "" {
		err = projects.Choices{Home: h.parts.Config.Home}.Change(dir, func(kept *projects.Choice) { *kept = projects.Choice{Files: kept.Files} })
		if err != nil {
			return usual, "", err
		}
	}
	selection, err := h.parts.Accounts.Choose(h.parts.Opts)
	effort = cmp.Or(h.parts.Opts.Effort, h.parts.Settings.Effort, accounts.AutoEffort)
	return command.Choice{Provider: selection.Provider, Model: selection.Model}, effort, err
}

// Keep implements [command.Host].
func (h chooser) Keep(chosen command.ModelChoice) (string, error) {
	keeping := &h.parts.Keeping
	if keeping.Dir == "" {
		return "", nil
	}
	err := projects.Choices{Home: h.parts.Config.Home}.Change(keeping.Dir, func(kept *projects.Choice) {
		if chosen.Provider != "" {
			kept.Provider, kept.Model = chosen.Provider, chosen.Model
		}
		kept.Effort = cmp.Or(chosen.Effort, kept.Effort)
	})
	return cli.HomeRelative(h.parts.World, keeping.Dir), err
}

// KeepFiles implements [command.Host].
func (h chooser) KeepFiles(on bool) (string, error) {
	if h.parts.Keeping.Dir == "" {
		return "", nil
	}
	return cli.HomeRelative(h.parts.World, h.parts.Dir), app.RememberFiles(h.parts.Config.Home, h.parts.Dir, on)
}
