package tool

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"strings"
	"text/tabwriter"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/mcp"
	"marvin/cmd/marvin/internal/cli/permissions"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/messages"
	"marvin/tools"
	"marvin/tools/toolbox"
)

// Run prints the registry. The table is also the reference of the tools.
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
	listed := AboutWords(shelf.Now().All(), opts.Args.Words)
	switch {
	case len(listed) == 0:
		return fmt.Errorf("no tool is about %s; marvin tools lists all", strings.Join(opts.Args.Words, " "))
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

// AboutWords are the tools whose name or description has all of the words.
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

// Run runs one tool, and prints the result for the user.
func (opts Command) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	if done, err := opts.aboutOwn(world); done {
		return err
	}
	return cli.UserError(opts.Call(ctx, world))
}

// Call runs the tool in the sandbox and with the checks that a model's call gets.
func (opts Command) Call(ctx context.Context, world cli.World) error {
	registry, env, err := direct(world, opts)
	if err != nil {
		return err
	}
	readOnly, err := tools.ReadOnly(world.Environ)
	if err != nil {
		return err
	}
	mode := tools.Mode{Coding: true, Person: false, ReadOnly: readOnly}
	env.ReadOnly, env.Environ = readOnly, tools.Telling(env.Environ, mode)
	if strings.HasPrefix(string(opts.Args.Name), "mcp_") {
		return mcp.RunForeign(ctx, world, cli.Options{WorkingDir: opts.WorkingDir}, string(opts.Args.Name), opts.Args.Values, registry, env)
	}
	if err := opts.slipped(registry); err != nil {
		return err
	}
	tool, err := registry.Find(string(opts.Args.Name), mode)
	if err != nil {
		return err
	}
	arguments, err := cli.KeyValues(opts.Args.Values)
	if err != nil {
		return err
	}
	call, err := tool.Decode(arguments)
	if err != nil {
		return err
	}
	if tool.Section == extensions.ProjectToolsTitle { // a person typed the call, not the program
		sandbox, err := app.NewSandbox(world, env.Dir)
		if err != nil {
			return err
		}
		defer func() { _ = sandbox.Close() }()
		env.Sandbox, env.Root = sandbox, env.Dir
	}
	var none *tools.Permissions // the user typed it, so there is no question
	verdict := none.Judge(call, env, arguments, false)
	env.Beyond, env.Writes = verdict.Beyond, verdict.Writes
	ctx, ignore := signal.NotifyContext(ctx, os.Interrupt) // what it started and made is cleared away
	defer ignore()
	ctx, stop := context.WithTimeoutCause(ctx, call.Timeout, tools.ErrDeadline)
	defer stop()
	output, err := call.Run(ctx, env)
	text, _ := tools.ResultLimits.Cut(output.Text)
	if output.Empty && opts.NoEmpty {
		text = ""
	}
	fmt.Fprint(world.Stdout, text)
	if text != "" && !strings.HasSuffix(text, "\n") {
		fmt.Fprintln(world.Stdout)
	}
	if err != nil {
		return err
	}
	if output.Exit != 0 { // what failed was said with the output
		return cli.ErrReported
	}
	return nil
}

// direct is the registry and the environment of a call that no conversation makes.
func direct(world cli.World, opts Command) (*toolbox.Registry, tools.Env, error) {
	home := cli.OpenHome(world)
	settings, err := world.Settings(home)
	if err != nil {
		return nil, tools.Env{}, err
	}
	world = world.Passing(settings)
	client, err := world.Client(settings)
	if err != nil {
		return nil, tools.Env{}, err
	}
	env, err := app.DirectEnv(world, home, opts.WorkingDir)
	if err != nil {
		return nil, tools.Env{}, err
	}
	shelf, offers, problems := extensions.NewShelf(extensions.NewRegistry(home, client, world.Now), home, env.Dir)
	if err := extensions.NotAccepted(offers, string(opts.Args.Name)); err != nil {
		return nil, tools.Env{}, err
	}
	for _, problem := range problems {
		fmt.Fprintln(world.Stderr, "warning:", problem)
	}
	return shelf.Now(), env, nil
}

type Command struct {
	WorkingDir string `long:"working-dir" value-name:"PATH" description:"the working directory of the tool"`
	Language   string `long:"language" value-name:"NAME" choice:"sh" choice:"python" choice:"go" default:"sh" description:"with new: what the tool is written in"`
	Args       struct {
		Name   permissions.ToolName `positional-arg-name:"NAME" required:"yes" description:"of a tool, as marvin tools lists it"`
		Values []string             `positional-arg-name:"key=value"`
	} `positional-args:"yes"`
	NoEmpty bool // print nothing for a result that brought nothing
}

type ListCommand struct {
	JSON     bool `long:"json" description:"as JSON, with the schemas that models see"`
	Tokens   bool `long:"tokens" description:"with the tokens that each schema costs"`
	Markdown bool `long:"markdown" description:"as docs/tools.md, with examples and the keys that are needed"`
	Args     struct {
		Words []string `positional-arg-name:"WORD" description:"only tools about this word"`
	} `positional-args:"yes"`
}
