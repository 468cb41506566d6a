package tool

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"

	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/mcp"
	"marvin/cmd/marvin/internal/cli/permissions"
	"marvin/cmd/marvin/internal/extensions"
	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/tools"
	"marvin/tools/custom"
	"marvin/tools/toolbox"
	"marvin/ui/slash"
)

type Command struct {
	WorkingDir string `long:"working-dir" value-name:"PATH" description:"the working directory of the tool"`
	Language   string `long:"language" value-name:"NAME" choice:"sh" choice:"python" choice:"go" default:"sh" description:"for \"new\": the language of the tool"`
	Args       struct {
		Name   permissions.ToolName `positional-arg-name:"NAME" required:"yes" description:"a tool that \"marvin tools\" lists"`
		Values []string             `positional-arg-name:"key=value"`
	} `positional-args:"yes"`
	NoEmpty bool // whether Call prints nothing for an empty result
}

// Run runs one tool, and prints the result for the user.
func (opts Command) Run(ctx context.Context, world cli.World, _ cli.Options) error {
	if done, err := opts.aboutOwn(world); done {
		return err
	}
	return cli.UserError(opts.Call(ctx, world))
}

// Call runs the tool. No permission rules apply, because the user typed the call. A project's own
// tools run in the sandbox.
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
	env.ReadOnly, env.Environ = readOnly, tools.WithMode(env.Environ, mode)
	if strings.HasPrefix(string(opts.Args.Name), "mcp_") {
		return mcp.RunForeign(ctx, world, cli.Options{WorkingDir: opts.WorkingDir}, string(opts.Args.Name), opts.Args.Values, registry, env)
	}
	if err := opts.suggestVerb(registry); err != nil {
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
	if tool.Section == extensions.ProjectToolsTitle { // the project's tools run in a sandbox
		sandbox, err := app.NewSandbox(world, env.Dir)
		if err != nil {
			return err
		}
		defer func() { _ = sandbox.Close() }()
		env.Sandbox, env.Root = sandbox, env.Dir
	}
	var none *tools.Permissions // the user typed the call, so no rules apply
	verdict := none.Judge(call, env, arguments, false)
	env.Beyond, env.Writes = verdict.Beyond, verdict.Writes
	ctx, ignore := signal.NotifyContext(ctx, os.Interrupt) // an interrupt must not skip the cleanup
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
	if output.Exit != 0 { // the output contains the error
		return cli.ErrReported
	}
	return nil
}

func direct(world cli.World, opts Command) (*toolbox.Registry, tools.Env, error) {
	home := cli.OpenHome(world)
	settings, err := world.Settings(home)
	if err != nil {
		return nil, tools.Env{}, err
	}
	world = world.WithPassEnv(settings)
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
	return shelf.Snapshot(), env, nil
}

// aboutOwn runs a subcommand such as "marvin tool check". If the name is not a subcommand, done is
// false.
func (opts Command) aboutOwn(world cli.World) (done bool, err error) {
	home := persistence.Open(world.Home, world.Now)
	switch opts.Args.Name {
	case "new":
		return true, opts.makeTool(world, home)
	case "check":
		return true, opts.checkTools(world, home)
	case "list":
		return true, opts.listTools(world, home)
	case "accept":
		return true, opts.acceptTool(world, home)
	case "forget":
		return true, opts.forgetTool(world, home)
	}
	return false, nil
}

// checkTools validates the user's tools, or one of them.
func (opts Command) checkTools(world cli.World, home *persistence.Home) error {
	list, problems := custom.Load(customtools.Dir(home))
	if len(opts.Args.Values) > 0 {
		list, problems = nil, nil
		for _, name := range opts.Args.Values {
			tool, err := extensions.LoadTool(filepath.Join(customtools.Dir(home), filepath.Base(name)))
			if err != nil {
				problems = append(problems, err)
				continue
			}
			list = append(list, tool)
		}
	}
	for _, tool := range list {
		fmt.Fprintf(world.Stdout, "%s is fine: %s\n", tool.Name, strings.Join(tool.Signature(), " "))
	}
	for _, problem := range problems {
		fmt.Fprintln(world.Stdout, tools.Visible(problem.Error()))
	}
	switch {
	case len(problems) > 0:
		return fmt.Errorf("%d of your tools cannot be used", len(problems))
	case len(list) == 0:
		fmt.Fprintln(world.Stdout, "You have no tools of your own. To make one, run marvin tool new NAME.")
	}
	return nil
}

func (opts Command) listTools(world cli.World, home *persistence.Home) error {
	dir, err := cli.WorkingDir(world, cli.Options{WorkingDir: opts.WorkingDir})
	if err != nil {
		return err
	}
	list, wrong := custom.Load(customtools.Dir(home)) // listProject returns the same problems
	slices.SortFunc(list, func(a, b tools.Tool) int { return strings.Compare(a.Name, b.Name) })
	for _, tool := range list {
		fmt.Fprintln(world.Stdout, toolLine(tool))
	}
	if len(list) == 0 && len(wrong) == 0 {
		fmt.Fprintln(world.Stdout, "You have no tools of your own. To make one, run marvin tool new NAME; to list Marvin's tools, run marvin tools.")
	}
	for _, problem := range listProject(world, home, dir) {
		fmt.Fprintln(world.Stderr, "warning:", tools.Visible(problem.Error()))
	}
	return nil
}

