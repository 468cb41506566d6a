package mcp

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/disktest"
	"marvin/persistence/settings"
	"marvin/tools"
)

// heldPlace is a home directory and a project outside /tmp, because a jail has its own /tmp.
type heldPlace struct {
	base    string
	home    *persistence.Home
	server  settings.Server
	direct  *Direct
	asked   []string // questions to the user
	offered messages.Question
	answer  []string
}

func newHeldPlace(t *testing.T) *heldPlace {
	t.Helper()
	base, err := os.MkdirTemp("/var/tmp", "held")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	program, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"bin/server": program, "home/notes/a.txt": []byte("a note"), "home/project/p.txt": []byte("of the project")} {
		name = filepath.Join(base, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := disktest.WriteProgram(name, content, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	p := &heldPlace{base: base, home: persistence.Open(base+"/home", time.Now)}
	p.server = settings.Server{Command: []string{base + "/bin/server"}, Env: map[string]string{"MCP_PLAYS": "well"}, Reads: []string{"*"}}
	sandbox := tools.NewSandbox(tools.SandboxConfig{Mode: tools.SandboxAuto, Home: base + "/home", State: base + "/home/.config/marvin", Environ: os.Environ()})
	p.direct = &Direct{Servers: map[string]settings.Server{"office": p.server}, Home: p.home, Ground: Ground{
		Version: "test", Environ: os.Environ(), Dir: base + "/home/project", Now: time.Now, Sandbox: sandbox,
	}}
	t.Cleanup(func() { p.direct.Close(); _ = sandbox.Close() })
	if _, err := p.direct.Session(t.Context(), "office", nil); err != nil {
		t.Fatal(err)
	}
	if manifest := p.manifest(t); manifest.Jail == nil {
		t.Skip("this system cannot observe programs")
	}
	return p
}

func (p *heldPlace) manifest(t *testing.T) Manifest {
	t.Helper()
	manifest, known, err := ReadManifest(p.home, "office", p.server)
	if err != nil || !known {
		t.Fatal(known, err)
	}
	return manifest
}

// call sends a text to the server's tool, like a conversation.
func (p *heldPlace) call(t *testing.T, person bool, text string) (string, error) {
	t.Helper()
	source, _ := NewSource("office", p.server, p.manifest(t), p.direct)
	arguments, err := json.Marshal(said{text})
	if err != nil {
		t.Fatal(err)
	}
	call, err := source.Tools[0].Decode(arguments)
	if err != nil {
		t.Fatal(err)
	}
	output, err := call.Run(t.Context(), tools.Env{Person: person, Conversation: tools.Conversation{Ask: func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		p.asked = append(p.asked, inquiry.Title+" "+inquiry.Detail)
		p.offered = inquiry.Questions[0]
		return tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Options: p.answer}}}}, nil
	}}})
	return output.Text, err
}

func TestAServerRunsInWhatItNeeded(t *testing.T) {
	p := newHeldPlace(t)
	if jail := *p.manifest(t).Jail; !reflect.DeepEqual(jail, Profile{Read: []string{".", p.base + "/bin/server"}}) {
		t.Errorf("it needed %+v", jail)
	}
	note := p.base + "/home/notes/a.txt"
	if text, err := p.call(t, false, "read "+note); err == nil || !strings.Contains(err.Error(), "denied") || !strings.Contains(err.Error(), "tried to read ~/notes. Earlier, it did not need") {
		t.Errorf("with nobody there: %q %v", text, err)
	}
	if wanted := p.manifest(t).Wanted; !reflect.DeepEqual(wanted, Profile{Read: []string{"~/notes"}}) {
		t.Errorf("it wanted %+v", wanted)
	}
	// Each start reports the wish once and asks the user, until the user refuses.
	p.answer = []string{refuse}
	for start, asked := range []int{1, 1} {
		p.direct.Close()
		if text, err := p.call(t, true, "read "+note); err == nil || len(p.asked) != asked || !strings.Contains(err.Error(), "tried to read ~/notes. Earlier, it did not need") {
			t.Errorf("start %d: %q %v, asked %q", start, text, err, p.asked)
		}
	}
	p.asked = nil
	if text, err := p.call(t, true, "keep "+p.base+"/home/project/new.txt"); err == nil || len(p.asked) != 1 || !strings.Contains(p.asked[0], "write in the working directory") {
		t.Errorf("%q %v, asked %q", text, err, p.asked)
	}
	p.direct.Close()
	p.answer = []string{allow}
	if err := change(p.home, "office", func(manifest *Manifest) { manifest.Refused = Profile{} }); err != nil {
		t.Fatal(err)
	}
	if text, err := p.call(t, true, "read "+note); err != nil || text != "said: a note" {
		t.Errorf("%q %v, asked %q", text, err, p.asked)
	}
	if jail := *p.manifest(t).Jail; !reflect.DeepEqual(jail.Read, []string{".", p.base + "/bin/server", "~/notes"}) || len(jail.Write) > 0 {
		t.Errorf("it may %+v", jail)
	}
	if _, err := p.call(t, false, "keep "+p.base+"/home/notes/new.txt"); err == nil {
		t.Error("it writes where it may read")
	}
}

