package calendar

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/personal"
	"marvin/tools"
	"marvin/tools/internal/text"
)

// events returns the profile's events and the events that Marvin's TypeScript version stored. The
// warnings describe unreadable events and unknown time zones.
func (s Service) events(profile string) (all []event, warnings string, err error) {
	text, err := personal.Calendar(s.home.Profile(profile))
	if err != nil {
		return nil, "", tools.Advise(fmt.Errorf("read the calendar: %w", err), "Ask the user to look at that file. If you add an event, Marvin sets the file aside and begins a new one.")
	}
	all, unreadable := read(text, s.home.Now().Location())
	if len(all) > 0 && len(all[0].zones.unknown) > 0 {
		warnings += fmt.Sprintf("\nThe time zone %s is not known here; its events are shown as if they were in local time.", quotedList(all[0].zones.unknown))
	}
	loose, err := s.loose()
	for _, one := range loose {
		if !slices.ContainsFunc(all, func(known event) bool { return known.uid == one.uid }) {
			all = append(all, one)
		}
	}
	switch {
	case unreadable == 1:
		warnings += "\nOne event is not shown, because its time cannot be read."
	case unreadable > 1:
		warnings += fmt.Sprintf("\n%d events are not shown, because their times cannot be read.", unreadable)
	}
	if err != nil {
		warnings += "\nWarning: " + err.Error()
	}
	return all, warnings, nil
}

func quotedList(names []string) string {
	list := lists.Map(names[:min(len(names), 5)], func(name string) string { return fmt.Sprintf("%q", clip(oneLine(name))) })
	return strings.Join(list, ", ")
}

func (s Service) loose() (all []event, err error) {
	files, err := personal.LooseEvents(s.home)
	for _, file := range files {
		events, _ := read(file.Text, s.home.Now().Location())
		for _, one := range events {
			one.file = file.Name
			all = append(all, one)
		}
	}
	return all, err
}

type listArgs struct {
	Days int `json:"days" doc:"Days to look ahead" default:"7" min:"1" max:"366"`
}

func (s Service) listTool() tools.Tool {
	return tools.New(tools.Def[listArgs]{
		Name: "calendar_list_upcoming", Chat: true, Brings: tools.Private,
		Doc: "List upcoming events with their uids.",
		Examples: []string{
			"what is on my calendar", "show my upcoming events", "what do I have planned in the next {14|days} days",
		},
		Run: s.list,
	})
}

func (s Service) list(_ context.Context, env tools.Env, in listArgs) (tools.Output, error) {
	all, warnings, err := s.events(env.ProfileName())
	if err != nil {
		return tools.Output{}, err
	}
	now := s.home.Now()
	coming := overlapping(all, now, now.AddDate(0, 0, in.Days))
	if len(coming) == 0 {
		return tools.Output{Text: fmt.Sprintf("There are no events in the next %s.%s", messages.Counted(in.Days, "day"), warnings), Empty: warnings == ""}, nil
	}
	return tools.Output{Text: strings.Join(lines(coming, all, now.Location()), "\n") + warnings}, nil
}

const most = 200

func lines(shown []occurrence, all []event, zone *time.Location) []string {
	var list []string
	for _, one := range shown[:min(len(shown), most)] {
		line := one.line(zone) + " [uid:" + shortUID(one.uid, all) + "]"
		if one.repeats {
			line += " ↻"
		}
		list = append(list, line)
	}
	if more := len(shown) - most; more > 0 {
		list = append(list, fmt.Sprintf("… and %d more", more))
	}
	return list
}

// line describes the event in one line of text, such as "Fri Feb 20 22:00 Party 📍Home".
func (e event) line(zone *time.Location) string {
	when := e.start.In(zone).Format("Mon Jan 02 15:04")
	if e.allDay {
		when = e.start.Format("Mon Jan 02") + " all day"
		if last := e.end.AddDate(0, 0, -1); last.After(e.start) {
			when = e.start.Format("Mon Jan 02") + " to " + last.Format("Mon Jan 02")
		}
	}
	line := when + " " + cmp.Or(clip(oneLine(e.title)), "(no title)")
	if e.cancelled {
		line += " (cancelled)"
	}
	if place := clip(oneLine(e.place)); place != "" {
		line += " 📍" + place
	}
	return line
}

