package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/custom"
)

// Tools that a project brings are offers, as its servers and hooks are: none runs before the
// user accepted exactly what is in its folder, and then in the sandbox.

// broughtTools is what people read as the source of tools that a project brings.
const broughtTools = "Tools of this project"

// projectTools are the tools of a directory that the user accepted; the others are offers.
// One whose name means another tool is neither.
func projectTools(home *persistence.Home, dir string, known *tools.Registry) (accepted []tools.Tool, offers []persistence.ToolOffer, problems []error) {
	brought := persistence.BroughtTools{Home: home, Dir: dir}
	all, wrong := brought.Offers()
	for _, problem := range wrong { // names of files come from the project
		problems = append(problems, errors.New(tools.Visible(problem.Error())))
	}
	seen := map[string]bool{}
	for _, offer := range all {
		name := offer.Tool.Name
		if known.Takes(name) || seen[name] || strings.HasPrefix(name, "mcp_") {
			problems = append(problems, fmt.Errorf("%s calls its tool %s, which is the name of another one; it is left out", tools.Visible(persistence.ProjectTools+"/"+offer.Folder), name))
			continue
		}
		seen[name] = true
		tool, err := custom.OfProject(offer.Tool, func() error { return brought.Still(offer) })
		switch {
		case err != nil:
			problems = append(problems, err)
		case offer.Accepted:
			accepted = append(accepted, tool)
		default:
			offers = append(offers, offer)
		}
	}
	return accepted, offers, problems
}

// toldOffers tells at the start what the project would bring.
func toldOffers(offers []persistence.ToolOffer) []error {
	if len(offers) == 0 {
		return nil
	}
	var names []string
	for _, offer := range offers {
		names = append(names, offer.Tool.Name)
	}
	return []error{fmt.Errorf("this project offers tools, which do not run: %s; marvin tool list shows them, marvin tool accept NAME uses one", strings.Join(names, ", "))}
}

// onlyOffered says that a tool is an offer that was never accepted, or that changed since.
func onlyOffered(offers []persistence.ToolOffer, name string) error {
	for _, offer := range offers {
		if offer.Tool.Name == name {
			return fmt.Errorf("%s is offered by this project, and does not run: you did not accept it, or it was changed since; look at %s, then marvin tool accept %[1]s uses it as it is now", name, tools.Visible(persistence.ProjectTools+"/"+offer.Folder))
		}
	}
	return nil
}

// listProject lists the tools that the project brings.
func listProject(world World, home *persistence.Home, dir string) []error {
	shelf, offers, problems := shelved(newRegistry(home, tools.NewHTTPClient(nil), world.Now), home, dir)
	for _, tool := range shelf.Known().All() {
		if tool.Section == broughtTools {
			fmt.Fprintf(world.Stdout, "%s (of this project, in the sandbox)\n", toolLine(tool))
		}
	}
	for _, offer := range offers {
		fmt.Fprintf(world.Stdout, "offered by this project, and not run: %s (%s)\n  %s\n  marvin tool accept %s uses it, as %s is now\n", offer.Tool.Name, commandOf(offer),
			tools.Visible(strings.ReplaceAll(offer.Tool.Description, "\n", " ")), offer.Tool.Name, tools.Visible(persistence.ProjectTools+"/"+offer.Folder))
	}
	return problems
}

func commandOf(offer persistence.ToolOffer) string {
	effect := offer.Tool.Effect
	if effect == "" {
		effect = "outside"
	}
	return tools.Visible(strings.Join(offer.Tool.Command, " ")) + ", " + effect
}

// named is the one folder that the words of "marvin tool accept" or "forget" are about.
func (opts toolCommand) named() (string, error) {
	if len(opts.Args.Values) != 1 {
		return "", fmt.Errorf("say which tool: marvin tool %s NAME; marvin tool list shows what this project brings", opts.Args.Name)
	}
	return opts.Args.Values[0], nil
}

func (opts toolCommand) acceptTool(world World, home *persistence.Home) error {
	name, err := opts.named()
	if err != nil {
		return err
	}
	dir, err := workingDir(world, options{WorkingDir: opts.WorkingDir})
	if err != nil {
		return err
	}
	_, offers, problems := shelved(newRegistry(home, tools.NewHTTPClient(nil), world.Now), home, dir)
	at := slices.IndexFunc(offers, func(offer persistence.ToolOffer) bool { return offer.Tool.Name == name })
	if at < 0 {
		why := fmt.Errorf("this project offers no tool called %s; marvin tool list shows what there is", tools.Visible(name))
		return errors.Join(append([]error{why}, problems...)...)
	}
	if err := (persistence.BroughtTools{Home: home, Dir: dir}).Accept(offers[at]); err != nil {
		return err
	}
	fmt.Fprintf(world.Stdout, "%s (%s) is now used in this directory in its present form, in the sandbox, with %s. marvin tool forget %[1]s undoes that.\n", name, commandOf(offers[at]), environmentOf(world, home))
	return nil
}

func (opts toolCommand) forgetTool(world World, home *persistence.Home) error {
	name, err := opts.named()
	if err != nil {
		return err
	}
	dir, err := workingDir(world, options{WorkingDir: opts.WorkingDir})
	if err != nil {
		return err
	}
	folders := []string{name, strings.ReplaceAll(name, "_", "-")}
	brought := persistence.BroughtTools{Home: home, Dir: dir}
	offers, _ := brought.Offers() // what cannot be read is forgotten by its folder
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
			fmt.Fprintf(world.Stdout, "%s of this project is not used any more.\n", name)
			return nil
		}
	}
	return fmt.Errorf("no tool called %s was accepted in this directory; marvin tool list shows what there is", tools.Visible(name))
}
