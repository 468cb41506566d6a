package mcp

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools"
)

var office = settings.Server{Command: []string{"/bin/office"}}

// remembered returns a home directory with this record of the server office.
func remembered(t *testing.T, manifest Manifest) *persistence.Home {
	t.Helper()
	home := persistence.Open(t.TempDir(), time.Now)
	manifest.Server = office.Hash()
	if err := Keep(home, "office", manifest); err != nil {
		t.Fatal(err)
	}
	return home
}

func damaged(t *testing.T) *persistence.Home {
	t.Helper()
	home := persistence.Open(t.TempDir(), time.Now)
	if err := settings.ServersOf(home).KeepFile("office", []byte("{no")); err != nil {
		t.Fatal(err)
	}
	return home
}

func known(t *testing.T, home *persistence.Home) Manifest {
	t.Helper()
	manifest, known, err := ReadManifest(home, "office", office)
	if err != nil || !known {
		t.Fatal(known, err)
	}
	return manifest
}

// A record of a server is valid only for the same command. An unreadable record approves nothing.
func TestServerMemo(t *testing.T) {
	look := Tool{Name: "look", Doc: "Looks.", Schema: json.RawMessage(`{ "type": "object" }`)}
	home := remembered(t, Manifest{Tools: []Tool{look}})
	if got := known(t, home); len(got.Tools) != 1 || got.Tools[0].hash() != look.hash() {
		t.Errorf("%+v", got)
	}
	other := settings.Server{Command: []string{"/bin/other"}}
	if manifest, known, err := ReadManifest(home, "office", other); known || err != nil || len(manifest.Tools) > 0 {
		t.Errorf("of another command: %+v, %v, %v", manifest, known, err)
	}
	if _, known, err := ReadManifest(home, "nothing", office); known || err != nil {
		t.Errorf("of one that was never seen: %v, %v", known, err)
	}
	manifest, is, err := ReadManifest(damaged(t), "office", office)
	if is || manifest.Pinned == nil || err == nil || !strings.HasSuffix(err.Error(), "; look at its tools with \"marvin mcp tools office\" and approve them with \"marvin mcp approve office\"") {
		t.Errorf("damaged: %+v, %v, %v", manifest, is, err)
	}
	for name, do := range map[string]func(*persistence.Home) error{
		"Approve": func(home *persistence.Home) error { return Approve(home, "office", look) },
		"Widen":   func(home *persistence.Home) error { return widen(home, "office", Profile{}) },
		"Wish":    func(home *persistence.Home) error { return keepWish(home, "office", Profile{}, Profile{}) },
		"ApproveAll": func(home *persistence.Home) error {
			_, err := ApproveAll(home, "office", office)
			return err
		},
		"Widened": func(home *persistence.Home) error {
			_, err := Widen(home, "office", Profile{}, &Session{})
			return err
		},
	} {
		home := damaged(t)
		if err := do(home); err == nil {
			t.Errorf("%s of what is damaged", name)
		}
		if text, err := settings.ServersOf(home).File("office"); err != nil || string(text) != "{no" {
			t.Errorf("%s wrote over it: %s, %v", name, text, err)
		}
	}
	if _, err := ApproveAll(persistence.Open(t.TempDir(), time.Now), "office", office); err == nil || err.Error() != "the server office has not been checked yet; check it with \"marvin mcp test office\"" {
		t.Errorf("%v", err)
	}
}

// Approval applies to a tool's exact description: not to another name, text or parameter.
func TestADescriptionIsApproved(t *testing.T) {
	look, send := Tool{Name: "look", Doc: "Looks.", Schema: json.RawMessage(`{"type":"object"}`)}, Tool{Name: "send"}
	home := remembered(t, Manifest{Tools: []Tool{send, look, {Name: "a"}}})
	if got := known(t, home); strings.Join(got.Unapproved(), " ") != "a look send" || got.Approved(look) {
		t.Errorf("before: %q", got.Unapproved())
	}
	if err := Approve(home, "office", look); err != nil {
		t.Fatal(err)
	}
	got := known(t, home)
	if strings.Join(got.Unapproved(), " ") != "a send" || !got.Approved(look) {
		t.Errorf("one: %q", got.Unapproved())
	}
	for _, other := range []Tool{{Name: "look", Doc: "Looks!", Schema: look.Schema}, {Name: "look2", Doc: "Looks.", Schema: look.Schema}, {Name: "look", Doc: "Looks.", Schema: json.RawMessage(`{"type":"object","a":1}`)}} {
		if got.Approved(other) {
			t.Errorf("%+v is approved", other)
		}
	}
	if spaced := (Tool{Name: "look", Doc: "Looks.", Schema: json.RawMessage(" { \"type\" : \"object\" } ")}); !got.Approved(spaced) {
		t.Error("white space in a schema changes it")
	}
	if all, err := ApproveAll(home, "office", office); err != nil || len(all.Unapproved()) > 0 || !reflect.DeepEqual(known(t, home).Pinned, all.Pinned) {
		t.Errorf("all: %+v, %v", all, err)
	}
}

