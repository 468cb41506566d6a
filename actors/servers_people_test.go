package actors_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence/settings"
)

func TestServerStatusForUser(t *testing.T) {
	home := t.TempDir()
	off := played("well")
	off.Off = true
	all := map[string]settings.Server{"office": played("well", "*"), "off": off, "dies": played("dies")}
	known(t, home, "office", all["office"])
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: all}})
	told := func(only string) string {
		var states []string
		for _, one := range tree.System.Servers.States(t.Context(), only) {
			failed, _, _ := strings.Cut(one.Err, ":")
			states = append(states, fmt.Sprintf("%s %s %v %d %v %q", one.Name, one.State, one.Looked, one.Tools, one.Unapproved, failed))
		}
		return strings.Join(states, "\n")
	}
	for only, want := range map[string]string{
		"":       "dies not started false 0 [] \"\"\noff off false 0 [] \"\"\noffice not started true 1 [] \"\"",
		"office": `office not started true 1 [] ""`, "off": `off off false 0 [] ""`, "none": "",
	} {
		if is := told(only); is != want {
			t.Errorf("of %q at first: %s", only, is)
		}
	}
	for name, want := range map[string]string{"off": "no server in use has the name off", "no\x1bne": "no server in use has the name no‹U+001B›ne", "office": "<nil>"} {
		if err := tree.System.Servers.Restart(t.Context(), name); fmt.Sprint(err) != want {
			t.Errorf("restart of %q: %v", name, err)
		}
		session, err := tree.System.Servers.Connect(t.Context(), name)
		if fmt.Sprint(err) != want || (session == nil) != (err != nil) {
			t.Errorf("session of %q: %v, %v", name, session, err)
		}
	}
	if is := told("office"); is != `office running true 1 [] ""` {
		t.Errorf("office is now %s", is)
	}
	if _, err := tree.System.Servers.Connect(t.Context(), "dies"); err == nil || !strings.Contains(err.Error(), "no key was given") {
		t.Errorf("one that dies: %v", err)
	}
	over, stop := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	stop(enough)
	if err := tree.System.Servers.Restart(over, "dies"); err != nil && !errors.Is(err, enough) && !strings.Contains(err.Error(), "no key was given") {
		t.Errorf("someone who left gets %v", err)
	}
	if entries := tree.System.Servers.Entries(); !reflect.DeepEqual(entries, all) {
		t.Errorf("the entries are %+v", entries)
	}
	tree.System.Servers.ApplyApprovals("office")
	if turn := tree.Prompt("hello"); turn.Ended.Text != "said: hello" {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestExtensionsAreReloadedBeforeEachPrompt(t *testing.T) {
	answers := make(chan actors.Reread, 2)
	tree := speaking(t, actorstest.Setup{Tools: many(), Find: true, Others: actors.Extensions{Reread: func() (actors.Reread, bool) {
		select {
		case next := <-answers:
			return next, true
		default:
			return actors.Reread{}, false
		}
	}}})
	tree.Prompt("hello")
	answers <- actors.Reread{
		Servers: map[string]settings.Server{"office": played("well", "*")},
		Told:    []messages.Notice{{Level: messages.Info, Text: "office is new"}},
	}
	turn := tree.Prompt("find it")
	if notices := actorstest.TurnEvents[messages.Notice](turn); turn.Ended.Text != "said: found" || len(notices) == 0 || notices[0].Text != "office is new" {
		t.Errorf("%+v %+v", turn.Ended, notices)
	}
	if states := tree.System.Servers.States(t.Context(), ""); len(states) != 1 || states[0].State != "running" {
		t.Errorf("%+v", states)
	}
	answers <- actors.Reread{}
	if turn := tree.Prompt("gone"); strings.Contains(turn.Ended.Text, "said") || len(tree.System.Servers.Entries()) != 0 {
		t.Errorf("%+v %v", turn.Ended, tree.System.Servers.Entries())
	}
	if told := tree.System.Servers.Renew(); told != nil {
		t.Errorf("an unchanged one gets %v", told)
	}
}
