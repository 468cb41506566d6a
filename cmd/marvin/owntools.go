package main

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/custom"
	"marvin/ui/command"
)

// Tools that the user wrote: how they come on the shelf, and the commands to make and check
// them.

// shelved is a shelf with the program's tools, the user's own, and those of the project that
// they accepted. What is wrong with some of those is for people, and so are the tools that
// the project offers beyond.
func shelved(registry *tools.Registry, home *persistence.Home, dir string) (*tools.Shelf, []persistence.ToolOffer, []error) {
	shelf := tools.NewShelf(registry)
	sources, offers, problems := broughtSources(registry, home, dir)
	for _, source := range sources {
		if len(source.Tools) == 0 {
			continue
		}
		for _, told := range shelf.Add(source) {
			problems = append(problems, errors.New(told))
		}
	}
	return shelf, offers, problems
}

// broughtSources are the user's own tools, and those of the project that they accepted;
// either may be empty.
func broughtSources(registry *tools.Registry, home *persistence.Home, dir string) ([]tools.Source, []persistence.ToolOffer, []error) {
	own, problems := custom.Load(home.ToolsDir())
	sources := []tools.Source{{Name: ownTools, Tools: own}}
	known := registry
	if len(own) > 0 {
		shelf := tools.NewShelf(registry)
		shelf.Add(sources[0])
		known = shelf.Known()
	}
	accepted, offers, wrong := projectTools(home, dir, known)
	return append(sources, tools.Source{Name: broughtTools, Tools: accepted}), offers, append(problems, wrong...)
}

// ownTools is what people read as the source of tools that they wrote.
const ownTools = "Your own tools"

// aboutOwn says whether the words of "marvin tool" are about tools that are not Marvin's.
func (opts toolCommand) aboutOwn(world World) (done bool, err error) {
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

// slipped says that a name which is no tool is nearly what marvin tool does itself.
func (opts toolCommand) slipped(registry *tools.Registry) error {
	name := string(opts.Args.Name)
	if _, known := registry.Lookup(name); known {
		return nil
	}
	for _, own := range []string{"new", "check", "list", "accept", "forget"} {
		if command.Slips(strings.ToLower(name), own) <= 1 {
			return fmt.Errorf("there is no tool called %q; did you mean: marvin tool %s? marvin tools lists the tools", name, own)
		}
	}
	return nil
}

func (opts toolCommand) makeTool(world World, home *persistence.Home) error {
	if len(opts.Args.Values) != 1 {
		return errors.New("say what it is called: marvin tool new word_count")
	}
	name := opts.Args.Values[0]
	if home.ToolsDir() == "" {
		return errors.New("there is no home directory to keep it in")
	}
	if newRegistry(home, tools.NewHTTPClient(nil), world.Now).Takes(name) {
		return fmt.Errorf("%s is a tool of Marvin's; choose another name", name)
	}
	sample, ok := custom.Samples[opts.Language]
	if !ok {
		return fmt.Errorf("--language %s: choose sh, python or go", opts.Language)
	}
	folder := filepath.Join(home.ToolsDir(), name)
	files, program := sample(name)
	if err := persistence.CheckToolName(name); err != nil {
		return err
	}
	err := persistence.MakeTool(folder, files, program)
	switch {
	case errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s exists and is not overwritten; choose another name", folder)
	case err != nil:
		return fmt.Errorf("make the tool: %w", err)
	}
	fmt.Fprintf(world.Stdout, "Made %s. Change %s and %s, then try it:\n  marvin tool check %s\n  marvin tool %[4]s text=hello\n",
		folder, filepath.Join(folder, persistence.ToolManifest), filepath.Join(folder, program), name)
	return nil
}

// checkTools says what is wrong with the user's tools, or with one.
func (opts toolCommand) checkTools(world World, home *persistence.Home) error {
	list, problems := custom.Load(home.ToolsDir())
	if len(opts.Args.Values) > 0 {
		list, problems = nil, nil
		for _, name := range opts.Args.Values {
			tool, err := one(filepath.Join(home.ToolsDir(), filepath.Base(name)))
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
		fmt.Fprintln(world.Stdout, "You have no tools of your own; marvin tool new NAME makes one.")
	}
	return nil
}

func one(folder string) (tools.Tool, error) {
	own, err := persistence.ReadTool(folder)
	if err != nil {
		return tools.Tool{}, err
	}
	return custom.Make(own)
}

// listTools lists the user's own tools, and those of the project.
func (opts toolCommand) listTools(world World, home *persistence.Home) error {
	dir, err := workingDir(world, options{WorkingDir: opts.WorkingDir})
	if err != nil {
		return err
	}
	list, wrong := custom.Load(home.ToolsDir()) // listProject says what is wrong, too
	slices.SortFunc(list, func(a, b tools.Tool) int { return strings.Compare(a.Name, b.Name) })
	for _, tool := range list {
		fmt.Fprintln(world.Stdout, toolLine(tool))
	}
	if len(list) == 0 && len(wrong) == 0 {
		fmt.Fprintln(world.Stdout, "You have no tools of your own; marvin tool new NAME makes one, and marvin tools lists those of Marvin.")
	}
	for _, problem := range listProject(world, home, dir) {
		fmt.Fprintln(world.Stderr, "warning:", tools.Visible(problem.Error()))
	}
	return nil
}

func toolLine(tool tools.Tool) string {
	return fmt.Sprintf("%-24s %-12s %s", tool.Name, tool.Effect, does(tool))
}

// does is a short description of a tool: the first sentence of its documentation.
func does(tool tools.Tool) string {
	sentence, _, _ := strings.Cut(tool.Doc, ". ")
	return tools.Visible(strings.TrimSuffix(sentence, "."))
}
