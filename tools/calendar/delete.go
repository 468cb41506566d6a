package calendar

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"marvin/messages/lists"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
)

type deleteArgs struct {
	UID   string `json:"uid,omitempty" doc:"uid of the event, or its first 8 characters" alias:"event_id,id"`
	Title string `json:"title,omitempty" doc:"Part of the event's title" alias:"summary,name" example:"dentist"`
	Date  string `json:"date,omitempty" doc:"Only the occurrence on this day" alias:"occurrence"`
}

func (s Service) deleteTool() tools.Tool {
	return tools.New(tools.Def[deleteArgs]{
		Name: "calendar_delete_event", Chat: true,
		Effect: tools.Irreversible,
		Doc:    "Delete an event, a whole series, or one date of a series. If several events match, lists them and deletes none.",
		Examples: []string{
			"delete the event {dentist|title} from my calendar",
			"remove calendar event {3f0c12ab|uid}",
		},
		Pool: tools.Proc,
		Run:  s.delete,
	})
}

func (s Service) delete(ctx context.Context, env tools.Env, in deleteArgs) (tools.Output, error) {
	uid, title := strings.TrimSpace(in.UID), oneLine(in.Title)
	if uid == "" && title == "" {
		return tools.Output{}, errors.New("give the uid, or a part of the title; calendar_list_upcoming shows both")
	}
	profile := s.home.Profile(env.ProfileName())
	loose, looseErr := s.loose()
	var found event
	var damage error
	removed, single := 0, false
	var did personal.Edit
	err := personal.ChangeCalendar(personal.RecordChange(profile, &did), func(text string) (string, error) {
		own, _ := read(text, s.home.Now().Location())
		var err error
		if found, err = pick(append(own, loose...), uid, title, s.home.Now().Location(), "deleted"); err != nil {
			return "", err
		}
		var one event
		if strings.TrimSpace(in.Date) != "" {
			if one, err = onDay(append(own, loose...), found, in.Date, s.home.Now()); err != nil {
				return "", err
			}
		}
		if one.uid != "" && len(found.rules) > 0 && found.file == "" {
			series, excepted := found, cmp.Or(one.instance, one.start)
			found, removed, single = one, 1, true
			return removeOccurrence(text, series.uid, excepted.In(series.start.Location()), series.allDay, s.home.Now().Location()), nil
		}
		if found.file != "" {
			return "", errElsewhere
		}
		text, removed = remove(text, found.uid)
		return text, nil
	})
	switch {
	case errors.Is(err, errElsewhere):
		removed, err = 1, personal.RemoveLooseEvent(s.home, found.file)
	case persistence.OnlyDamage(err):
		damage, err = err, nil
	}
	if err != nil {
		return tools.Output{}, err
	}
	text := fmt.Sprintf("Deleted: %s [uid:%s]", found.line(s.home.Now().Location()), found.uid)
	forgotten := s.forget(ctx, env, found.uid)
	switch {
	case single:
		text += ". The other dates of the series stay.\n" + s.remind(ctx, env, found.uid, s.home.Now())
	case removed > 1 || len(found.rules) > 0:
		text += ", with all its dates"
	}
	if err := errors.Join(damage, looseErr, forgotten); err != nil {
		text += "\nWarning: " + err.Error()
	}
	return tools.Output{Text: text, Undo: takenBack(did)}, nil
}

func takenBack(did personal.Edit) *tools.Inverse {
	if did.Document == "" {
		return tools.CannotUndo("the event was in a file of an earlier Marvin version, and the file is gone")
	}
	return tools.InverseOf(did)
}

// errElsewhere means that the event is in a file that the TypeScript version of Marvin wrote.
var errElsewhere = errors.New("the event is in a file of its own")

// pick returns the only event that matches uid. If uid is "", the event must match title. If no
// event or several events match, pick returns an error. A series with its exceptions counts as one
// event.
func pick(events []event, uid, title string, zone *time.Location, done string) (event, error) {
	// Put whole series first, because the loop uses only the first match for each UID.
	events = append(slices.DeleteFunc(slices.Clone(events), func(one event) bool { return !one.instance.IsZero() }),
		slices.DeleteFunc(slices.Clone(events), func(one event) bool { return one.instance.IsZero() })...)
	var exact, matches []event
	seen := map[string]bool{}
	for _, one := range events {
		if seen[one.uid] || one.uid == "" {
			continue
		}
		switch {
		case uid != "" && one.uid == uid:
			exact = append(exact, one)
		case uid != "" && len(uid) >= 8 && strings.HasPrefix(one.uid, uid),
			uid == "" && strings.Contains(strings.ToLower(one.title), strings.ToLower(title)):
			matches = append(matches, one)
		default:
			continue
		}
		seen[one.uid] = true
	}
	if len(exact) == 1 {
		return exact[0], nil
	}
	switch len(matches) {
	case 1:
		return matches[0], nil
	case 0:
		wanted := fmt.Sprintf("with the uid %q", uid)
		if uid == "" {
			wanted = fmt.Sprintf("with %q in its title", title)
		}
		return event{}, tools.Advise(fmt.Errorf("there is no event %s", wanted), "Look at calendar_list_upcoming or calendar_view, and use the uid.")
	}
	slices.SortStableFunc(matches, func(a, b event) int { return b.start.Compare(a.start) })
	lines := lists.Map(matches[:min(len(matches), 20)], func(one event) string { return "- " + one.line(zone) + " [uid:" + one.uid + "]" })
	return event{}, tools.Advise(fmt.Errorf("%d events match, so nothing was %s", len(matches), done), "Call again with the uid of one of them:\n%s", strings.Join(lines, "\n"))
}