// shortUID returns the first 8 bytes of uid, or all of it if another event's uid begins with the
// same bytes.
func shortUID(uid string, all []event) string {
	if len(uid) <= 8 {
		return oneLine(uid)
	}
	for _, other := range all {
		if other.uid != uid && strings.HasPrefix(other.uid, uid[:8]) {
			return oneLine(uid)
		}
	}
	return oneLine(uid[:8])
}

func clip(said string) string { return text.Clip(said, 200) }

type viewArgs struct {
	Month int    `json:"month,omitempty" doc:"Month from 1 to 12; 0 means this month"`
	Year  int    `json:"year,omitempty" doc:"Year; 0 means this year" min:"0" max:"9999"`
	Date  string `json:"date,omitempty" doc:"Any date in the month, instead of \"month\" and \"year\"" alias:"day" example:"2026-05-04"`
}

func (s Service) viewTool() tools.Tool {
	return tools.New(tools.Def[viewArgs]{
		Name: "calendar_view", Brings: tools.Private,
		Doc: "Show a month as a grid with its events.",
		Examples: []string{
			"show my calendar", "show the calendar of month {5|month} {2026|year}", "show the calendar month around {2026-05-04|date}",
		},
		Run: s.view,
	})
}

func (s Service) view(_ context.Context, env tools.Env, in viewArgs) (tools.Output, error) {
	now := s.home.Now()
	if in.Month < 0 || in.Month > 12 {
		return tools.Output{}, fmt.Errorf("there is no month %d; give a number from 1 to 12", in.Month)
	}
	year, month := cmp.Or(in.Year, now.Year()), time.Month(cmp.Or(in.Month, int(now.Month())))
	if strings.TrimSpace(in.Date) != "" {
		date, err := parseMoment(in.Date, now)
		if err != nil {
			return tools.Output{}, err
		}
		year, month = date.Time.Year(), date.Time.Month()
	}
	all, warnings, err := s.events(env.ProfileName())
	if err != nil {
		return tools.Output{}, err
	}
	first := time.Date(year, month, 1, 0, 0, 0, 0, now.Location())
	shown := overlapping(all, first, first.AddDate(0, 1, 0))
	text := grid(first, shown) + "\n\n" + strings.Join(lines(shown, all, now.Location()), "\n")
	if len(shown) == 0 {
		text = grid(first, nil) + "\n\nNo events."
	}
	return tools.Output{Text: text + warnings}, nil
}

// grid creates the calendar of a month, given its first day. Weeks start on Sunday. Each day is
// four characters wide, so that brackets around one day do not shift the other days.
func grid(first time.Time, shown []occurrence) string {
	busy := map[int]bool{}
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		next := day.AddDate(0, 0, 1)
		busy[day.Day()] = slices.ContainsFunc(shown, func(one occurrence) bool {
			return !one.cancelled && one.start.Before(next) && (one.end.After(day) || one.start.Equal(day))
		})
	}
	title := first.Format("January 2006")
	var text strings.Builder
	text.WriteString(strings.Repeat(" ", (28-len(title))/2) + title + "\n Su  Mo  Tu  We  Th  Fr  Sa\n" + strings.Repeat("    ", int(first.Weekday())))
	for day := first; day.Month() == first.Month(); day = day.AddDate(0, 0, 1) {
		form := " %2d "
		if busy[day.Day()] {
			form = "[%2d]"
		}
		fmt.Fprintf(&text, form, day.Day())
		if day.Weekday() == time.Saturday {
			text.WriteByte('\n')
		}
	}
	rows := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	for i := range rows {
		rows[i] = strings.TrimRight(rows[i], " ")
	}
	return strings.Join(rows, "\n")
}
