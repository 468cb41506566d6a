package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"text/tabwriter"

	"marvin/providers"
	"marvin/providers/copilot"
	"marvin/providers/ollama"
	"marvin/providers/openaichat"
	"marvin/tools"
)

// modelsCommand lists what can be asked.
type modelsCommand struct {
	Output string `long:"output" value-name:"FORM" choice:"text" choice:"json" default:"text" description:"a table, or one JSON array"`
	Args   struct {
		Words []string `positional-arg-name:"WORD" description:"only those whose provider or name has it"`
	} `positional-args:"yes"`
}

// offered is a model as it is offered. What is not known is left out.
type offered struct {
	Provider string             `json:"provider"`
	Model    string             `json:"model,omitempty"`
	Usual    bool               `json:"usual,omitempty"` // of the provider
	Chosen   bool               `json:"chosen,omitempty"`
	Roles    []string           `json:"roles,omitempty"`
	Window   int                `json:"window,omitempty"`
	Price    *providers.Price   `json:"price,omitempty"`
	Sees     *bool              `json:"sees,omitempty"`
	Efforts  []providers.Effort `json:"efforts,omitempty"`
	Lacks    string             `json:"lacks,omitempty"` // why the provider cannot be asked
}

// run asks every provider that can be asked what it has, all at once.
func (m modelsCommand) run(ctx context.Context, world World, opts options) error {
	home := openHome(world)
	settings, err := home.Config()
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	all, err := newAccounts(world, settings)
	if err != nil {
		return err
	}
	prices, err := providers.NewPrices(ownPrices(settings))
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	chosen, _ := all.choose(opts) // a choice that cannot be asked is told by its provider
	ctx, stop := context.WithTimeout(ctx, listingTime)
	defer stop()
	rows := make([][]offered, len(all.pool.All()))
	var looks sync.WaitGroup
	for i, provider := range all.pool.All() {
		looks.Go(func() { rows[i] = all.list(ctx, provider) })
	}
	looks.Wait()
	list := slices.DeleteFunc(slices.Concat(rows...), func(row offered) bool { return !m.wants(row) })
	for i := range list {
		all.describe(&list[i], prices)
		list[i].Chosen = list[i].Model != "" && list[i].Provider == chosen.Provider && list[i].Model == chosen.Model
	}
	if len(list) == 0 && len(m.Args.Words) > 0 {
		return fmt.Errorf("no model that can be asked has %q in its name; marvin models lists them all", strings.Join(m.Args.Words, " "))
	}
	if m.Output == "json" {
		encoder := json.NewEncoder(world.Stdout)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(append([]offered{}, list...))
	}
	return writeModels(world.Stdout, list)
}

// wants says whether a row has all the words.
func (m modelsCommand) wants(row offered) bool {
	return !slices.ContainsFunc(m.Args.Words, func(word string) bool {
		return !strings.Contains(strings.ToLower(row.Provider+"/"+row.Model), strings.ToLower(word))
	})
}

// list is what a provider has, or one row that says what it lacks.
func (a *accounts) list(ctx context.Context, provider providers.Provider) []offered {
	selection, err := providers.Resolve(a.wishes(provider.Name, ""))
	switch {
	case errors.Is(err, providers.ErrNoKey) && provider.Account:
		return []offered{{Provider: provider.Name, Lacks: "nobody is logged in; marvin login " + provider.Name}}
	case errors.Is(err, providers.ErrNoKey) && provider.KeySource == "":
		return []offered{{Provider: provider.Name, Lacks: fmt.Sprintf("no key; set %s, or marvin login %s (keys: %s)", provider.KeyVar, provider.Name, provider.KeyPage)}}
	case err != nil && provider.Local:
		return []offered{{Provider: provider.Name, Lacks: "nothing answers at " + provider.BaseURL}}
	case err != nil:
		return []offered{{Provider: provider.Name, Lacks: err.Error()}}
	case selection.Wire == providers.SDK:
		if usable, why := copilot.Usable(tools.Trusted(a.world.Environ)); !usable {
			return []offered{{Provider: provider.Name, Lacks: why}}
		}
	}
	names, err := a.namesOf(ctx, provider, selection)
	if err != nil && provider.Local {
		return []offered{{Provider: provider.Name, Lacks: "nothing answers at " + selection.BaseURL}}
	}
	if provider.Wire != providers.OllamaWire || len(names) == 0 {
		names = append([]string{selection.Model}, names...)
	}
	var list []offered
	for _, name := range append(names, provider.Names...) {
		if !slices.ContainsFunc(list, func(row offered) bool { return row.Model == name }) {
			list = append(list, offered{Provider: provider.Name, Model: name, Usual: name == selection.Model})
		}
	}
	return list
}