func (opts Command) makeTool(world cli.World, home *persistence.Home) error {
	if len(opts.Args.Values) != 1 {
		return errors.New("name the new tool: marvin tool new word_count")
	}
	name := opts.Args.Values[0]
	if customtools.Dir(home) == "" {
		return errors.New("there is no home directory to store the tool in; set HOME")
	}
	if extensions.NewRegistry(home, tools.NewHTTPClient(nil), world.Now).IsTaken(name) {
		return fmt.Errorf("Marvin has a tool called %s; choose another name", name)
	}
	sample, ok := custom.Samples[opts.Language]
	if !ok {
		return fmt.Errorf("--language %s: choose sh, python or go", opts.Language)
	}
	folder := filepath.Join(customtools.Dir(home), name)
	files, program := sample(name)
	if err := customtools.CheckName(name); err != nil {
		return err
	}
	err := customtools.Make(folder, files, program)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s already exists and will not be overwritten; choose another name", folder)
	case err != nil:
		return fmt.Errorf("make the tool: %w", err)
	}
	fmt.Fprintf(world.Stdout, "Made %s. Change %s and %s, then try the tool:\n  marvin tool check %s\n  marvin tool %[4]s text=hello\n",
		folder, filepath.Join(folder, customtools.Manifest), filepath.Join(folder, program), name)
	return nil
}

// suggestVerb returns an error if an unknown tool name resembles a subcommand of "marvin tool". The
// error suggests that subcommand.
func (opts Command) suggestVerb(registry *toolbox.Registry) error {
	name := string(opts.Args.Name)
	if _, known := registry.Lookup(name); known {
		return nil
	}
	for _, own := range []string{"new", "check", "list", "accept", "forget"} {
		if slash.Slips(strings.ToLower(name), own) <= 1 {
			return fmt.Errorf("there is no tool called %q; did you mean: marvin tool %s? To list the tools, type marvin tools", name, own)
		}
	}
	return nil
}

func toolLine(tool tools.Tool) string {
	return fmt.Sprintf("%-24s %-12s %s", tool.Name, tool.Effect, extensions.Summary(tool))
}

func listProject(world cli.World, home *persistence.Home, dir string) []error {
	shelf, offers, problems := extensions.NewShelf(extensions.NewRegistry(home, tools.NewHTTPClient(nil), world.Now), home, dir)
	for _, tool := range shelf.CurrentSnapshot().All() {
		if tool.Section == extensions.ProjectToolsTitle {
			fmt.Fprintf(world.Stdout, "%s (of this project, in the sandbox)\n", toolLine(tool))
		}
	}
	for _, offer := range offers {
		fmt.Fprintf(world.Stdout, "offered by this project, not in use: %s (%s)\n  %s\n  to use it, run marvin tool accept %s; this accepts %s only in its present form\n", offer.Tool.Name, extensions.ToolCommand(offer),
			tools.Visible(strings.ReplaceAll(offer.Tool.Description, "\n", " ")), offer.Tool.Name, tools.Visible(customtools.ProjectDir+"/"+offer.Folder))
	}
	return problems
}

func (opts Command) acceptTool(world cli.World, home *persistence.Home) error {
	name, dir, err := opts.named(world)
	if err != nil {
		return err
	}
	_, offers, problems := extensions.NewShelf(extensions.NewRegistry(home, tools.NewHTTPClient(nil), world.Now), home, dir)
	at := slices.IndexFunc(offers, func(offer customtools.Offer) bool { return offer.Tool.Name == name })
	if at < 0 {
		why := fmt.Errorf("this project offers no tool called %s; to list the tools that it offers, run marvin tool list", tools.Visible(name))
		return errors.Join(append([]error{why}, problems...)...)
	}
	if err := (customtools.ProjectTools{Home: home, Dir: dir}).Accept(offers[at]); err != nil {
		return err
	}
	fmt.Fprintf(world.Stdout, "You have accepted %s (%s) in its present form for this directory. The tool runs in the sandbox, with %s. To undo this, run marvin tool forget %[1]s.\n", name, extensions.ToolCommand(offers[at]), extensions.ProjectEnvironment(world, home))
	return nil
}

func (opts Command) forgetTool(world cli.World, home *persistence.Home) error {
	name, dir, err := opts.named(world)
	if err != nil {
		return err
	}
	folders := []string{name, strings.ReplaceAll(name, "_", "-")}
	brought := customtools.ProjectTools{Home: home, Dir: dir}
	offers, _ := brought.Offers() // invalid tools are missing from offers, so forgetTool tries likely folder names
	for _, offer := range offers {
		if offer.Tool.Name == name {
			folders = []string{offer.Folder}
		}
	}
	for _, folder := range folders {
		found, err := brought.Forget(folder)
		if err != nil {
			return err
		}
		if found {
			fmt.Fprintf(world.Stdout, "Marvin no longer uses this project's %s.\n", name)
			return nil
		}
	}
	return fmt.Errorf("no tool called %s was accepted in this directory; to list the tools of this project, run marvin tool list", tools.Visible(name))
}

func (opts Command) named(world cli.World) (name, dir string, err error) {
	if len(opts.Args.Values) != 1 {
		return "", "", fmt.Errorf("name the tool: marvin tool %s NAME; to list the tools of this project, run marvin tool list", opts.Args.Name)
	}
	dir, err = cli.WorkingDir(world, cli.Options{WorkingDir: opts.WorkingDir})
	return opts.Args.Values[0], dir, err
}