// The hosts of a server are restricted: its only network access is a proxy.
func TestTheHostsOfAServerAreHeld(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") }))
	defer web.Close()
	p := newHeldPlace(t)
	host := web.Listener.Addr().String()
	if text, err := p.call(t, false, "visit "+web.URL); err == nil && strings.Contains(text, "a page") || !strings.Contains(text, "tried to contact "+host) {
		t.Errorf("%q %v", text, err)
	}
	if err := Allow(p.home, "office", p.server); err != nil {
		t.Fatal(err)
	}
	p.direct.Close()
	if text, err := p.call(t, false, "visit "+web.URL); err != nil || text != "said: a page" {
		t.Errorf("%q %v", text, err)
	}
	if jail := *p.manifest(t).Jail; !reflect.DeepEqual(jail.Hosts, []string{host}) || jail.Network {
		t.Errorf("it may %+v", jail)
	}
}

// Approval of one of several wishes does not approve the others, neither in a conversation nor by a
// command.
func TestWishesOfAServerAreAllowedOneByOne(t *testing.T) {
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "a page") }))
	defer web.Close()
	p := newHeldPlace(t)
	host := web.Listener.Addr().String()
	p.answer = []string{"read ~/notes"}
	text, err := p.call(t, true, "read "+p.base+"/home/notes/a.txt\nvisit "+web.URL)
	if err == nil || !strings.Contains(err.Error(), "tried to contact "+host) || !strings.Contains(err.Error(), "now allows the server office to read ~/notes.") {
		t.Errorf("%q %v", text, err)
	}
	var labels []string
	for _, option := range p.offered.Options {
		labels = append(labels, option.Label)
	}
	if !p.offered.Several || !reflect.DeepEqual(labels, []string{"read ~/notes", "contact " + host, refuse}) || !reflect.DeepEqual(p.offered.Default, []string{refuse}) {
		t.Errorf("asked %+v", p.offered)
	}
	if may := p.manifest(t); len(may.Jail.Hosts) > 0 || may.Jail.Network || !reflect.DeepEqual(may.Wanted, Profile{Hosts: []string{host}}) {
		t.Errorf("it may %+v and wanted %+v", may.Jail, may.Wanted)
	}
	if text, err := p.call(t, true, "read "+p.base+"/home/notes/a.txt"); err != nil || text != "said: a note" || len(p.asked) != 1 {
		t.Errorf("%q %v, asked %q", text, err, p.asked)
	}
	if err := Allow(p.home, "office", p.server, "elsewhere.example"); err == nil || !strings.Contains(err.Error(), "did not ask for elsewhere.example; it asked to contact "+host) {
		t.Error(err)
	}
	if err := Allow(p.home, "office", p.server, host); err != nil || !reflect.DeepEqual(p.manifest(t).Jail.Hosts, []string{host}) {
		t.Errorf("%v: it may %+v", err, p.manifest(t).Jail)
	}
}

// A server without a profile is observed now: an earlier Marvin did not observe it, or the system
// could not.
func TestAKnownServerWithoutAProfileIsObserved(t *testing.T) {
	p := newHeldPlace(t)
	p.direct.Close()
	manifest := p.manifest(t)
	manifest.Jail = nil
	if err := Keep(p.home, "office", manifest); err != nil {
		t.Fatal(err)
	}
	if _, err := p.direct.Session(t.Context(), "office", nil); err != nil {
		t.Fatal(err)
	}
	if p.manifest(t).Jail == nil {
		t.Error("nothing is known of what it needs")
	}
}

func TestADamagedProfileStartsNothing(t *testing.T) {
	p := newHeldPlace(t)
	p.direct.Close()
	if err := settings.ServersOf(p.home).KeepFile("office", []byte("{broken")); err != nil {
		t.Fatal(err)
	}
	if _, err := p.direct.Session(t.Context(), "office", nil); err == nil || !strings.Contains(err.Error(), "marvin mcp approve office") {
		t.Errorf("%v", err)
	}
	if err := Allow(p.home, "office", p.server); err != nil {
		t.Fatal(err)
	}
	if _, err := p.direct.Session(t.Context(), "office", nil); err != nil {
		t.Error(err)
	}
}
