package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/toolbox"
)

type ListCommand struct {
	JSON     bool `long:"json" description:"print JSON, with the schemas that models see"`
	Tokens   bool `long:"tokens" description:"add the number of tokens that each schema costs"`
	Markdown bool `long:"markdown" description:"print docs/tools.md, with examples and required keys"`
	Args     struct {
		Words []string `positional-arg-name:"WORD" description:"only tools that match this word"`
	} `positional-args:"yes"`
}

// Run prints the tools as a table or as JSON, or prints docs/tools.md.
func (opts ListCommand) Run(_ context.Context, world cli.World, all cli.Options) error {
	if all.Output == "json" || all.Output == "jsonl" {
		opts.JSON = true
	}
	home := cli.OpenHome(world)
	registry := extensions.NewRegistry(home, tools.NewHTTPClient(nil), world.Now)
	shelf, _, problems := extensions.NewShelf(registry, home, world.Dir)
	for _, problem := range problems {
		fmt.Fprintln(world.Stderr, "warning:", problem)
	}
	listed := AboutWords(shelf.Snapshot().All(), opts.Args.Words)
	switch {
	case len(listed) == 0:
		return fmt.Errorf("no tool is about %s; to list all tools, run marvin tools", strings.Join(opts.Args.Words, " "))
	case opts.JSON:
		return listJSON(world, listed)
	case opts.Markdown:
		return documentTools(world.Stdout, registry)
	}
	table := tabwriter.NewWriter(world.Stdout, 0, 8, 2, ' ', 0)
	total := 0
	header := "TOOL\tMODES\tPOOL\tTIMEOUT\tARGUMENTS"
	if opts.Tokens {
		header = "TOOL\tTOKENS\tMODES\tPOOL\tTIMEOUT\tARGUMENTS"
	}
	fmt.Fprintln(table, header)
	for _, tool := range listed {
		schema, err := tool.Schema()
		if err != nil {
			return err
		}
		cost := ""
		if opts.Tokens {
			tokens := tools.EstimateTokens(tool.Name + tool.Doc + string(schema))
			total += tokens
			cost = fmt.Sprintf("%d\t", tokens)
		}
		fmt.Fprintf(table, "%s\t%s%s\t%s\t%s\t%s\n", tool.Name, cost, modes(tool), tool.Pool, tool.Timeout, strings.Join(tool.Signature(), " "))
	}
	if err := table.Flush(); err != nil {
		return cli.OutputError(err)
	}
	if opts.Tokens {
		fmt.Fprintf(world.Stdout, "\n%s, about %d tokens.\n", messages.Counted(len(listed), "tool"), total)
	}
	return nil
}

func modes(tool tools.Tool) string {
	var list []string
	if tool.Coding {
		list = append(list, "coding")
	}
	if tool.Interactive {
		list = append(list, "interactive")
	}
	if tool.Writes {
		list = append(list, "writes")
	}
	if tool.Confirms {
		list = append(list, "confirm")
	}
	if len(list) == 0 {
		return "-"
	}
	return strings.Join(list, ",")
}

// AboutWords returns the tools whose name or description contains all of the words.
func AboutWords(list []tools.Tool, words []string) (found []tools.Tool) {
	for _, tool := range list {
		text := strings.ToLower(tool.Name + " " + tool.Doc)
		if !slices.ContainsFunc(words, func(word string) bool { return !strings.Contains(text, strings.ToLower(word)) }) {
			found = append(found, tool)
		}
	}
	return found
}

func listJSON(world cli.World, listed []tools.Tool) error {
	type row struct {
		Name     string          `json:"name"`
		Doc      string          `json:"description"`
		Coding   bool            `json:"coding"`
		Writes   bool            `json:"writes"`
		Confirms bool            `json:"confirms"`
		Effect   string          `json:"effect"`
		Core     bool            `json:"core"`
		Pool     string          `json:"pool"`
		Seconds  float64         `json:"timeout_seconds"`
		Schema   json.RawMessage `json:"parameters"`
	}
	var rows []row
	for _, tool := range listed {
		schema, err := tool.Schema()
		if err != nil {
			return err
		}
		rows = append(rows, row{tool.Name, tool.Doc, tool.Coding, tool.Writes, tool.Confirms, tool.Effect.String(), tool.Core, tool.Pool.String(), tool.Timeout.Seconds(), schema})
	}
	encoder := json.NewEncoder(world.Stdout)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	if err := encoder.Encode(rows); err != nil {
		return cli.OutputError(err)
	}
	return nil
}

