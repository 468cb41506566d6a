package agents

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/external"
)

// Ticket returns a ticket's text and the IDs of the unfinished tickets that block the ticket.
type Ticket func(env tools.Env, id string) (text string, blockers []string, err error)

// ConfiguredAgents returns the external agents in the user's configuration.
type ConfiguredAgents func() (map[string]settings.Agent, error)

// Service holds the tool's dependencies.
type Service struct {
	ticket Ticket
	others ConfiguredAgents
}

// New returns a Service. If the second argument is nil, only the programs that Marvin knows are
// available as external agents.
func New(ticket Ticket, configured ConfiguredAgents) Service {
	return Service{ticket: ticket, others: configured}
}

// Tools returns the launch_agent tool.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.launchTool()} }

type launchArgs struct {
	Prompt   string   `json:"prompt" doc:"The task; must be self-contained" sent:"Must be self-contained" default:"" alias:"task"`
	Ticket   string   `json:"ticket_id" doc:"Ticket for the task" sent:"-" default:"" alias:"ticket"`
	Tasks    []task   `json:"tasks,omitempty" doc:"Several tasks, instead of prompt" sent:"Several, instead of prompt"`
	Agent    string   `json:"agent" doc:"Agent kind, or claude, codex, gemini, opencode, qwen" sent:"Agent kind, or claude, codex, …" default:"" alias:"subagent_type,agent_type"`
	Model    string   `json:"model" doc:"auto, codex, opus, small or a model's name" sent:"codex, opus, small or a name" default:"auto"`
	Dir      string   `json:"working_dir" doc:"Directory; default: yours" sent:"" default:"" alias:"dir"`
	Tools    []string `json:"tools,omitempty" doc:"Allow only these tools" sent:"-"`
	ReadOnly bool     `json:"read_only" doc:"Allow no changes" sent:"" default:"false"`
	Worktree bool     `json:"worktree" doc:"Work on a new git branch" sent:"On a new git branch" default:"false" alias:"isolated"`
	Where    string   `json:"where" doc:"here or fleet" sent:"here or fleet" default:"here"`
	Design   bool     `json:"design_first" doc:"Write a design first" sent:"-" default:"false"`
	TDD      bool     `json:"tdd" doc:"Write tests first" sent:"-" default:"false"`
	Compare  []string `json:"compare,omitempty" doc:"Agents to compare, each on its own branch; \"marvin\" means you" sent:"-"`
	Judge    string   `json:"judge" doc:"Test command; exit code 0 means a pass" sent:"-" default:""`
	Parallel int      `json:"parallel" doc:"Maximum at once" sent:"-" default:"16" min:"1" max:"4096"`
}

// task is one of several tasks in a call. Omitted fields take the call's values.
type task struct {
	Prompt   string   `json:"prompt" doc:"The task" sent:""`
	Name     string   `json:"name,omitempty" doc:"Name to show" sent:""`
	Ticket   string   `json:"ticket_id,omitempty" doc:"Ticket for the task" sent:"-"`
	Agent    string   `json:"agent,omitempty" doc:"As above" sent:"-"`
	Model    string   `json:"model,omitempty" doc:"As above" sent:"-"`
	Dir      string   `json:"working_dir,omitempty" doc:"As above" sent:"-"`
	Tools    []string `json:"tools,omitempty" doc:"As above" sent:"-"`
	ReadOnly bool     `json:"read_only,omitempty" doc:"As above" sent:"-"`
	Worktree bool     `json:"worktree,omitempty" doc:"As above" sent:"-"`
}

func (s Service) launchTool() tools.Tool {
	return tools.WithOutline("Give one or more tasks to sub-agents: new conversations with your tools and no memory of this one, for independent work. Returns their reports. "+
		"More parameters: tools (to allow), ticket_id, design_first, tdd, parallel, compare (agents), judge. Each task can have its own values.", tools.New(tools.Def[launchArgs]{
		Name:   "launch_agent",
		Effect: tools.Irreversible,
		Doc: "Give one or more tasks to sub-agents: new conversations with your tools and no memory of this one. " +
			"For independent work: searches, reviews, changes in different files. Returns their reports.",
		Examples: []string{"let a sub-agent {find all callers of Open|prompt}", "launch an agent to {review the parser|prompt}"},
		Core:     true, Needs: tools.Needs{Coding: true, TopOnly: true}, Steers: true, Pool: tools.Agent,
		Dirs: func(in launchArgs) []string {
			if in.onFleet() { // the call's directories are on the workers' machines
				return nil
			}
			return append([]string{in.Dir}, lists.Map(in.Tasks, func(one task) string { return one.Dir })...)
		},
		TimeoutFor: func(in launchArgs) time.Duration {
			waves := (max(1, len(in.Tasks)) + in.Parallel - 1) / in.Parallel
			// Each sub-agent has its own configurable timeout. This longer timeout is a safety net
			// for calls that hang.
			return time.Duration(waves) * 24 * time.Hour
		},
		// launch_agent itself waits only for earlier writes. The sub-agents' writes wait for one
		// another.
		Places:  func(env tools.Env, _ launchArgs) []tools.Place { return []tools.Place{env.PlaceAt(".", false)} },
		Confirm: s.confirm,
		Run:     s.launch,
	}))
}

