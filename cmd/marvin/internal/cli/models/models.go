package models

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"marvin/cmd/marvin/internal/accounts"
	"marvin/cmd/marvin/internal/cli"
	"marvin/persistence/settings"
	"marvin/providers"
)

// Command implements "marvin models", which lists the available models.
type Command struct {
	Output string `long:"output" value-name:"FORM" choice:"text" choice:"json" default:"text" description:"a table, or one JSON array"`
	All    bool   `long:"all" description:"also list providers without a key"`
	Args   struct {
		Words []string `positional-arg-name:"WORD" description:"only models whose provider or name contains WORD"`
	} `positional-args:"yes"`
}

// Run lists the models that match the arguments.
func (m Command) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	home := cli.OpenHome(world)
	settings, err := settings.Read(home)
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	all, err := accounts.New(world, settings)
	if err != nil {
		return err
	}
	prices, err := accounts.LoadPrices(home, settings)
	if err != nil {
		fmt.Fprintln(world.Stderr, "warning:", err)
	}
	named, look := m.named(all.Pool), cached(all.ServerUp)
	if !slices.ContainsFunc(named, func(p providers.Provider) bool { return p.Local }) {
		look = nil
	}
	usual, _ := all.ChooseOf(cli.Options{}, look) // the list shows why a provider is unavailable
	chosen, _ := all.ChooseOf(opts, look)
	ctx, stop := context.WithTimeout(ctx, accounts.ListingTime)
	defer stop()
	list := slices.DeleteFunc(all.Of(ctx, named), func(row accounts.ModelOffer) bool { return !m.wants(row) })
	for i := range list {
		row := &list[i]
		all.Describe(row, prices)
		row.Default = row.Model != "" && row.Provider == usual.Provider && row.Model == usual.Model
		row.Chosen = row.Model != "" && row.Provider == chosen.Provider && row.Model == chosen.Model
	}
	if len(list) == 0 && len(m.Args.Words) > 0 {
		return fmt.Errorf("no available model has %q in its name; to list all models, run marvin models", strings.Join(m.Args.Words, " "))
	}
	if m.Output == "json" {
		encoder := json.NewEncoder(world.Stdout)
		encoder.SetIndent("", "  ")
		encoder.SetEscapeHTML(false)
		return encoder.Encode(append([]accounts.ModelOffer{}, list...))
	}
	return writeModels(world.Stdout, list, m.All || len(m.Args.Words) > 0)
}

// named selects providers by arguments such as "gemini" or "gemini/MODEL". If no argument names a
// provider, the result is all providers.
func (m Command) named(pool providers.Pool) []providers.Provider {
	named := slices.DeleteFunc(slices.Clone(pool.All()), func(provider providers.Provider) bool {
		return !slices.ContainsFunc(m.Args.Words, func(word string) bool {
			name, _, _ := strings.Cut(word, "/")
			return strings.EqualFold(name, provider.Name)
		})
	})
	if len(named) == 0 {
		return pool.All()
	}
	return named
}

func cached(up func([]providers.Server) int) func([]providers.Server) int {
	answer, asked := -1, false
	return func(servers []providers.Server) int {
		if !asked {
			answer, asked = up(servers), true
		}
		return answer
	}
}

func (m Command) wants(row accounts.ModelOffer) bool {
	return !slices.ContainsFunc(m.Args.Words, func(word string) bool {
		return !strings.Contains(strings.ToLower(row.Provider+"/"+row.Model), strings.ToLower(word))
	})
}

// writeModels prints a table of the models, followed by the unavailable providers. If all is false,
// the providers without a key share one line.
func writeModels(out io.Writer, list []accounts.ModelOffer, all bool) error {
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
		fmt.Fprintf(table, "%s\t%s/%s\t%s\t%s\t%s\t%s\t%s\t%s\n", mark, row.Provider, row.Model, accounts.TokenCount(row.Window), in, out, accounts.KnownYes(row.Sees), accounts.EffortWords(row.Efforts), strings.Join(row.Roles, " "))
	}
	if err := table.Flush(); err != nil {
		return err
	}
	fmt.Fprintln(out, "\n* marks the model that answers now. Prices are US dollars per million tokens. Choose one with --model PROVIDER/NAME, or with /model in a conversation.")
	without := 0
	for _, row := range list {
		switch {
		case row.Lacks == "":
		case !all && strings.HasPrefix(row.Lacks, accounts.NoKey):
			without++
		default:
			fmt.Fprintf(out, "- %s: %s\n", row.Provider, row.Lacks)
		}
	}
	if without > 0 {
		fmt.Fprintf(out, "- %s without a key (marvin models --all)\n", accounts.FoldedProviders(without))
	}
	return nil
}