const toolsPreface = "# Tools\n\n" +
	"This page lists every tool, with its parameters and example requests. `marvin tools --markdown` generates this page. " +
	"A model calls a tool when it needs one. Without a model, the built-in assistant recognizes requests that are similar to a tool's examples, and runs that tool. You can run a tool directly:\n\n" +
	"```console\n$ marvin tool convert_units value=12 from_unit=km to_unit=miles\n```\n\n" +
	"The line below a description can have these marks:\n\n" +
	"- *coding*: the tool needs coding mode, which is always on with `--non-interactive`.\n" +
	"- *writes*: `MARVIN_READONLY=1` disables the tool.\n" +
	"- *asks*: Marvin asks you before the tool runs.\n" +
	"- *interactive*: the tool needs a user who can answer.\n\n" +
	"*Key* names the environment variable or the login that the service needs.\n"

// documentTools writes docs/tools.md.
func documentTools(to io.Writer, registry *toolbox.Registry) error {
	var text strings.Builder
	text.WriteString(toolsPreface)
	section := ""
	for _, tool := range registry.All() {
		if tool.Section != section {
			section = tool.Section
			fmt.Fprintf(&text, "\n## %s\n", section)
		}
		if err := documentTool(&text, tool); err != nil {
			return err
		}
	}
	_, err := io.WriteString(to, text.String())
	return err
}

func documentTool(text *strings.Builder, tool tools.Tool) error {
	fmt.Fprintf(text, "\n### %s\n\n%s\n", tool.Name, strings.TrimSpace(tool.Doc))
	if list := modes(tool); list != "-" {
		fmt.Fprintf(text, "\n*%s*\n", strings.ReplaceAll(strings.ReplaceAll(list, ",", ", "), "confirm", "asks"))
	}
	if tool.Keys != "" {
		fmt.Fprintf(text, "\nKey: %s.\n", tool.Keys)
	}
	switch {
	case tool.Service != "":
		fmt.Fprintf(text, "\nThis tool contacts %s.\n", tool.Service)
	case tool.Sends && tool.Pool != tools.Local:
		text.WriteString("\nThis tool contacts the hosts in its arguments (see [data that leaves](safety.md#data-that-leaves)).\n")
	}
	rows, err := parameterRows(tool)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		text.WriteString("\n| parameter | | |\n|---|---|---|\n" + strings.Join(rows, ""))
	}
	for i, example := range tool.Examples {
		if i == 0 {
			text.WriteString("\nFor example:\n\n")
		}
		fmt.Fprintf(text, "- %s\n", PlainExample(example))
	}
	return nil
}

// parameterRows returns a table row for each parameter, in the order of declaration.
func parameterRows(tool tools.Tool) ([]string, error) {
	encoded, err := tool.Schema()
	if err != nil {
		return nil, err
	}
	var schema struct {
		Properties map[string]struct {
			Type        string          `json:"type"`
			Description string          `json:"description"`
			Default     json.RawMessage `json:"default"`
			Enum        []string        `json:"enum"`
			Minimum     *float64        `json:"minimum"`
			Maximum     *float64        `json:"maximum"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(encoded, &schema); err != nil {
		return nil, fmt.Errorf("tool %s: %w", tool.Name, err)
	}
	var rows []string
	for _, entry := range tool.Signature() {
		name, _, _ := strings.Cut(strings.Trim(entry, "[]"), ":")
		property := schema.Properties[name]
		about := property.Type
		switch {
		case entry[0] != '[':
			about += ", required"
		case len(property.Default) > 0 && string(property.Default) != `""`:
			about += ", default `" + string(property.Default) + "`"
		}
		if property.Minimum != nil && property.Maximum != nil {
			about += fmt.Sprintf(", %s to %s", digits(*property.Minimum), digits(*property.Maximum))
		}
		description := property.Description
		if len(property.Enum) > 0 {
			description += " (" + strings.Join(property.Enum, ", ") + ")"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", name, about, strings.ReplaceAll(description, "|", "\\|")))
	}
	return rows, nil
}

// PlainExample returns an example request as a user would say it. It replaces {VALUE|PARAMETER}
// with VALUE. It removes {=VALUE|PARAMETER}, {true|PARAMETER} and {false|PARAMETER}, because the
// rest of the example implies the value.
func PlainExample(example string) string {
	implied := regexp.MustCompile(`\s*\{(=[^|{}]*|true|false)\|[^{}]*\}`).ReplaceAllString(example, "")
	return strings.TrimSpace(regexp.MustCompile(`\{([^|{}]*)\|[^{}]*\}`).ReplaceAllString(implied, "$1"))
}

// digits converts a number to text without an exponent.
func digits(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }
