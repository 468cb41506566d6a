package putback

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
)

// Settler updates the reminders of calendar events that an undo has restored or removed.
type Settler interface {
	Settle(ctx context.Context, env tools.Env, edit personal.Edit) (said string, err error)
}

type args struct {
	Edit string `json:"edit" doc:"The change to undo: a persistence.Edit as JSON"`
}

// Tool returns the tool that reverses one edit to a document and keeps later edits. After an edit
// to the calendar is reversed, the tool updates the reminders of the affected events.
func Tool(home *persistence.Home, calendar Settler) tools.Tool {
	return tools.New(tools.Def[args]{
		Name: tools.PutBackName, Effect: tools.Writes, Pool: tools.Proc, Brings: tools.Private, Sends: tools.SendsNothing[args],
		Doc:      "Restore the state from before a call that changed the calendar, bookmarks, places, topics or preferences.",
		Examples: []string{"take the last event back", "put the bookmark back"},
		Run: func(ctx context.Context, env tools.Env, in args) (tools.Output, error) {
			var edit personal.Edit
			if err := json.Unmarshal([]byte(in.Edit), &edit); err != nil {
				return tools.Output{}, fmt.Errorf("read the change that you want to undo: %w", err)
			}
			return put(ctx, env, home, calendar, edit)
		},
	})
}

func put(ctx context.Context, env tools.Env, home *persistence.Home, calendar Settler, edit personal.Edit) (tools.Output, error) {
	back, err := personal.PutBack(home, edit)
	if errors.Is(err, personal.ErrChangedSince) {
		return tools.Output{}, err
	}
	if err != nil {
		return tools.Output{}, fmt.Errorf("restore the change in the %s: %w", edit.Document, err)
	}
	text := "Put back in the " + edit.Document + "."
	if edit.Document == "calendar" {
		said, err := calendar.Settle(ctx, env, edit)
		if err != nil {
			said += "\nWarning: " + err.Error()
		}
		text += "\n" + said
	}
	return tools.Output{Text: text, Undo: tools.InverseOf(back)}, nil
}
