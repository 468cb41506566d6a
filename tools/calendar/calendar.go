package calendar

import (
	"context"
	"fmt"
	"net/http"
	"strings"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/cron"
	"marvin/tools/internal/ringing"
)

// Service stores the calendars of all profiles, and the reminders of the events.
type Service struct {
	home   *persistence.Home
	ringer ringing.Ringer
}

// New returns a Service. program is the absolute path of the Marvin executable, which cron starts
// for reminders.
func New(home *persistence.Home, client *http.Client, program string) Service {
	return Service{home: home, ringer: ringing.Ringer{Home: home, Client: client, Program: program, NoCron: cron.Works}}
}

// Tools returns the calendar tools.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.addTool(), s.changeTool(), s.deleteTool(), s.viewTool(), s.listTool()}
}

type addArgs struct {
	Title       string `json:"title" doc:"Title" alias:"summary,name" example:"Dinner with Anna"`
	Start       string `json:"start" doc:"2026-05-01 18:00, tomorrow at 6pm, or a date" alias:"date,time,start_time" example:"2026-05-01 18:00"`
	End         string `json:"end,omitempty" doc:"Time or duration: 19:00, 2h; default 1 hour" alias:"end_time,duration"`
	Location    string `json:"location,omitempty" doc:"Place" alias:"place"`
	Description string `json:"description,omitempty" doc:"Notes" alias:"notes"`
	Repeat      string `json:"repeat,omitempty" doc:"weekly, every 2 weeks, every monday until 2026-12-31, or an RRULE" alias:"rrule,recurrence" example:"weekly"`
}

func (s Service) addTool() tools.Tool {
	return tools.New(tools.Def[addArgs]{
		Name: "calendar_add_event", Chat: true,
		Effect: tools.Writes,
		Doc:    "Add an event to the calendar, with reminders.",
		Examples: []string{
			"add {dentist|title} to my calendar on {2026-05-04 09:30|start}",
			"schedule {lunch with Anna|title} at {2026-05-04 12:00|start} at {Luigi|location}",
			"put {holiday|title} in the calendar from {2026-07-01|start} to {2026-07-14|end}",
			"add {yoga|title} to my calendar on {2026-05-04 18:00|start} every {=weekly|repeat} week",
		},
		Pool: tools.Proc,
		Run:  s.add,
	})
}

func (s Service) add(ctx context.Context, env tools.Env, in addArgs) (tools.Output, error) {
	now := s.home.Now()
	plan, err := in.plan(now)
	if err != nil {
		return tools.Output{}, err
	}
	var did personal.Edit
	err = personal.ChangeCalendar(personal.RecordChange(s.home.Profile(env.ProfileName()), &did), func(text string) (string, error) {
		return insert(text, plan.lines(now)), nil
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("add the event: %w", err)
	}
	text := fmt.Sprintf("Added: %s, %s [uid:%s]", plan.title, plan.period(), plan.uid)
	if plan.place != "" {
		text += " 📍" + plan.place
	}
	text += "." + plan.assumed + "\n" + s.remind(ctx, env, plan.uid, now)
	if err != nil {
		text += "\nWarning: " + err.Error()
	}
	return tools.Output{Text: text, Undo: tools.InverseOf(did)}, nil
}

func oneLine(text string) string {
	return tools.Visible(strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " "))
}
