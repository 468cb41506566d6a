//go:build unix

package actors_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/settings"
	"marvin/tools/mcp"
	"marvin/tools/mcp/mcptest"
	"marvin/tools/toolbox"
)

func TestServerKilledDuringCallIsRestarted(t *testing.T) {
	home, mark := t.TempDir(), filepath.Join(t.TempDir(), "pid")
	office := played("marked")
	office.Env["PID_FILE"] = mark
	known(t, home, "office", office)
	begun := marked(t, mark)
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": office}}})
	tree.Client.Send(messages.Say("far"))
	actorstest.ReadUntil[messages.ToolOutput](tree) // a progress report
	before := begun()
	if err := syscall.Kill(before, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	turn := tree.Finish()
	for _, want := range []string{"the connection to the server was lost", "ended by a signal (killed)", "unknown"} {
		if !strings.Contains(turn.Ended.Text, want) {
			t.Errorf("the model does not read %q: %s", want, turn.Ended.Text)
		}
	}
	broken, back := 0, false
	for notices := actorstest.TurnEvents[messages.Notice](turn); ; notices = []messages.Notice{actorstest.ReadUntil[messages.Notice](tree)} {
		for _, notice := range notices {
			back = back || strings.HasPrefix(notice.Text, "the server office is gone") && strings.Contains(notice.Text, "Marvin starts it again")
			if strings.Contains(notice.Text, "nobody can type the name") {
				broken++
			}
		}
		if back {
			break
		}
	}
	if after := begun(); after == before { // before any call
		t.Error("it is the same process")
	}
	if turn := tree.Prompt("hello office"); turn.Ended.Text != "said: hello office" { // the prompt contains its name
		t.Errorf("%+v", turn.Ended)
	}
	if state := tree.System.Servers.States(t.Context(), "office")[0].State; state != "running" {
		t.Errorf("it is %s", state)
	}
	if broken > 1 {
		t.Errorf("the fault of a prompt is reported %d times", broken)
	}
}

// marked makes a pipe into which a server writes its process id when it starts. begun waits for the
// next start.
func marked(t *testing.T, file string) (begun func() (pid int)) {
	t.Helper()
	if err := errors.Join(os.RemoveAll(file), syscall.Mkfifo(file, 0o600)); err != nil {
		t.Fatal(err)
	}
	pipe, err := os.OpenFile(file, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = pipe.Close() })
	return func() int {
		t.Helper()
		said := make([]byte, 20)
		err := pipe.SetReadDeadline(time.Now().Add(actorstest.Patience))
		n, readErr := pipe.Read(said)
		pid, numberErr := strconv.Atoi(string(said[:n]))
		if err := errors.Join(err, readErr, numberErr); err != nil {
			t.Fatalf("no server begins: %v", err)
		}
		return pid
	}
}

// A search reaches a server at an address in the same way as a program.
func TestASearchReachesAServerAtAnAddress(t *testing.T) {
	upstream := mcptest.NewOpen()
	t.Cleanup(upstream.Close)
	tree := speaking(t, actorstest.Setup{Others: actors.Extensions{Servers: map[string]settings.Server{"office": {URL: upstream.URL, Reads: []string{"*"}}}}, Tools: many(), Find: true})
	if turn := tree.Prompt("find it"); turn.Ended.Text != "said: found" {
		t.Errorf("%+v", turn.Ended)
	}
}

func TestAToolWithoutReadsIsAskedAbout(t *testing.T) {
	home := t.TempDir()
	office := played("well") // it describes itself as read-only
	known(t, home, "office", office)
	tree := speaking(t, actorstest.Setup{Home: home, Others: actors.Extensions{Servers: map[string]settings.Server{"office": office}}, Policy: &actors.Policy{Coding: true, Person: true}})
	for _, choice := range []messages.Choice{messages.No, messages.Yes, messages.Yes} {
		tree.Client.Send(messages.Say("hello"))
		asked := actorstest.ReadUntil[messages.Asked](tree)
		if state := tree.System.Servers.States(t.Context(), "office")[0].State; choice == messages.No && state != "not started" {
			t.Errorf("it is %s before anybody said yes", state)
		}
		tree.Client.Send(messages.Answer{Ask: asked.Ask, Choice: choice})
		if turn := tree.Finish(); (turn.Ended.Text == "said: hello") != (choice == messages.Yes) {
			t.Errorf("%s: %+v", choice, turn.Ended)
		}
	}
}

// The stored data of a server takes at most 50 KB, in memory and on disk, for as many tools as the
// servers on npm have, with descriptions of the same length.
func TestAKnownServerIsSmall(t *testing.T) {
	const servers, each = 40, 16
	home := persistence.Open(t.TempDir(), time.Now)
	schema := `{"type":"object","properties":{"path":{"type":"string","description":"` + strings.Repeat("where it is ", 5) + `"},"head":{"type":"number","description":"` + strings.Repeat("how much of it ", 5) + `"},"edits":{"type":"array","items":{"type":"object","properties":{"old":{"type":"string"},"new":{"type":"string"}},"required":["old","new"]}}},"required":["path"]}`
	entry := settings.Server{Command: []string{"server"}}
	for i := range servers {
		manifest := mcp.Manifest{Server: entry.Hash(), Program: "real 1"}
		for j := range each {
			manifest.Tools = append(manifest.Tools, mcp.Tool{Name: fmt.Sprintf("tool_%d", j), Doc: strings.Repeat(fmt.Sprintf("It does this and that %d. ", j), 16), Schema: []byte(schema)})
		}
		manifest.Pin()
		if err := mcp.Keep(home, fmt.Sprintf("s%d", i), manifest); err != nil {
			t.Fatal(err)
		}
	}
	kept, err := settings.ServersOf(home).File("s0")
	if err != nil || len(kept) > 50<<10 {
		t.Errorf("%d bytes are kept of one, %v", len(kept), err)
	}
	shelf := toolbox.NewShelf(&toolbox.Registry{})
	heap := func() uint64 {
		runtime.GC()
		runtime.GC()
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		return now.HeapAlloc
	}
	before := heap()
	for i := range servers {
		name := fmt.Sprintf("s%d", i)
		manifest, _, err := mcp.ReadManifest(home, name, entry)
		if err != nil {
			t.Fatal(err)
		}
		source, _ := mcp.NewSource(name, entry, manifest, nil)
		shelf.Add(source)
	}
	all := shelf.Snapshot().All()
	after := heap()
	if len(all) != servers*each {
		t.Fatalf("%d tools", len(all))
	}
	if one := (int64(after) - int64(before)) / servers; one > 50<<10 {
		t.Errorf("%d bytes of memory for one", one)
	} else {
		t.Logf("%d bytes of memory for one, %d on the disk", one, len(kept))
	}
	runtime.KeepAlive(shelf)
}
