package persistence

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// keptDeeds are done with what Marvin keeps for itself.
var keptDeeds = []deed{
	{"read a project", stateFiles + "projects.json", func(w workplace, _ string) (any, error) { return w.Projects().Of(w.project()) }},
	{"change a project", stateFiles + "projects.json", func(w workplace, _ string) (any, error) {
		return nil, w.Projects().Change(w.project(), func(p *Project) { p.Always = false })
	}},
	{"read a choice", stateFiles + "choices.json", func(w workplace, _ string) (any, error) { return Choices{w.Home}.Of(w.project()) }},
	{"change a choice", stateFiles + "choices.json", func(w workplace, _ string) (any, error) {
		return nil, Choices{w.Home}.Change(w.project(), func(c *Choice) { c.Model, c.Effort = "", "low" })
	}},
	{"forget a choice", stateFiles + "choices.json", func(w workplace, _ string) (any, error) {
		return nil, Choices{w.Home}.Change(w.project(), func(c *Choice) { *c = Choice{} })
	}},
	{"leave a choice", stateFiles + "choices.json", func(w workplace, _ string) (any, error) {
		return nil, Choices{w.Home}.Change(w.project(), func(*Choice) {})
	}},
	{"read offers", stateFiles + "mcp.json", func(w workplace, _ string) (any, error) { return w.Offers().Of(w.project()) }},
	{"accept an offer", stateFiles + "mcp.json", func(w workplace, _ string) (any, error) { return nil, w.Offers().Accept(w.project(), "b", "h") }},
	{"refuse an offer", stateFiles + "mcp.json", func(w workplace, _ string) (any, error) { return nil, w.Offers().Refuse(w.project(), "srv") }},
	{"accept a tool", "project/.marvin/tools/greet/tool.yaml", func(w workplace, _ string) (any, error) {
		brought := BroughtTools{Home: w.Home, Dir: w.project()}
		offers, problems := brought.Offers()
		if len(offers) != 1 {
			return problems, fmt.Errorf("%d offers", len(offers))
		}
		err := brought.Accept(offers[0])
		var now []string
		for _, again := range first(brought.Offers()) {
			now = append(now, fmt.Sprint(again.Folder, " ", again.Accepted))
		}
		return now, err
	}},
	{"accept a tool and forget it", stateFiles + "tools/.accepted", func(w workplace, _ string) (any, error) {
		brought := BroughtTools{Home: w.Home, Dir: w.project()}
		offers := first(brought.Offers())
		if len(offers) == 0 {
			return nil, errors.New("no offers")
		}
		accepted := brought.Accept(offers[0])
		had, err := brought.Forget("greet")
		none, _ := brought.Forget("other")
		return []any{accepted == nil, had, none}, errors.Join(accepted, err)
	}},
	{"read the settings", stateFiles + "config.yaml", func(w workplace, _ string) (any, error) {
		config, err := w.Config()
		return []any{config.Looks.Theme, config.Servers}, err
	}},
	{"list the settings", stateFiles + "config.yaml", func(w workplace, _ string) (any, error) { return ConfigFile{w.Home}.Written() }},
	{"set a setting", stateFiles + "config.yaml", func(w workplace, _ string) (any, error) {
		return filepath.Base(ConfigFile{w.Home}.Path()), ConfigFile{w.Home}.Set("theme", "light")
	}},
	{"unset a setting", stateFiles + "config.yaml", func(w workplace, _ string) (any, error) { return nil, ConfigFile{w.Home}.Unset("theme") }},
	{"configure a server", stateFiles + "config.yaml", func(w workplace, _ string) (any, error) {
		return nil, w.Servers().Set("two", Server{URL: "https://two.org", Off: true})
	}},
	{"remove a server", stateFiles + "config.yaml", func(w workplace, _ string) (any, error) { return nil, w.Servers().Remove("srv") }},
	{"read what a server has", stateFiles + "mcp/srv.json", func(w workplace, _ string) (any, error) {
		data, err := w.Servers().File("srv")
		return string(data), err
	}},
	{"keep what a server has", stateFiles + "mcp/srv.json", func(w workplace, _ string) (any, error) {
		return nil, w.Servers().KeepFile("srv", []byte(`{"kept":2}`))
	}},
	{"forget what a server has", stateFiles + "mcp/srv.json", func(w workplace, _ string) (any, error) { return nil, w.Servers().ForgetFile("srv") }},
	{"read an account", stateFiles + "logins.json", func(w workplace, _ string) (any, error) { return Accounts{w.Home}.Of("chatgpt") }},
	{"forget an account", stateFiles + "logins.json", func(w workplace, _ string) (any, error) { return nil, Accounts{w.Home}.Set("chatgpt", Account{}) }},
	{"read a login of a server", stateFiles + "logins.json", func(w workplace, _ string) (any, error) {
		login, ok, err := ServerLogins{w.Home}.At("srv", "https://a.org")
		return []any{login.AccessToken, ok}, err
	}},
	{"list themes", stateFiles + "themes/mine.theme", func(w workplace, _ string) (any, error) {
		text, err := ThemeFiles{w.Home}.Read("mine")
		return []any{ThemeFiles{w.Home}.Names(), text}, err
	}},
	{"list jobs", "project/.marvin/jobs", func(w workplace, _ string) (any, error) {
		all, err := w.jobs().List()
		var titles []string
		for _, job := range all {
			titles = append(titles, job.Title+" "+job.Status)
		}
		return slices.Sorted(slices.Values(titles)), err
	}},
	{"list conversations", dataFiles + "sessions/index.jsonl", func(w workplace, _ string) (any, error) {
		list, err := w.Sessions().ListOf(w.project())
		return called(list), err
	}},
	{"list all conversations", dataFiles + "sessions/%", func(w workplace, _ string) (any, error) {
		list, err := w.Sessions().List()
		return called(list), err
	}},
	{"read a branch", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		_, branch, err := w.Sessions().Branch(id, 0, nil)
		return len(branch), err
	}},
	{"open a conversation", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		session, err := w.Sessions().Open(id)
		if err != nil {
			return nil, err
		}
		err = session.Append(true, said("three"))
		return session.Leaf(), joinClose(err, session)
	}},
	{"look at a conversation", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		session, err := LookAtSession(w.Sessions(), id)
		if err != nil {
			return nil, err
		}
		return []any{session.Leaf(), session.Info().Turns}, session.Close()
	}},
	{"read the lines of a conversation", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		var places []int64
		err := w.Sessions().Lines(id, func(entry, parent int64, _ []byte) bool { places = append(places, entry, parent); return true })
		return places, err
	}},
	{"copy a conversation", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		copied, err := w.Sessions().Fork(id, 0)
		if err != nil {
			return nil, err
		}
		_, branch, err := w.Sessions().Branch(copied, 0, nil)
		var told []string
		for _, entry := range branch {
			told = append(told, fmt.Sprint(entry.ID, " of ", entry.Of, entry.About))
		}
		return told, err
	}},
	{"copy what can be undone", dataFiles + "undo/%/journal.jsonl", func(w workplace, id string) (any, error) {
		copied, err := w.Sessions().Fork(id, 0)
		return copied != "", err
	}},
	{"name a conversation", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		return nil, w.Sessions().Rename(id, "other", "Title")
	}},
	{"remove a conversation", dataFiles + "sessions/%", func(w workplace, id string) (any, error) {
		removed, err := w.Sessions().Remove(id)
		return []any{len(removed), w.Sessions().Holds(id), w.Sessions().Busy(id)}, err
	}},
	{"check conversations", dataFiles + "sessions/%", func(w workplace, _ string) (any, error) { return w.Sessions().Check(), nil }},
	{"search conversations", dataFiles + "sessions/index.words", func(w workplace, _ string) (any, error) {
		book := WordsFor(w.Sessions(), []string{"nobody"})
		var may []bool
		for _, info := range first(w.Sessions().List()) {
			one, covered := book.May(info)
			known := book.Words(info)
			may = append(may, one, covered == info.Size, known.Has("everybody"), known.Has("nobody"))
		}
		return may, book.Close()
	}},
	{"list artifacts", dataFiles + "artifacts/%/index.jsonl", func(w workplace, id string) (any, error) {
		all := w.Artifacts(id)
		_, found := all.Find("whole")
		return []any{len(all.List()), found}, all.Close()
	}},
	{"read an artifact", dataFiles + "artifacts/%/1.png", func(w workplace, id string) (any, error) {
		file, _, err := w.Artifacts(id).Open(1)
		if err != nil {
			return nil, err
		}
		content, err := io.ReadAll(file)
		return string(content), joinClose(err, file)
	}},
	{"keep an artifact", dataFiles + "artifacts/%/index.jsonl", func(w workplace, id string) (any, error) {
		one, err := w.Artifacts(id).Put(Artifact{Tool: "t", Media: "audio/mpeg"}, []byte("x"))
		return []any{one.Number, filepath.Base(w.Artifacts(id).Place(one.Number))}, err
	}},
	{"read what can be undone", dataFiles + "undo/%/journal.jsonl", func(w workplace, id string) (any, error) {
		records, err := w.Undo(id).Records()
		return len(records), err
	}},
	{"note what can be undone", dataFiles + "undo/%/journal.jsonl", func(w workplace, id string) (any, error) {
		return nil, w.Undo(id).Add([]UndoRecord{{Kind: UndoWrite, Name: "b"}}, [][]byte{[]byte("b")})
	}},
	{"read what a file held", dataFiles + "undo/%/images/" + UndoHash([]byte("before")), func(w workplace, id string) (any, error) {
		content, err := w.Undo(id).Content(UndoHash([]byte("before")))
		return string(content), err
	}},
	{"keep what a file held", dataFiles + "undo/%/images", func(w workplace, id string) (any, error) { return nil, w.Undo(id).Store([]byte("late")) }},
}

func first[T, U any](value T, _ U) T { return value }

func joinClose(err error, file io.Closer) error {
	if closed := file.Close(); err == nil {
		return closed
	}
	return err
}

func called(list []SessionInfo) []string {
	var names []string
	for _, info := range list {
		names = append(names, strings.Join([]string{info.Called(), info.First, fmt.Sprint(info.Turns)}, " "))
	}
	return slices.Sorted(slices.Values(names))
}
