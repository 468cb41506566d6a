package session

import (
	"path/filepath"

	"github.com/asynkron/protoactor-go/actor"

	"marvin/actors/internal/task"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/persistence/undolog"
	"marvin/tools"
	"marvin/tools/undo"
)

// The code in this file lists a conversation's changes for /diff, and undoes parts of a change.

// Changes returns the changes that a stored conversation made in its directory. It reads only files
// that env permits.
func Changes(home *persistence.Home, info sessions.Info, env tools.Env) (messages.Changes, error) {
	return changesOf(undolog.Of(home, info.ID), env, info.Dir)
}

func changesOf(journal *undolog.Journal, env tools.Env, dir string) (messages.Changes, error) {
	all, err := undo.Changes(journal, env, dir)
	if err != nil {
		return messages.Changes{}, err
	}
	return undo.Summary(journal, all), nil
}

// changes tells the front ends which files the conversation changed, and what changed in each file.
func (u *undoing) changes(c actor.Context) {
	log, env, dir := u.state.conversation.Undo, u.env(), u.state.conversation.Dir
	if log == nil {
		u.tell(messages.Changes{Files: []messages.ChangedFile{}})
		return
	}
	task.Do(c, func() any {
		told, err := changesOf(log.Get(), env, dir)
		if err != nil {
			return messages.Notice{Level: messages.Problem, Text: "Marvin cannot read the changes: " + err.Error()}
		}
		return told
	}, func(panicked *task.Panicked) any {
		return messages.Notice{Level: messages.Problem, Text: "Marvin cannot read the changes: " + panicked.Error()}
	})
}

// undoPart undoes one part of a change. No question is asked, because the user chose the part.
func (u *undoing) undoPart(c actor.Context, wish messages.TakeBack) {
	if !u.free() {
		return
	}
	log, env, dir := u.state.conversation.Undo, u.env(), u.state.conversation.Dir
	wish.Path = filepath.Clean(wish.Path)
	u.planning = true
	task.Do(c, func() any {
		plan, err := undo.Part(log.Get(), env, dir, wish)
		return undoPlanned{plan: &plan, journal: log.Get(), err: err}
	}, func(panicked *task.Panicked) any { return undoPlanned{err: panicked} })
}
