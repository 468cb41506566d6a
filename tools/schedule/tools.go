package schedule

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/hostnames"
)

// Tools returns the tools of this category. A schedule that a model creates can use only read-only
// tools, and starts only after the user has approved it.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{s.addTool(), s.listTool(), s.cancelTool()}
}

type addArgs struct {
	When   string `json:"when" doc:"When to run the prompt: every weekday at 8:00, every 2 hours, tomorrow at 9:00" alias:"time,schedule,at" example:"every weekday at 8:00"`
	Prompt string `json:"prompt" doc:"The prompt for the model; must contain everything that the model needs to know" alias:"text,task" example:"what is due today"`
}

func (s *Service) addTool() tools.Tool {
	return tools.New(tools.Def[addArgs]{
		Name:     "schedule_prompt",
		Effect:   tools.Writes,
		Doc:      "Run a prompt at a set time, once or repeatedly, even when Marvin is not running. The prompt can use only read-only tools. The user gets the result as a notice. For a simple reminder, use set_alarm.",
		Examples: []string{"schedule the prompt {what is due today|prompt} {every weekday at 8:00|when}", "run the prompt {summarize the news|prompt} {every day at 7:30|when}"},
		Needs:    tools.Needs{TopOnly: true},
		Pool:     tools.Proc,
		Confirm: func(_ tools.Env, in addArgs) (string, string) {
			return "Run a prompt at set times", fmt.Sprintf("%s:\n%s\n\nEach run can only read, and costs at most $%.2f.", tools.Visible(in.When), tools.Visible(in.Prompt), usualCost)
		},
		Run: s.addByModel,
	})
}

func (s *Service) addByModel(ctx context.Context, env tools.Env, in addArgs) (tools.Output, error) {
	typed := strings.ToLower(env.Typed)
	if !env.Person && (!strings.Contains(typed, strings.ToLower(in.Prompt)) || !strings.Contains(typed, strings.ToLower(in.When))) {
		return tools.Output{}, tools.Advise(errors.New("nothing was scheduled, because this prompt and time were not typed in this turn, and nobody is here to confirm them"), "Tell the user to run \"marvin schedule add\".")
	}
	dir := cmp.Or(env.Dir, s.Store.Home.User)
	entry, notes, err := s.Plan(Request{When: in.When, Prompt: in.Prompt, Dir: dir})
	if err != nil {
		return tools.Output{}, err
	}
	if !strings.Contains(typed, strings.ToLower(entry.Prompt)) || namesMore(entry.Prompt, env.Known) {
		entry.ByModel, entry.Tainted = true, env.Tainted
	}
	entry, by, err := s.Add(ctx, env.Environ, entry)
	if err != nil {
		return tools.Output{}, err
	}
	return tools.Output{Text: DescribeAdded(entry, notes, by), Undo: tools.UndoneBy("cancel_schedule", cancelArgs{ID: entry.ID})}, nil
}

// namesMore reports whether a prompt names a host that the user did not name. "ask evil.example"
// names a host; "never ask evil.example" does not.
func namesMore(prompt string, known *tools.KnownHosts) bool {
	for _, one := range hostnames.Mentions(prompt) {
		if one.Named && !known.IsNamed(one.Host) {
			return true
		}
	}
	return false
}

type noArgs struct{}

func (s *Service) listTool() tools.Tool {
	return tools.New(tools.Def[noArgs]{
		Name:     "list_schedules",
		Doc:      "List scheduled prompts and watches with their ids, next times and last results.",
		Examples: []string{"list the scheduled prompts", "which prompts are scheduled"},
		Run: func(context.Context, tools.Env, noArgs) (tools.Output, error) {
			all, err := s.Store.All()
			text := cmp.Or(strings.TrimRight(List(all), "\n"), "There are no schedules and no watches.")
			return tools.Output{Text: text}, err
		},
	})
}

type cancelArgs struct {
	ID string `json:"id" doc:"Id of the schedule or watch, from list_schedules" alias:"schedule,name" example:"s-3f9a2c"`
}

func (s *Service) cancelTool() tools.Tool {
	return tools.New(tools.Def[cancelArgs]{
		Name:     "cancel_schedule",
		Effect:   tools.Writes,
		Doc:      "Remove a scheduled prompt or watch by id, with its history.",
		Examples: []string{"cancel the schedule {s-3f9a2c|id}", "remove the watch {w-3f9a2c|id}"},
		Needs:    tools.Needs{TopOnly: true},
		Pool:     tools.Proc,
		Run: func(ctx context.Context, env tools.Env, in cancelArgs) (tools.Output, error) {
			entry, err := s.Find(in.ID, strings.HasPrefix(in.ID, "w-"))
			if err != nil {
				return tools.Output{}, tools.Advise(err, "list_schedules has the ids.")
			}
			if entry, err = s.Remove(ctx, env.Environ, entry.ID); err != nil {
				return tools.Output{}, err
			}
			return tools.Output{Text: "Removed: " + entry.ID + " " + Title(entry), Undo: tools.CannotUndo("its history is gone; to create it again, use schedule_prompt")}, nil
		},
	})
}
