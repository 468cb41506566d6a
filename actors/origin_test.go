package actors_test

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers"
	"marvin/providers/modeltest"
	"marvin/tools/files"
)

// The stored conversation says who wrote each message and when, its reasoning, the source of its
// text and its cost, even after a resume and a summary; and none of that is sent to the model.
func TestMessagesSayWhereTheyAreFrom(t *testing.T) {
	for _, wire := range []modeltest.Wire{modeltest.OpenAI, modeltest.Ollama} {
		t.Run(string(wire), func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			if dir, _ = filepath.EvalSymlinks(dir); os.WriteFile(filepath.Join(dir, "taxes.txt"), []byte("a secret sum\n"), 0o600) != nil {
				t.Fatal("no file")
			}
			began := time.Now()
			script := []modeltest.Step{
				modeltest.Think("it wants ", "the file").Append(modeltest.Text("I look."), modeltest.Calls(modeltest.Call{Name: "read_file", Args: map[string]string{"path": "taxes.txt"}})),
				modeltest.Think("now I know").Append(modeltest.Text("Done.")),
			}
			server := modeltest.Start(t, script...)
			tree := actorstest.Start(t, actorstest.Setup{Server: server, Wire: wire, Home: home, Dir: dir, Policy: &actors.Policy{Coding: true, Person: true}, Keep: begins, Tools: files.Tools()})
			if turn := tree.Prompt("read it"); turn.Ended.Outcome != messages.Completed {
				t.Fatalf("%+v", turn.Ended)
			}
			if err := tree.System.Stop(); err != nil {
				t.Fatal(err)
			}
			all := storedIn(t, home)
			at := slices.IndexFunc(all, func(message messages.Message) bool { return message.Role == messages.User })
			if len(all) != at+4 {
				t.Fatalf("%d messages are stored: %+v", len(all), all)
			}
			asked, called, read, done := all[at], all[at+1], all[at+2], all[at+3]
			if asked.Origin.From != messages.FromPerson || !slices.Equal(asked.Origin.Places, []string{dir}) {
				t.Errorf("the prompt is from %+v", asked.Origin)
			}
			if called.Thought() != "it wants the file" || called.Thinking[0].Origin != called.Model || done.Thought() != "now I know" {
				t.Errorf("thought: %+v, then %+v", called.Thinking, done.Thinking)
			}
			if called.Origin.From != messages.FromModel || called.Model == "" || called.Usage.Input == 0 || called.Usage.Output == 0 {
				t.Errorf("the answer is of %q, from %+v and took %+v", called.Model, called.Origin, called.Usage)
			}
			if read.Origin.From != messages.FromFile || !slices.Contains(read.Origin.Places, filepath.Join(dir, "taxes.txt")) {
				t.Errorf("the file is from %+v", read.Origin)
			}
			for _, message := range all {
				if message.At.Before(began.Add(-time.Second)) || message.At.After(time.Now().Add(time.Second)) {
					t.Errorf("%s was said at %s", message.Role, message.At)
				}
			}
			if got := providers.RepairFor(called.Model, all); got[at+1].Thinking == nil {
				t.Error("the model that thought it does not get it back")
			}
			if got := providers.RepairFor("another/model", all); got[at+1].Thinking != nil {
				t.Error("another model gets what this one thought")
			}
		})
	}
}

// storedIn returns what the model knows in the only conversation of a home directory.
func storedIn(t *testing.T, home string) []messages.Message {
	t.Helper()
	sessions := sessions.New(persistence.Open(home, time.Now))
	list, err := sessions.List()
	if err != nil || len(list) != 1 {
		t.Fatalf("%d conversations, %v", len(list), err)
	}
	content, err := sessionlog.Read(sessions, list[0].ID, lastOf(t, sessions, list[0].ID))
	if err != nil || len(content.Problems) > 0 {
		t.Fatal(err, content.Problems)
	}
	return content.Messages
}
