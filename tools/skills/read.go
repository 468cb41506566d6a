package skills

import (
	"context"
	"errors"

	"marvin/tools"
)

// Tools returns the tools of this category.
func Tools() []tools.Tool { return []tools.Tool{readTool()} }

type readArgs struct {
	Name string `json:"name" doc:"Name of the skill" alias:"skill,skill_name,command" example:"release"`
	File string `json:"file" doc:"Read only this file, which the skill mentions" default:"" alias:"path"`
}

// readTool returns the tool that reads a skill. The tool is offered only if there are skills.
func readTool() tools.Tool {
	return tools.New(tools.Def[readArgs]{
		Name:     "read_skill",
		Doc:      "Read a skill: instructions for one kind of work. If the skill names scripts, run them by path with run_command.",
		Examples: []string{"read the skill {release|name}", "how does the skill {deploy|name} work"},
		Effect:   tools.Reads, Access: tools.Free, State: "skills", Brings: tools.Private,
		Run: func(_ context.Context, env tools.Env, in readArgs) (tools.Output, error) {
			if env.Skill == nil {
				return tools.Output{}, tools.Advise(errors.New("skills can be read only in a conversation, and no conversation is open here"), "To list the skills, run marvin context.")
			}
			text, err := env.Skill(in.Name, in.File)
			return tools.Output{Text: text}, err
		},
	})
}
