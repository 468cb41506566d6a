package system

import (
	"context"

	"marvin/tools"
)

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.infoTool(), s.usageTool(), exitTool()}
}

type exitArgs struct {
	Message string `json:"message" doc:"Words of goodbye" default:"Goodbye!"`
}

func exitTool() tools.Tool {
	return tools.New(tools.Def[exitArgs]{
		Name:     "exit_app",
		Effect:   tools.Writes,
		Doc:      "Quit Marvin after this answer. Call it only if the user asks to quit or says goodbye.",
		Examples: []string{"exit the app", "quit marvin", "goodbye"},
		Needs:    tools.Needs{TopOnly: true}, Steers: true,
		Run: func(_ context.Context, env tools.Env, in exitArgs) (tools.Output, error) {
			if env.Exit != nil {
				env.Exit()
			}
			return tools.Output{Text: in.Message}, nil
		},
	})
}