// namesOf asks a provider for its models.
func (a *accounts) namesOf(ctx context.Context, provider providers.Provider, selection providers.Selection) ([]string, error) {
	client := modelClient()
	defer client.CloseIdleConnections()
	switch {
	case selection.Wire == providers.OllamaWire:
		return ollama.Installed(ctx, selection.BaseURL, client)
	case selection.BaseURL == "":
		return nil, nil
	case provider.Account:
		return a.chatgpt().Models(ctx, a.instead(selection.BaseURL), client)
	}
	config := openaichat.Config{Provider: provider.Name, BaseURL: selection.BaseURL, Key: string(selection.Key), HTTP: client}
	config.Anthropic = selection.Wire == providers.Messages
	return openaichat.Models(ctx, config)
}

// describe adds what is known of a model.
func (a *accounts) describe(row *offered, prices providers.Prices) {
	if row.Model == "" {
		return
	}
	about := a.pool.About(row.Provider, row.Model)
	row.Window, row.Sees, row.Efforts = about.Window, about.Sees, about.Efforts
	if price, known := prices.Lookup(row.Provider, row.Model); known {
		row.Price = &price
	}
	for role, list := range a.roles {
		if slices.Contains(list, row.Provider+"/"+row.Model) || row.Usual && slices.Contains(list, row.Provider) {
			row.Roles = append(row.Roles, role)
		}
	}
	slices.Sort(row.Roles)
}

func writeModels(out io.Writer, list []offered) error {
	table := tabwriter.NewWriter(out, 0, 4, 2, ' ', 0)
	fmt.Fprintln(table, "\tMODEL\tWINDOW\tIN\tOUT\tSEES\tEFFORTS\tROLES")
	for _, row := range list {
		if row.Lacks != "" {
			continue
		}
		mark := ""
		if row.Chosen {
			mark = "*"
		}
		in, out := "", ""
		if row.Price != nil {
			in, out = fmt.Sprintf("$%g", row.Price.Input), fmt.Sprintf("$%g", row.Price.Output)
		}
		fmt.Fprintf(table, "%s\t%s/%s\t%s\t%s\t%s\t%s\t%s\t%s\n", mark, row.Provider, row.Model, count(row.Window), in, out, yes(row.Sees), effortWords(row.Efforts), strings.Join(row.Roles, " "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\n* answers now. Prices are US dollars per million tokens. --model PROVIDER/NAME asks one, /model in a conversation.")
	for _, row := range list {
		if row.Lacks != "" {
			fmt.Fprintf(out, "- %s: %s\n", row.Provider, row.Lacks)
		}
	}
	return nil
}

func count(tokens int) string {
	if tokens == 0 {
		return ""
	}
	return fmt.Sprintf("%dk", tokens/1000)
}

func yes(known *bool) string {
	switch {
	case known == nil:
		return ""
	case *known:
		return "yes"
	}
	return "no"
}

func effortWords(efforts []providers.Effort) string {
	var list []string
	for _, effort := range efforts {
		list = append(list, string(effort))
	}
	return strings.Join(list, " ")
}
