package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/when"
)

type changeArgs struct {
	UID         string `json:"uid,omitempty" doc:"uid of the event, or its first 8 characters" alias:"event_id,id"`
	Title       string `json:"title,omitempty" doc:"Part of the event's title" alias:"summary,name" example:"dentist"`
	Date        string `json:"date,omitempty" doc:"Only the occurrence on this day" alias:"occurrence"`
	Start       string `json:"start,omitempty" doc:"New start; a time without a date keeps the day" alias:"new_start,time" example:"2026-05-05 10:00"`
	End         string `json:"end,omitempty" doc:"New end; by default, the duration stays the same" alias:"new_end,duration"`
	NewTitle    string `json:"new_title,omitempty" doc:"New title" alias:"rename"`
	Location    string `json:"location,omitempty" doc:"New place" alias:"place"`
	Description string `json:"description,omitempty" doc:"New notes" alias:"notes"`
	Repeat      string `json:"repeat,omitempty" doc:"New repetition, as in calendar_add_event; \"none\" ends the series" alias:"rrule"`
}

func (s Service) changeTool() tools.Tool {
	return tools.New(tools.Def[changeArgs]{
		Name: "calendar_change_event", Brings: tools.Private,
		Effect: tools.Writes,
		Doc:    "Move, rename or otherwise change an event, or one date of a series.",
		Examples: []string{
			"move {dentist|title} in my calendar to {2026-05-05 10:00|start}", "rename the event {lunch|title} to {Lunch with Anna|new_title}",
		},
		Pool: tools.Proc,
		Run:  s.change,
	})
}

func (s Service) change(ctx context.Context, env tools.Env, in changeArgs) (tools.Output, error) {
	now := s.home.Now()
	if in.Start+in.End+in.NewTitle+in.Location+in.Description+in.Repeat == "" {
		return tools.Output{}, errors.New("the call does not say what to change; give start, end, new_title, location, description or repeat")
	}
	loose, _ := s.loose()
	var before, after event
	var plan planned
	var did personal.Edit
	err := personal.ChangeCalendar(personal.RecordChange(s.home.Profile(env.ProfileName()), &did), func(text string) (string, error) {
		own, _ := read(text, now.Location())
		found, err := pick(append(own, loose...), strings.TrimSpace(in.UID), oneLine(in.Title), now.Location(), "changed")
		if err != nil {
			return "", err
		}
		if found.file != "" {
			return "", tools.Advise(errors.New("the event is in a file of an earlier Marvin version, which Marvin does not change"), "Delete it with calendar_delete_event and add it again.")
		}
		one := edit{text: text, now: now, in: in, before: found, series: len(found.rules) > 0}
		if in.Date != "" {
			if one.before, err = onDay(own, found, in.Date, now); err != nil {
				return "", err
			}
			if one.series {
				one.instance = cmp.Or(one.before.instance, one.before.start)
			}
		}
		text, err = one.apply(own)
		before, plan = one.before, one.plan
		return text, err
	})
	if err != nil && !persistence.OnlyDamage(err) {
		return tools.Output{}, err
	}
	after = event{title: plan.title, place: plan.place, start: plan.start, end: plan.end, allDay: plan.allDay}
	text := fmt.Sprintf("Changed: %s\nNow: %s [uid:%s]%s", before.line(now.Location()), after.line(now.Location()), plan.uid, plan.assumed)
	if plan.repeat != "" {
		text += " ↻ " + plan.repeat
	}
	err = errors.Join(err, s.forget(ctx, env, plan.uid))
	if in.Date != "" {
		text += "\nThe other dates stay as they are."
	}
	text += "\n" + s.remind(ctx, env, plan.uid, now)
	if err != nil {
		text += "\nWarning: " + err.Error()
	}
	return tools.Output{Text: text, Undo: tools.InverseOf(did)}, nil
}

// onDay returns the only occurrence of the series on the given day. It returns an error if no
// occurrence or several occurrences start on that day.
func onDay(all []event, series event, date string, now time.Time) (event, error) {
	moment, err := parseMoment(date, now)
	if err != nil {
		return event{}, err
	}
	year, month, day := moment.Time.Date()
	from := time.Date(year, month, day, 0, 0, 0, 0, now.Location())
	own := lists.Filter(all, func(one event) bool { return one.uid == series.uid })
	var found []event
	for _, one := range overlapping(own, from, from.AddDate(0, 0, 1)) {
		if !one.start.Before(from) {
			found = append(found, one.event)
		}
	}
	switch {
	case len(found) == 0:
		return event{}, tools.Advise(fmt.Errorf("%s has no date on %s", cmp.Or(oneLine(series.title), "it"), when.Day(from)), "calendar_view shows its dates.")
	case len(found) > 1:
		return event{}, fmt.Errorf("the event takes place %d times on %s, so Marvin cannot tell which occurrence you mean", len(found), when.Day(from))
	}
	return found[0], nil
}
