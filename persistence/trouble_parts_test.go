package persistence

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"time"
)

// partDeeds are done by parts of Marvin on the way of a conversation.
var partDeeds = []deed{
	{"put a bookmark back", profileFiles + "bookmarks.json", putsBack(func(p Profile) error {
		_, err := p.Bookmarks().Change("https://first.org", func(*Bookmark) bool { return false })
		return err
	})},
	{"put a place back", profileFiles + "saved_places.json", putsBack(func(p Profile) error {
		_, _, err := p.SavePlace("second", PlaceChange{Notes: words("of old")})
		return err
	})},
	{"put a topic back", profileFiles + "ntfy_subscriptions.json", putsBack(func(p Profile) error {
		_, err := p.Topics().Subscribe(Subscription{Topic: "third"})
		return err
	})},
	{"put an event back", profileFiles + "calendar.ics", putsBack(func(p Profile) error {
		return p.ChangeCalendar(func(text string) (string, error) {
			if text == "" {
				text = "BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n"
			}
			return strings.Replace(text, "END:VCALENDAR", "BEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\nEND:VCALENDAR", 1), nil
		})
	})},
	{"put a preference back", profileFiles + "preferences.yaml", putsBack(func(p Profile) error {
		_, err := p.ChangePreference("favorite_cuisines", AddPreference, []string{"thai"})
		return err
	})},
	{"read what a project brings", "project/.marvin/tools/greet/greet", func(w workplace, _ string) (any, error) {
		brought := BroughtTools{Home: w.Home, Dir: w.project()}
		stamp := brought.Stamp([]string{"tools"})
		offers, problems := brought.Offers()
		var told []string
		for _, offer := range offers {
			told = append(told, offer.Folder+": "+offer.Tool.Description, fmt.Sprint(brought.Still(offer)))
		}
		return []any{told, strings.Count(stamp, "\n"), len(problems)}, errors.Join(problems...)
	}},
	{"run an accepted tool", "project/.marvin/tools", func(w workplace, _ string) (any, error) {
		brought := BroughtTools{Home: w.Home, Dir: w.project()}
		offers := first(brought.Offers())
		if len(offers) == 0 {
			return nil, errors.New("no offers")
		}
		accepted := brought.Accept(offers[0])
		return nil, errors.Join(accepted, brought.Still(offers[0]))
	}},
	{"make a tool", stateFiles + "tools", func(w workplace, _ string) (any, error) {
		folder := filepath.Join(w.ToolsDir(), "mine")
		err := MakeTool(folder, map[string]string{ToolManifest: "description: Mine\ncommand: [./run]\n", "run": "#!/bin/sh\n"}, "run")
		tools, problems := CustomTools(w.ToolsDir())
		return len(tools), errors.Join(append(problems, err)...)
	}},
	{"read what a job wrote", "project/.marvin/jobs", func(w workplace, _ string) (any, error) {
		id := "command-fixed"
		text, size, err := w.jobs().Output(id, false, 3)
		wrong, _, failed := w.jobs().Output(id, true, 10)
		later, late := w.jobs().OutputFrom(id, 2, 100)
		whole, unknown := w.jobs().OutputSize(id)
		return []any{string(text), size, string(wrong), string(later), whole}, errors.Join(err, failed, late, unknown)
	}},
	{"drop a job", "project/.marvin/jobs", func(w workplace, _ string) (any, error) {
		id, stdout, stderr, err := w.jobs().Create("command")
		if err == nil {
			err = errors.Join(stdout.Close(), stderr.Close())
			w.jobs().Discard(id)
		}
		return nil, err
	}},
	{"remove a job", "project/.marvin/jobs", func(w workplace, _ string) (any, error) {
		return nil, w.jobs().Remove("command-fixed")
	}},
	{"change a job", "project/.marvin/jobs", func(w workplace, _ string) (any, error) {
		return nil, w.jobs().Update("command-fixed", func(job *Job) error { job.Status = "failed"; return nil })
	}},
	{"keep a key", stateFiles + "logins.json", func(w workplace, _ string) (any, error) {
		err := errors.Join(w.Logins().Set("gemini", Login{Key: "k", Address: "https://g"}), w.Logins().Set("other", Login{}))
		all, failed := w.Logins().All()
		return all, errors.Join(err, failed)
	}},
	{"forget what a server gave", stateFiles + "logins.json", func(w workplace, _ string) (any, error) {
		logins := ServerLogins{w.Home}
		_, had, _ := logins.At("srv", "https://a.org")
		_, elsewhere, _ := logins.At("srv", "https://b.org")
		err := logins.Set("srv", ServerLogin{})
		_, has, failed := logins.At("srv", "https://a.org")
		return []any{had, elsewhere, has}, errors.Join(err, failed)
	}},
	{"renew a login", stateFiles + ".accounts.lock", func(w workplace, _ string) (any, error) {
		unlock, err := Accounts{w.Home}.Lock()
		if err == nil {
			err = unlock()
		}
		return nil, err
	}},
	{"write a draft", profileFiles + "draft.json", func(w workplace, _ string) (any, error) {
		draft, unsent, err := w.profile().OpenDraft()
		if err != nil {
			return nil, errors.Join(err, draft.Close())
		}
		return unsent.Input, errors.Join(draft.Save(Unsent{Input: "more"}), draft.Close())
	}},
	{"run a turn", profileFiles + "running.jsonl", func(w workplace, _ string) (any, error) {
		turns := w.profile().Turns()
		turn, err := turns.Begin("do it")
		if err != nil && turn.lock != nil { // which goes on without what could not be kept
			return nil, errors.Join(err, turn.lock.Close())
		}
		if err != nil {
			return nil, err
		}
		err = errors.Join(turn.Say("I do"), turns.End(turn, ChatEntry{Role: "you", Text: "do it"}))
		lost, failed := turns.Recover()
		return lost, errors.Join(err, failed)
	}},
	{"recover a turn", profileFiles + "running.jsonl", func(w workplace, _ string) (any, error) {
		turns := w.profile().Turns()
		turn, err := turns.Begin("do it")
		if err != nil && turn.lock != nil { // which goes on without what could not be kept
			return nil, errors.Join(err, turn.lock.Close())
		}
		if err != nil {
			return nil, err
		}
		err = errors.Join(turn.Say("I was about"), turn.Say(" to"), turn.lock.Close())
		lost, failed := turns.Recover()
		return lost, errors.Join(err, failed)
	}},
	{"read what was said later", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		session, err := w.Sessions().Open(id)
		if err != nil {
			return nil, err
		}
		info := session.Info()
		later := said(strings.Repeat("long ", 40<<10))
		later.At = now().Add(2 * time.Second)
		err = session.Append(true, later)
		lines := 0
		end, failed := w.Sessions().Later(info, info.Size, func([]byte) { lines++ })
		return []any{lines, end > info.Size+200<<10, len(RecentOf(w.Sessions(), 3))}, joinClose(errors.Join(err, failed), session)
	}},
	{"roll conversations", dataFiles + "sessions/index.jsonl", func(w workplace, _ string) (any, error) {
		roll, err := RollOf(w.Sessions())
		if err != nil {
			return nil, err
		}
		defer roll.Close()
		var told []string
		roll.Each(func(index int, info SessionInfo) bool {
			told = append(told, info.Called(), roll.At(index).First, fmt.Sprint(roll.File(index).Size == info.Size))
			return true
		})
		return []any{roll.Len(), told}, nil
	}},
	{"write the log", stateFiles + "marvin.log", func(w workplace, _ string) (any, error) {
		log := NewLog(w.Home)
		_, err := log.Write([]byte("a line\n"))
		text, failed := log.Tail(4)
		return string(text), errors.Join(err, failed)
	}},
	{"read instructions", "project/.marvin/instructions.md", func(w workplace, _ string) (any, error) {
		text, err := w.Instructions(w.project())
		documents, failed := ProjectDocuments(w.project())
		return []any{text.Text, len(documents)}, errors.Join(err, failed)
	}},
	{"know what servers have", stateFiles + "mcp/.known", func(w workplace, _ string) (any, error) {
		var was, is []string
		known := w.Servers().Known(map[string]Server{"srv": {Command: []string{"srv"}}})
		before := known.Read(&was)
		known.Keep([]string{"tool"})
		return []any{before, known.Read(&is), is}, nil
	}},
}

// putsBack changes a document, takes that back and takes that back as well.
func putsBack(change func(Profile) error) func(w workplace, id string) (any, error) {
	return func(w workplace, _ string) (any, error) {
		var edit Edit
		if err := change(Noting(w.profile(), &edit)); err != nil && edit.Document == "" {
			return nil, err
		}
		back, err := PutBack(w.Home, edit)
		if err != nil {
			return edit, err
		}
		again, err := PutBack(w.Home, back)
		return []Edit{edit, back, again}, err
	}
}
