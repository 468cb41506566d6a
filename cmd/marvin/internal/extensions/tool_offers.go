package extensions

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/customtools"
	"marvin/tools"
	"marvin/tools/custom"
	"marvin/tools/toolbox"
)

// A project's tools, servers and hooks are only offers. A tool runs only in the sandbox, and only
// after the user has accepted the exact content of its folder.

// ProjectToolsTitle is the heading above a project's tools.
const ProjectToolsTitle = "Tools of this project"

// projectTools returns the accepted tools of the project in dir, and offers for tools that are not
// accepted. A tool whose name is already taken is reported as a problem.
func projectTools(home *persistence.Home, dir string, known *toolbox.Registry) (accepted []tools.Tool, offers []customtools.Offer, problems []error) {
	brought := customtools.ProjectTools{Home: home, Dir: dir}
	all, wrong := brought.Offers()
	for _, problem := range wrong { // file names come from the project
		problems = append(problems, errors.New(tools.Visible(problem.Error())))
	}
	seen := map[string]bool{}
	for _, offer := range all {
		name := offer.Tool.Name
		if known.IsTaken(name) || seen[name] || strings.HasPrefix(name, "mcp_") {
			problems = append(problems, fmt.Errorf("%s is left out: its tool is named %s, but another tool already has that name", tools.Visible(customtools.ProjectDir+"/"+offer.Folder), name))
			continue
		}
		seen[name] = true
		tool, err := custom.OfProject(offer.Tool, func() error { return brought.CheckAccepted(offer) })
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

// OfferNotices returns a startup notice that lists the offered tools, or nil if there are none.
func OfferNotices(offers []customtools.Offer) []error {
	if len(offers) == 0 {
		return nil
	}
	names := lists.Map(offers, func(offer customtools.Offer) string { return offer.Tool.Name })
	return []error{fmt.Errorf("this project offers tools that are off, because you have not accepted them: %s; to list them, run marvin tool list; to accept one, run marvin tool accept NAME", strings.Join(names, ", "))}
}

// NotAccepted returns an error if a tool with the given name is only offered, because the user has
// not accepted its current form.
func NotAccepted(offers []customtools.Offer, name string) error {
	for _, offer := range offers {
		if offer.Tool.Name == name {
			return fmt.Errorf("this project offers %s, but it is off, because you have not accepted it, or because it has changed since you accepted it; read %s; to use it in its present form, run marvin tool accept %[1]s", name, tools.Visible(customtools.ProjectDir+"/"+offer.Folder))
		}
	}
	return nil
}

func ToolCommand(offer customtools.Offer) string {
	effect := cmp.Or(offer.Tool.Effect, "outside")
	return tools.Visible(strings.Join(offer.Tool.Command, " ")) + ", " + effect
}