// list returns the tasks from "prompt", "tasks" or "compare".
func (in launchArgs) list() ([]task, error) {
	switch {
	case len(in.Compare) > 0:
		return in.rivals()
	case len(in.Tasks) > 0 && strings.TrimSpace(in.Prompt) != "":
		return nil, errors.New("give either \"prompt\" or \"tasks\", not both; repeat shared text in each task")
	case len(in.Tasks) > 0:
		return in.Tasks, nil
	case strings.TrimSpace(in.Prompt) == "":
		return nil, tools.Advise(errors.New("there is no task"), `Give "prompt", or "tasks": [{"prompt": "…"}, …].`)
	}
	return []task{{Prompt: in.Prompt}}, nil
}

// job is a prepared task and, later, the verdict on its result.
type job struct {
	task     tools.Task
	worktree *worktree       // nil if the task runs in the caller's directory
	wanted   bool            // whether the call requests a worktree
	external *external.Agent // the program that does the task; nil if a session does it
	rival    string          // the agent's name in a comparison; otherwise ""
	verdict  verdict
}

// prepare converts a task into a job. It fills in omitted fields and completes the prompt.
func (s Service) prepare(env tools.Env, in launchArgs, one task, position int) (job, error) {
	if strings.TrimSpace(one.Prompt) == "" {
		return job{}, errors.New("its prompt is empty")
	}
	made := job{wanted: in.Worktree || one.Worktree, task: tools.Task{
		Name: first(one.Name, title(one.Prompt, position)), Tools: one.Tools, ReadOnly: in.ReadOnly || one.ReadOnly,
		Model: model(env, first(one.Model, in.Model)), Dir: env.Dir,
	}}
	if in.onFleet() {
		made.task.Fleet, made.task.Model, made.task.Dir = true, fleetModel(first(one.Model, in.Model)), first(one.Dir, in.Dir)
	}
	if made.task.Tools == nil {
		made.task.Tools = in.Tools
	}
	if len(in.Compare) > 0 {
		made.rival = one.Name
	}
	if dir := first(one.Dir, in.Dir); dir != "" && !in.onFleet() {
		real, err := env.Enter(dir)
		if err != nil {
			return job{}, err
		}
		// task.Own requires the user's approval of this call. A rule that allows the directory is
		// not enough.
		made.task.Dir, made.task.Own = real, env.Approved && slices.Contains(env.Beyond, real)
	}
	prompt := one.Prompt
	if name := first(one.Agent, in.Agent); name != "" {
		var err error
		if prompt, err = s.applyKind(env, in, &made, name, prompt, first(one.Model, in.Model)); err != nil {
			return job{}, err
		}
	}
	if id := first(one.Ticket, in.Ticket); id != "" {
		text, blockers, err := s.ticket(env, id)
		if err != nil {
			return job{}, err
		}
		if len(blockers) > 0 {
			return job{}, tools.Advise(fmt.Errorf("ticket %s waits for %s", id, strings.Join(blockers, ", ")), "Do those tickets first, or launch without \"ticket_id\".")
		}
		prompt += "\n\nThis task is for the following ticket:\n" + text
		made.task.Brought = "its ticket"
	}
	if in.Design {
		prompt += "\n\nBegin with the design: write down what you will change and why, before any code."
	}
	if in.TDD {
		prompt += "\n\nWrite the test first, see it fail, then make it pass."
	}
	made.task.Prompt = prompt
	return made, nil
}

// model resolves the name of a requested model. It returns "" for the caller's model. Environment
// variables define the models for the names "", "auto", "codex" and "opus". If the provider is
// Copilot, "codex" and "opus" have default models.
func model(env tools.Env, wish string) string {
	tier, standard := "", ""
	switch strings.ToLower(wish) {
	case "", "auto":
		return first(env.Variable("MARVIN_CODE_MODEL_LOW"), env.Variable("MARVIN_CODE_MODEL_HIGH"))
	case "codex":
		tier, standard = "MARVIN_CODE_MODEL_LOW", "gpt-5.3-codex"
	case "opus":
		tier, standard = "MARVIN_CODE_MODEL_HIGH", "claude-opus-4.6"
	default:
		return wish
	}
	if name := env.Variable(tier); name != "" || env.Provider != "copilot" {
		return name
	}
	return standard
}

func first(texts ...string) string {
	for _, text := range texts {
		if strings.TrimSpace(text) != "" {
			return text
		}
	}
	return ""
}

func title(prompt string, position int) string {
	const long = 48
	line, _, _ := strings.Cut(strings.TrimSpace(prompt), "\n")
	if runes := []rune(line); len(runes) > long {
		line = string(runes[:long]) + "…"
	}
	return first(line, fmt.Sprint("task ", position+1))
}
