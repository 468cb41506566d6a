package toolbox

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"marvin/tools"
)

const findName = "find_tools"

type findArgs struct {
	Query      string `json:"query" doc:"The tool's purpose, in a few plain words" sent:"" example:"convert currency"`
	MaxResults int    `json:"max_results" doc:"Maximum number of tools to list" sent:"-" default:"5" min:"1" max:"10" alias:"limit,n"`
}

// FindTool returns the tool find_tools, which searches the registry. From the next request on, the
// model can call the tools that find_tools found.
func FindTool(r *Registry) tools.Tool {
	return tools.New(tools.Def[findArgs]{
		Name: findName,
		Doc: "Search all tools by purpose if no listed tool fits. Given a tool's name, shows all its parameters. " +
			"You can then call the tools that it finds.",
		Core: true,
		Run: func(ctx context.Context, env tools.Env, in findArgs) (tools.Output, error) {
			mode, all := env.Mode(), r.seekMore(ctx, env.Progress)
			return describe(all.FindFitting(in.Query, mode, in.MaxResults), all, mode)
		},
	})
}

func describe(hits []Hit, r *Registry, mode tools.Mode) (tools.Output, error) {
	if len(hits) == 0 {
		return tools.Output{Text: "No tool fits. Search again with other words; the categories are: " + strings.Join(toolNames(r.ToolsFor(mode)), ", ")}, nil
	}
	var text strings.Builder
	var offer []string
	for i, hit := range hits {
		help, err := hit.Tool.Help()
		if err != nil {
			return tools.Output{}, err
		}
		help = cmp.Or(help, "  (no parameters)\n")
		fmt.Fprintf(&text, "%d. %s: %s\n%s", i+1, hit.Tool.Name, hit.Tool.Purpose(), help)
		offer = append(offer, hit.Tool.Name)
	}
	return tools.Output{Text: text.String(), Offer: offer}, nil
}
