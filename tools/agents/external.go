package agents

import (
	"fmt"
	"strings"

	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/external"
)

// A task's "agent" argument names an external agent or a kind of sub-agent. If a name has several
// meanings, an agent in config.yaml takes precedence over a kind that the user or the project
// defined. Such a kind takes precedence over a program that Marvin knows.

// find returns the external agent with the given name. It returns nil if there is none, or if a
// kind of sub-agent with the same name takes precedence.
func (s Service) find(env tools.Env, name string) (*external.Agent, error) {
	var configured map[string]settings.Agent
	if s.others != nil {
		var err error
		if configured, err = s.others(); err != nil {
			return nil, err
		}
	}
	if _, ours := configured[strings.ToLower(name)]; !ours && env.Definition != nil {
		if _, err := env.Definition(name); err == nil {
			return nil, nil
		}
	}
	agent, ours, err := external.Find(configured, env.Environ, name)
	if !ours {
		return nil, nil
	}
	return &agent, err
}

// applyKind prepares a task for the named agent and returns the task's prompt. The name belongs to
// an external agent or an agent definition.
func (s Service) applyKind(env tools.Env, in launchArgs, made *job, name, prompt, model string) (string, error) {
	if in.onFleet() {
		return made.applyDefinition(env, name, prompt, model)
	}
	agent, err := s.find(env, name)
	switch {
	case err != nil:
		return "", err
	case agent == nil:
		return made.applyDefinition(env, name, prompt, model)
	case made.task.Tools != nil:
		return "", tools.Advise(fmt.Errorf("%s has its own tools, which Marvin cannot choose", agent.Name), "Leave \"tools\" out; to keep the agent from changing files, use \"read_only\".")
	case !strings.EqualFold(first(model, "auto"), "auto"):
		return "", tools.Advise(fmt.Errorf("%s has its own models, which Marvin cannot choose", agent.Name), "Leave \"model\" out.")
	}
	made.external, made.task.Model = agent, ""
	made.task.Name = agent.Name + ": " + made.task.Name
	return prompt, nil
}

func (j *job) taskForAgent(env tools.Env) tools.Task {
	given := j.task
	if j.external != nil {
		given.Program = external.Job{Agent: *j.external, Env: env, Own: j.worktree != nil}.Run
	}
	return given
}

// confirm returns the question that the user must answer before an external program gets a task.
// Such a program sends whatever it reads to its own provider.
func (s Service) confirm(env tools.Env, in launchArgs) (title, detail string) {
	if in.onFleet() {
		return "", ""
	}
	given, err := in.list()
	if err != nil || in.checkJudge(env) != nil {
		return "", "" // the call itself reports the reason
	}
	var lines []string
	if judged := in.judgment(); judged != "" {
		title, lines = "Compare agents, and run your command on each agent's work?", []string{judged}
	}
	for _, one := range given {
		name := first(one.Agent, in.Agent)
		if name == "" {
			continue
		}
		agent, err := s.find(env, name)
		if err != nil || agent == nil {
			continue
		}
		if title == "" {
			title = "Give a task to the agent " + agent.Name + "?"
		}
		held := "in the sandbox"
		if agent.Free || env.Sandbox.Mode() == tools.SandboxOff {
			held = "with all your permissions"
		}
		lines = append(lines, fmt.Sprintf("%s (%s), %s; the agent sends what it reads to its own provider:\n%s", agent.Name, strings.Join(agent.Command, " "), held, strings.TrimSpace(one.Prompt)))
	}
	return title, tools.Visible(strings.Join(lines, "\n\n"))
}