func TestWishesAreAllowed(t *testing.T) {
	wanted := Profile{Read: []string{"~/notes"}, Write: []string{"~/out"}, Hosts: []string{"example.org"}}
	for _, row := range []struct {
		only               []string
		jail, left         Profile
		wrong              string
		without, forgotten bool // there is no profile yet, or its record is unreadable
	}{
		{nil, wanted, Profile{}, "", false, false},
		{[]string{"example.org"}, Profile{Hosts: []string{"example.org"}}, Profile{Read: []string{"~/notes"}, Write: []string{"~/out"}}, "", false, false},
		{[]string{"~/notes", "~/out"}, Profile{Read: []string{"~/notes"}, Write: []string{"~/out"}}, Profile{Hosts: []string{"example.org"}}, "", false, false},
		{[]string{"~/other"}, Profile{}, wanted, "the server office did not ask for ~/other; it asked to " + wanted.Wish(), false, false},
		{nil, Profile{}, wanted, "", true, false},
		{nil, Profile{}, Profile{}, "", false, true},
	} {
		manifest := Manifest{Wanted: wanted, Refused: Profile{Hosts: []string{"example.org"}}, Jail: &Profile{}}
		if row.without {
			manifest.Jail = nil
		}
		home := remembered(t, manifest)
		if row.forgotten {
			home = damaged(t)
		}
		err := Allow(home, "office", office, row.only...)
		if row.wrong == "" && err != nil || row.wrong != "" && (err == nil || err.Error() != row.wrong) {
			t.Errorf("%q: %v, want %q", row.only, err, row.wrong)
		}
		if row.forgotten {
			if text, err := settings.ServersOf(home).File("office"); len(text) > 0 || err != nil {
				t.Errorf("what is damaged is still there: %s, %v", text, err)
			}
			continue
		}
		got := known(t, home)
		if row.without != (got.Jail == nil) || got.Jail != nil && !reflect.DeepEqual(*got.Jail, row.jail) || !reflect.DeepEqual(got.Wanted, row.left) {
			t.Errorf("%q: may %+v, wanted %+v", row.only, got.Jail, got.Wanted)
		}
		if refused := len(got.Refused.Hosts) > 0; refused != (row.without || !strings.Contains(got.Jail.String(), "example.org")) {
			t.Errorf("%q: still refused: %v", row.only, refused)
		}
	}
	none := persistence.Open(t.TempDir(), time.Now)
	if err := Allow(none, "office", office); err != nil {
		t.Errorf("of one that was never seen: %v", err)
	}
	if err := Allow(none, "office", office, "x.org"); err == nil || err.Error() != "the server office did not ask for x.org; it asked to do only what is already allowed" {
		t.Errorf("%v", err)
	}
}

func TestServerSandboxInWords(t *testing.T) {
	jail := &Profile{Read: []string{"~/notes"}}
	for _, row := range []struct {
		server        settings.Server
		manifest      Manifest
		sandbox       tools.SandboxMode
		words, wanted string
	}{
		{settings.Server{URL: "https://x"}, Manifest{Jail: jail}, tools.SandboxAuto, "it runs on another machine; sending to it needs approval", ""},
		{settings.Server{Command: []string{"x"}, Free: true}, Manifest{Jail: jail}, tools.SandboxAuto, "it runs with all your permissions", ""},
		{office, Manifest{Jail: jail}, tools.SandboxOff, "it runs with all your permissions", ""},
		{office, Manifest{Unseen: true}, tools.SandboxAuto, "it runs in the same sandbox as commands, because this system cannot observe programs", ""},
		{office, Manifest{}, tools.SandboxStrict, "The next time the server starts, Marvin will observe what the server needs", ""},
		{office, Manifest{Jail: jail, Unseen: true, Wanted: Profile{Write: []string{"~/out"}}}, tools.SandboxAuto, "it " + jail.String(), Profile{Write: []string{"~/out"}}.Wish()},
	} {
		if words, wanted := DescribeConfinement(row.server, row.manifest, row.sandbox); words != row.words || wanted != row.wanted {
			t.Errorf("%+v: %s, %s; want %s, %s", row.server, words, wanted, row.words, row.wanted)
		}
	}
}

