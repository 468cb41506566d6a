package acphost

import (
	"fmt"
	"slices"

	"marvin/persistence/sessions"
	"marvin/ui/acp"
)

const pageSize = 50

// Page returns the page of sessions after the session whose ID is the cursor, or the first page if
// the cursor is "". It also returns the cursor for the next page, which is "" on the last page.
func Page(list []sessions.Info, cursor string) (page []acp.StoredSession, next string, err error) {
	list = slices.DeleteFunc(list, func(info sessions.Info) bool {
		return info.Dir == "" || info.Updated.IsZero() || info.Turns == 0 && info.First == ""
	})
	if cursor != "" {
		at := slices.IndexFunc(list, func(info sessions.Info) bool { return info.ID == cursor })
		if at < 0 {
			return nil, "", fmt.Errorf("%w: the cursor %q does not come from an earlier page; list again without a cursor", acp.ErrWrong, cursor)
		}
		list = list[at+1:]
	}
	if len(list) > pageSize {
		list = list[:pageSize]
		next = list[pageSize-1].ID
	}
	for _, info := range list {
		page = append(page, acp.StoredSession{ID: info.ID, Dir: info.Dir, Title: info.DisplayName(), Updated: info.Updated})
	}
	return page, next, nil
}
