package agents

import (
	"errors"
	"slices"
	"strings"

	"marvin/tools"
)

// applyDefinition looks up a kind of sub-agent by name, applies its definition to the task, and
// returns the task's prompt. A definition cannot add rights. The task gets only the tools that both
// the call and the definition allow. The task is read-only if the call or the definition says so.
func (j *job) applyDefinition(env tools.Env, name, prompt, model string) (string, error) {
	if env.Definition == nil {
		return "", errors.New("\"agent\" can name a kind of sub-agent only in a conversation, and no conversation is open here")
	}
	kind, err := env.Definition(name)
	if err != nil {
		return "", err
	}
	switch {
	case kind.Tools == nil:
	case j.task.Tools == nil:
		j.task.Tools = kind.Tools
	default:
		j.task.Tools = slices.DeleteFunc(slices.Clone(j.task.Tools), func(tool string) bool { return !slices.Contains(kind.Tools, tool) })
	}
	j.task.ReadOnly = j.task.ReadOnly || kind.ReadOnly
	if strings.EqualFold(first(model, "auto"), "auto") && kind.Model != "" {
		j.task.Model = kind.Model
	}
	if kind.Project {
		j.task.Brought = "the definition of " + kind.Name
	}
	j.task.Name = kind.Name + ": " + j.task.Name
	return "You are " + kind.Name + ". " + strings.TrimSpace(kind.Text) + "\n\n# Your task\n\n" + prompt, nil
}
