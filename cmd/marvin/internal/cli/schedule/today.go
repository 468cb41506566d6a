package schedule

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/permissions"
	"marvin/cmd/marvin/internal/cli/tool"
	"marvin/persistence/memory"
	"marvin/persistence/personal"
	"marvin/persistence/schedules"
	"marvin/tools"
	"marvin/tools/schedule"
)

type TodayCommand struct{}

// dayPart is a section in the output of "marvin today".
type dayPart struct {
	Name  string   `json:"name"`
	Lines []string `json:"lines"`
}

func (TodayCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	sections, problems := today(ctx, world)
	for _, problem := range problems {
		fmt.Fprintln(world.Stderr, "warning:", problem)
	}
	var text strings.Builder
	text.WriteString(world.Now().Format("Monday, 2 January 2006") + "\n")
	for _, part := range sections {
		if len(part.Lines) > 0 {
			text.WriteString("\n" + part.Name + "\n  " + strings.Join(part.Lines, "\n  ") + "\n")
		}
	}
	if strings.Count(text.String(), "\n") == 1 {
		text.WriteString("\nNothing is planned, nothing ran and nothing waits.\n")
	}
	return world.Say(opts, strings.TrimRight(text.String(), "\n"), sections, nil)
}

func today(ctx context.Context, w cli.World) (sections []dayPart, problems []error) {
	note := func(err error) {
		if err != nil {
			problems = append(problems, err)
		}
	}
	home, now := cli.OpenHome(w), w.Now()
	sameDay := func(at time.Time) bool {
		return at.In(now.Location()).Format(time.DateOnly) == now.Format(time.DateOnly)
	}
	calendar := dayPart{"Calendar", []string{}}
	coming, err := askTool(ctx, w, "calendar_list_upcoming", `{"days":1}`)
	note(err)
	for line := range strings.Lines(coming) {
		if strings.HasPrefix(line, now.Format("Mon Jan 02")) {
			calendar.Lines = append(calendar.Lines, strings.TrimSpace(strings.TrimPrefix(line, now.Format("Mon Jan 02"))))
		}
	}
	alarms := dayPart{"Alarms and reminders", []string{}}
	rings, err := personal.AlarmsOf(home).All()
	note(err)
	for _, alarm := range rings {
		if sameDay(alarm.Time) {
			alarms.Lines = append(alarms.Lines, strings.TrimSpace(alarm.Time.In(now.Location()).Format("15:04 ")+tools.Visible(strings.TrimPrefix(alarm.Label+": "+alarm.Message, ": "))))
		}
	}
	plans, runs, watches := dayPart{"Scheduled", []string{}}, dayPart{"Runs", []string{}}, dayPart{"Watches", []string{}}
	waiting := dayPart{"Waiting for you", []string{}}
	entries, err := schedules.Store{Home: home}.All()
	note(err)
	for _, entry := range entries {
		if entry.Watch == nil && !entry.Paused && sameDay(entry.Next) {
			plans.Lines = append(plans.Lines, entry.Next.In(now.Location()).Format("15:04 ")+schedule.Title(entry)+" ("+entry.ID+")")
		}
		for _, run := range entry.Runs {
			line := run.Due.In(now.Location()).Format("15:04 ") + string(run.State) + " " + schedule.Title(entry) + " (" + entry.ID + ")"
			switch {
			case !sameDay(run.Due):
			case entry.Watch != nil:
				watches.Lines = append(watches.Lines, line)
			default:
				runs.Lines = append(runs.Lines, line)
			}
		}
	}
	facts, err := memory.Open(home).Proposals().List()
	note(err)
	for _, fact := range facts {
		waiting.Lines = append(waiting.Lines, "a fact to remember: "+tools.Visible(fact.Text)+" (marvin memory accept "+fact.ID+")")
	}
	tasks := dayPart{"Tickets", []string{}}
	if list, err := askTool(ctx, w, "ticket_list", `{}`); err == nil {
		for line := range strings.Lines(list) {
			if strings.Contains(line, "[in_progress]") || strings.Contains(line, "[open]") {
				tasks.Lines = append(tasks.Lines, strings.TrimSpace(line))
			}
		}
	}
	return []dayPart{calendar, alarms, tasks, plans, runs, watches, waiting}, problems
}

// askTool returns the output of a read-only tool.
func askTool(ctx context.Context, w cli.World, name, arguments string) (string, error) {
	var out bytes.Buffer
	w.Stdout = &out
	call := tool.Command{}
	call.Args.Name, call.Args.Values = permissions.ToolName(name), []string{arguments}
	err := cli.UserError(call.Call(ctx, w))
	return out.String(), err
}