func TestServerConsent(t *testing.T) {
	tool := Tool{Name: "look", Doc: "Looks."}
	broken := errors.New("nobody answers")
	wish := Profile{Read: []string{"~/notes"}, Hosts: []string{"example.org"}}
	single := Profile{Hosts: []string{"example.org"}}
	chosen := func(choice messages.Choice, options ...string) tools.Reply {
		return tools.Reply{Answer: messages.Answer{Choice: choice, Chosen: []messages.Chosen{{Options: options}}}}
	}
	for _, row := range []struct {
		what    string
		reply   tools.Reply
		err     error
		used    bool
		one     bool // only one wish is allowed
		several Profile
	}{
		{"yes", chosen(messages.Yes, "use it", allow), nil, true, true, Profile{}},
		{"no", chosen(messages.Yes, "do not use it", refuse), nil, false, false, Profile{}},
		{"yes and no", chosen(messages.Yes, allow, refuse), nil, false, false, Profile{}},
		{"another choice", chosen(messages.No, "use it", allow, Profile{Hosts: wish.Hosts}.Wish()), nil, false, false, Profile{}},
		{"nothing", chosen(messages.Yes), nil, false, false, Profile{}},
		{"no list", tools.Reply{Answer: messages.Answer{Choice: messages.Yes}}, nil, false, false, Profile{}},
		{"one of two", chosen(messages.Yes, Profile{Hosts: wish.Hosts}.Wish()), nil, false, false, single},
		{"both", chosen(messages.Yes, Profile{Hosts: wish.Hosts}.Wish(), Profile{Read: wish.Read}.Wish()), nil, false, false, wish},
		{"nobody in time", tools.Reply{Unanswered: "nobody", Answer: chosen(messages.Yes, "use it", allow).Answer}, nil, false, false, Profile{}},
		{"an error", chosen(messages.Yes, "use it", allow), broken, false, false, Profile{}},
	} {
		home := remembered(t, Manifest{Tools: []Tool{tool}})
		c := caller{server: "office", tool: tool, sessions: &Direct{Home: home}}
		var asked tools.Inquiry
		env := tools.Env{Person: true, Conversation: tools.Conversation{Ask: func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
			asked = inquiry
			return row.reply, row.err
		}}}
		err := c.askApproval(t.Context(), env)
		is := known(t, home)
		if (err == nil) != row.used || is.Approved(tool) != row.used || errors.Is(err, broken) != (row.err != nil) || !row.used && row.err == nil && !errors.Is(err, errNotApproved) {
			t.Errorf("%s: %v, approved %v", row.what, err, is.Approved(tool))
		}
		if asked.Title != "A tool changed" || !strings.Contains(asked.Detail, "The tool look of the MCP server office is new, or its description has changed") || !strings.Contains(asked.Detail, "Looks.") {
			t.Errorf("%s: asked %+v", row.what, asked)
		}
		allowed, about, err := c.askFor(t.Context(), env, single)
		if errors.Is(err, broken) != (row.err != nil) || reflect.DeepEqual(allowed, single) != row.one || row.one != !allowed.Empty() {
			t.Errorf("%s, one wish: %+v, %v", row.what, allowed, err)
		}
		if told := row.err == nil && row.reply.Unanswered == ""; reflect.DeepEqual(about, single) != told || asked.Questions[0].Several || asked.Questions[0].Text != "May it?" || len(asked.Questions[0].Options) != 2 {
			t.Errorf("%s, one wish: about %+v, %+v", row.what, about, asked.Questions)
		}
		allowed, _, _ = c.askFor(t.Context(), env, wish)
		if !reflect.DeepEqual(allowed, row.several) || !asked.Questions[0].Several || asked.Questions[0].Text != "Which of these do you allow?" || len(asked.Questions[0].Options) != 3 {
			t.Errorf("%s, two wishes: %+v, %+v", row.what, allowed, asked.Questions)
		}
		for _, nobody := range []tools.Env{{Person: true}, {Conversation: env.Conversation}} {
			if err := c.askApproval(t.Context(), nobody); !errors.Is(err, errNotApproved) || !errors.Is(err, tools.ErrForbidden) {
				t.Errorf("with nobody there: %v", err)
			}
			if allowed, about, err := c.askFor(t.Context(), nobody, wish); err != nil || !allowed.Empty() || !about.Empty() {
				t.Errorf("with no one there: %+v, %+v, %v", allowed, about, err)
			}
		}
		c.approved = true
		if err := c.askApproval(t.Context(), tools.Env{}); err != nil {
			t.Errorf("an approved one: %v", err)
		}
	}
}
