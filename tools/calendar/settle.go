package calendar

import (
	"context"
	"errors"
	"slices"
	"strings"

	"marvin/persistence/personal"
	"marvin/tools"
)

// Settle adjusts the reminders of events after an undo. It removes the reminders of all events in
// the edit, and sets them again for events that still exist.
func (s Service) Settle(ctx context.Context, env tools.Env, edit personal.Edit) (string, error) {
	env.Profile = s.home.Profile(edit.Profile).Dir
	pieces := slices.DeleteFunc(slices.Concat(edit.Was, edit.Is), func(piece string) bool { return !strings.HasPrefix(piece, "BEGIN:VEVENT") })
	changed, _ := scan("BEGIN:VCALENDAR\n" + strings.Join(pieces, "") + "END:VCALENDAR\n")
	var uids, said []string
	for _, one := range changed {
		if uid := one.get("UID").text(); uid != "" && !slices.Contains(uids, uid) {
			uids = append(uids, uid)
		}
	}
	there, err := personal.Calendar(s.home.Profile(edit.Profile))
	if err != nil {
		return "", err
	}
	for _, uid := range uids {
		err = errors.Join(err, s.forget(ctx, env, uid))
		if strings.Contains(there, uid) {
			said = append(said, s.remind(ctx, env, uid, s.home.Now()))
		}
	}
	return strings.Join(said, "\n"), err
}
