package calendar

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"time"

	"marvin/persistence"
	"marvin/tools"
	"marvin/tools/internal/bell"
	"marvin/tools/internal/cron"
)

// Service keeps the calendars of all profiles and their reminders.
type Service struct {
	home *persistence.Home
	bell bell.Bell
}

// New makes the service. Program is the absolute path of Marvin's own program, which
// cron starts for reminders.
func New(home *persistence.Home, client *http.Client, program string) Service {
	return Service{home: home, bell: bell.Bell{Home: home, Client: client, Program: program, NoCron: cron.Works}}
}

// Tools lists the tools of this category.
func (s Service) Tools() []tools.Tool {
	return []tools.Tool{s.addTool(), s.deleteTool(), s.viewTool(), s.listTool()}
}

func profileOf(env tools.Env) string { return filepath.Base(env.Profile) }

type addArgs struct {
	Title       string `json:"title" doc:"Title" alias:"summary,name" example:"Dinner with Anna"`
	Start       string `json:"start" doc:"2026-05-01 18:00, or a date" alias:"date,time,start_time" example:"2026-05-01 18:00"`
	End         string `json:"end,omitempty" doc:"Same form; default 1 hour" alias:"end_time"`
	Location    string `json:"location,omitempty" doc:"Place" alias:"place"`
	Description string `json:"description,omitempty" doc:"Notes" alias:"notes"`
}

func (s Service) addTool() tools.Tool {
	return tools.New(tools.Def[addArgs]{
		Name: "calendar_add_event", Chat: true,
		Effect: tools.Writes,
		Doc:    "Add an event to the calendar, with reminders if it is within a week.",
		Examples: []string{
			"add {dentist|title} to my calendar on {2026-05-04 09:30|start}",
			"schedule {lunch with Anna|title} at {2026-05-04 12:00|start} at {Luigi|location}",
			"put {holiday|title} in the calendar from {2026-07-01|start} to {2026-07-14|end}",
		},
		Pool: tools.Proc,
		Run:  s.add,
	})
}

// planned is an event that is to be added.
type planned struct {
	uid, title, place, notes string
	start, end               time.Time
	allDay                   bool
}

func (s Service) add(ctx context.Context, env tools.Env, in addArgs) (tools.Output, error) {
	now := s.home.Now()
	plan, err := in.plan(now.Location())
	if err != nil {
		return tools.Output{}, err
	}
	err = s.home.Profile(profileOf(env)).ChangeCalendar(func(text string) (string, error) {
		return insert(text, plan.lines(now)), nil
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, fmt.Errorf("add the event: %w", err)
	}
	text := fmt.Sprintf("Added: %s, %s [uid:%s]", plan.title, plan.when(), plan.uid)
	if plan.place != "" {
		text += " 📍" + plan.place
	}
	text += ".\n" + s.remind(ctx, env, plan, now)
	if err != nil {
		text += "\nWarning: " + err.Error()
	}
	return tools.Output{Text: text}, nil
}

func (in addArgs) plan(zone *time.Location) (planned, error) {
	plan := planned{title: oneLine(in.Title), place: oneLine(in.Location), notes: strings.TrimSpace(in.Description)}
	if plan.title == "" {
		return plan, errors.New("the event needs a title; say what it is")
	}
	var err error
	if plan.start, plan.allDay, err = parseMoment(in.Start, zone); err != nil {
		return plan, err
	}
	plan.end = plan.start.Add(time.Hour)
	if plan.allDay {
		plan.end = plan.start.AddDate(0, 0, 1)
	}
	if strings.TrimSpace(in.End) != "" {
		var whole bool
		if plan.end, whole, err = parseMoment(in.End, zone); err != nil {
			return plan, err
		}
		if whole != plan.allDay {
			return plan, tools.Advise(errors.New("start and end must both have a time of day, or neither"), "Write both like 2026-05-01 18:00, or both like 2026-05-01.")
		}
		if whole { // in the file the end is the day after
			plan.end = plan.end.AddDate(0, 0, 1)
		}
	}
	if !plan.end.After(plan.start) {
		return plan, tools.Advise(fmt.Errorf("the end %s is not after the start %s", in.End, in.Start), "Ask the user when it ends.")
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id) // never fails
	plan.uid = hex.EncodeToString(id)
	return plan, nil
}

// parseMoment reads what ISO 8601 and people write.
func parseMoment(text string, zone *time.Location) (moment time.Time, allDay bool, err error) {
	trimmed := strings.ToUpper(strings.Join(strings.Fields(text), " "))
	if moment, err := time.ParseInLocation("2006-01-02", trimmed, zone); err == nil {
		return moment, true, nil
	}
	for _, form := range []string{"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02T15:04", "2006-01-02 15:04"} {
		if moment, err := time.ParseInLocation(form, trimmed, zone); err == nil {
			return moment, false, nil
		}
	}
	for _, form := range []string{time.RFC3339, "2006-01-02T15:04Z07:00"} {
		if moment, err := time.Parse(form, trimmed); err == nil {
			return moment.In(zone), false, nil
		}
	}
	return moment, false, tools.Advise(fmt.Errorf("%q is no date that exists", text), "Write 2026-05-01 18:00, or 2026-05-01 for a whole day.")
}

// lines are the event as it stands in the file. The Python Marvin reads line by line,
// so what it looks for comes first. Local time without a zone is what it writes.
func (p planned) lines(now time.Time) []string {
	stamp := func(name string, moment time.Time) string {
		if p.allDay {
			return name + ";VALUE=DATE:" + moment.Format("20060102")
		}
		return name + ":" + moment.Format("20060102T150405")
	}
	lines := []string{"BEGIN:VEVENT", "UID:" + p.uid, stamp("DTSTART", p.start), stamp("DTEND", p.end), "SUMMARY:" + escape(p.title)}
	if p.place != "" {
		lines = append(lines, "LOCATION:"+escape(p.place))
	}
	if p.notes != "" {
		lines = append(lines, "DESCRIPTION:"+escape(strings.ReplaceAll(p.notes, "\r\n", "\n")))
	}
	utc := now.UTC().Format("20060102T150405Z")
	return append(lines, "DTSTAMP:"+utc, "CREATED:"+utc, "END:VEVENT")
}

func (p planned) when() string {
	if !p.allDay {
		return p.start.Format("Mon Jan 2 2006 15:04") + "–" + p.end.Format("15:04")
	}
	if last := p.end.AddDate(0, 0, -1); last.After(p.start) {
		return p.start.Format("Mon Jan 2 2006") + " to " + last.Format("Mon Jan 2 2006")
	}
	return p.start.Format("Mon Jan 2 2006") + ", all day"
}

func oneLine(text string) string {
	return tools.Visible(strings.Join(strings.Fields(strings.ToValidUTF8(text, "�")), " "))
}
