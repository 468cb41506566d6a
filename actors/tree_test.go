package actors_test

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/actors/internal/sessionlog"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/sessions"
	"marvin/providers/modeltest"
)

// talks is a stored conversation with a user and a model that repeats its prompt and the number of
// its messages.
func talks(t *testing.T, home string) (*actorstest.Tree, *modeltest.Server) {
	t.Helper()
	server := modeltest.StartFunc(t, func(request modeltest.Request) modeltest.Step {
		return modeltest.Text("answer to " + prompted(request))
	})
	return actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Person: true}, Keep: begins}), server
}

// knows returns the texts of the user and the model in the last request.
func knows(server *modeltest.Server) (said []string) {
	requests := server.Requests()
	for _, message := range requests[len(requests)-1].Messages {
		if message.Role == messages.User || message.Role == messages.Assistant {
			said = append(said, message.Text)
		}
	}
	return said
}

func same(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// shown returns the prompts that were shown since an event.
func shown(tree *actorstest.Tree, from int) (prompts []string) {
	for _, turn := range actorstest.Pick[messages.Recalled](tree.Seen[from:]) {
		prompts = append(prompts, turn.Prompt)
	}
	return prompts
}

func TestAnOldPromptIsChangedAndTheOldPathStays(t *testing.T) {
	home := t.TempDir()
	tree, server := talks(t, home)
	for _, prompt := range []string{"one", "two", "three"} {
		tree.Prompt(prompt)
	}
	from := len(tree.Seen)
	tree.Client.Send(messages.Rewind{Prompts: 2})
	if rewound := actorstest.ReadUntil[messages.Rewound](tree); rewound.Prompt != "two" || rewound.Again {
		t.Errorf("went back to %+v", rewound)
	}
	same(t, "shown", shown(tree, from), "one")
	if cleared := actorstest.Pick[messages.Cleared](tree.Seen[from:]); len(cleared) != 1 || cleared[0].Why != messages.ClearedRewind {
		t.Errorf("cleared %+v", cleared)
	}
	tree.Prompt("two, in blue")
	same(t, "the model knows", knows(server), "one", "answer to one", "two, in blue")

	tree.Client.Send(messages.ListTree{})
	turns := actorstest.ReadUntil[messages.Tree](tree).Turns
	if len(turns) != 4 || turns[1].Parent != turns[0].Entry || turns[3].Parent != turns[0].Entry || turns[2].Parent != turns[1].Entry ||
		!turns[0].Current || turns[1].Current || turns[2].Current || !turns[3].Current || turns[3].Outcome != messages.Completed {
		t.Fatalf("the tree is %+v", turns)
	}
	tree.Client.Send(messages.Label{Text: "the plain one", Entry: turns[2].Entry})
	tree.Client.Send(messages.Branch{Entry: turns[2].Entry})
	actorstest.ReadUntil[messages.Resumed](tree)
	tree.Prompt("four")
	same(t, "the model knows", knows(server), "one", "answer to one", "two", "answer to two", "three", "answer to three", "four")
	tree.Client.Send(messages.ListTree{})
	turns = actorstest.ReadUntil[messages.Tree](tree).Turns
	if len(turns) != 5 || turns[2].Label != "the plain one" || turns[4].Parent != turns[2].Entry || turns[3].Current {
		t.Errorf("the tree is %+v", turns)
	}

	// The next start resumes the branch that was used last.
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	after := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Person: true}, Keep: goesOn(t)})
	actorstest.ReadUntil[messages.Resumed](after)
	same(t, "shown", shown(after, 0), "one", "two", "three", "four")
}

func TestThePromptsAreAskedAgainOnABranch(t *testing.T) {
	tree, server := talks(t, t.TempDir())
	tree.Prompt("one")
	tree.Client.Send(messages.Request{ID: "r7", Op: messages.Rewind{Again: true}})
	started := actorstest.ReadUntil[messages.Rewound](tree)
	ended := actorstest.ReadUntil[messages.TurnEnded](tree)
	if !started.Again || ended.Text != "answer to one" || len(server.Requests()) != 2 {
		t.Errorf("%+v, %+v after %d requests", started, ended, len(server.Requests()))
	}
	starts := actorstest.Pick[messages.TurnStarted](tree.Seen)
	if last := starts[len(starts)-1]; last.Request != "r7" || last.Prompt != "one" {
		t.Errorf("the turn that asks again is %+v", last)
	}
	same(t, "the model knows", knows(server), "one")
	tree.Client.Send(messages.Rewind{Prompts: 2})
	if why := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(why.Text, "fewer prompts than that") {
		t.Errorf("told %q", why.Text)
	}
	tree.Prompt("two")
	same(t, "the model knows", knows(server), "one", "answer to one", "two")
}

func TestAnotherConversationContinuesInPlace(t *testing.T) {
	home, dir := t.TempDir(), t.TempDir()
	tree, server := talks(t, home)
	tree.Prompt("about parsers")
	tree.Client.Send(messages.SetDir{Path: dir})
	tree.Client.Send(messages.Clear{})
	actorstest.ReadUntil[messages.Cleared](tree)
	tree.Prompt("about the weather")
	sessions := sessions.New(persistence.Open(home, time.Now))
	list, err := sessions.List()
	if err != nil || len(list) != 2 {
		t.Fatalf("%+v, %v", list, err)
	}
	old := list[1]
	from := len(tree.Seen)
	tree.Client.Send(messages.Resume{ID: old.ID})
	if resumed := actorstest.ReadUntil[messages.Resumed](tree); resumed.ID != old.ID || resumed.Title != "about parsers" {
		t.Errorf("went on with %+v", resumed)
	}
	same(t, "shown", shown(tree, from), "about parsers")
	if turn := tree.Prompt("and lexers?"); turn.Ended.Usage.Turns != 2 {
		t.Errorf("its sums are %+v, want those of this conversation", turn.Ended.Usage)
	}
	same(t, "the model knows", knows(server), "about parsers", "answer to about parsers", "and lexers?")

	// The copy continues, and the original is free for the next process.
	tree.Client.Send(messages.Fork{})
	copied := actorstest.ReadUntil[messages.Resumed](tree)
	if copied.ID == old.ID || copied.ID == "" {
		t.Errorf("the copy is %+v", copied)
	}
	tree.Prompt("in the copy")
	same(t, "the model knows", knows(server), "about parsers", "answer to about parsers", "and lexers?", "answer to and lexers?", "in the copy")
	kept, err := actors.Resume(persistence.Open(home, time.Now), old.ID, "")
	if err != nil {
		t.Fatalf("the one that was left: %v", err)
	}
	if err := kept.Close(); err != nil {
		t.Error(err)
	}
	tree.Client.Send(messages.Resume{ID: "20200101-000000-nobody"})
	if why := actorstest.ReadUntil[messages.Notice](tree); why.Level != messages.Warning || !strings.Contains(why.Text, "no such session") {
		t.Errorf("told %+v", why)
	}
	tree.Prompt("still here")
}

// Marvin first reads only the end of a long conversation. Quitting does not wait for the rest.
func TestQuitEndsTheSwitchToALongConversation(t *testing.T) {
	home := t.TempDir()
	store := sessions.New(persistence.Open(home, time.Now))
	log := sessionlog.New(store, sessions.Header{Dir: t.TempDir()}, "", time.Now)
	for turn := range 6 {
		name := fmt.Sprint("t", turn+1)
		asked := messages.Message{Role: messages.User, Text: strings.Repeat("a line\n", 150_000)}
		said := messages.Message{Role: messages.Assistant, Text: "read"}
		if err := log.Add(false, func(text string) string { return text },
			sessionlog.BeginRecord(name, asked, sessionlog.State{Model: "test-model"}),
			sessionlog.MessagesRecord(name, 1, []messages.Message{said}),
			sessionlog.EndRecord(sessionlog.Step{Turn: name, Offset: 2, Outcome: messages.Completed, Text: said.Text}, 0)); err != nil {
			t.Fatal(err)
		}
	}
	if err := log.Close(); err != nil {
		t.Fatal(err)
	}
	tree, _ := talks(t, home)
	tree.Prompt("short")
	tree.Client.Send(messages.Resume{ID: log.ID()})
	tree.Client.Send(messages.Quit{})
	actorstest.ReadUntil[messages.Closed](tree)
}

// Prompts that come while a conversation is being read wait for it.
func TestPromptsWaitForResumedSession(t *testing.T) {
	home := t.TempDir()
	tree, server := talks(t, home)
	tree.Prompt("one")
	tree.Prompt("two")
	tree.Client.Send(messages.Rewind{})
	tree.Client.Send(messages.Say("three"))
	tree.Client.Send(messages.Clear{})
	actorstest.ReadUntil[messages.TurnEnded](tree)
	same(t, "the model knows", knows(server), "one", "answer to one", "three")
}

func TestSideQuestionIsNotRecorded(t *testing.T) {
	home := t.TempDir()
	tree, server := talks(t, home)
	tree.Prompt("one")
	tree.Client.Send(messages.SideQuestion{Text: "what is a monad?"})
	if ended := actorstest.ReadUntil[messages.TurnEnded](tree); ended.Text != "answer to what is a monad?" {
		t.Errorf("answered %+v", ended)
	}
	same(t, "beside, the model knows", knows(server), "one", "answer to one", "what is a monad?")
	tree.Prompt("two")
	same(t, "the model knows", knows(server), "one", "answer to one", "two")
	log, err := os.ReadFile(persistence.Open(home, time.Now).Profile("default").Dir + "/chat_log.json")
	if err == nil && strings.Contains(string(log), "monad") {
		t.Error("the chat log has it, which begins later conversations")
	}
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	after := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Person: true}, Keep: goesOn(t)})
	actorstest.ReadUntil[messages.Resumed](after)
	same(t, "people see", shown(after, 0), "one", "/btw what is a monad?", "two")
	after.Prompt("three")
	same(t, "the model knows", knows(server), "one", "answer to one", "two", "answer to two", "three")
}

func TestANewConversationBeginsWithASummary(t *testing.T) {
	home := t.TempDir()
	tree, server := talks(t, home)
	tree.Client.Send(messages.Handoff{})
	if why := actorstest.ReadUntil[messages.Notice](tree); !strings.Contains(why.Text, "nothing to hand over") {
		t.Errorf("told %q", why.Text)
	}
	tree.Prompt("one")
	from := len(tree.Seen)
	tree.Client.Send(messages.Handoff{Focus: "the parser"})
	actorstest.ReadUntil[messages.Recalled](tree)
	if cleared := actorstest.Pick[messages.Cleared](tree.Seen[from:]); len(cleared) != 1 || cleared[0].Why != messages.ClearedHandoff {
		t.Errorf("cleared %+v", cleared)
	}
	tree.Prompt("two")
	if said := knows(server); len(said) != 3 || !strings.HasPrefix(said[1], "answer to The work continues in a new") || !strings.HasSuffix(said[1], "the parser") || said[2] != "two" {
		t.Errorf("the model knows %q", said)
	}
	if err := tree.System.Stop(); err != nil {
		t.Fatal(err)
	}
	list, err := sessions.New(persistence.Open(home, time.Now)).List()
	if err != nil || len(list) != 2 || list[0].Forked == nil || list[0].Forked.Session != list[1].ID {
		t.Fatalf("%+v, %v", list, err)
	}
	after := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Policy: &actors.Policy{Person: true}, Keep: goesOn(t)})
	actorstest.ReadUntil[messages.Resumed](after)
	same(t, "people see", shown(after, 0), "/handoff the parser", "two")
	after.Prompt("three")
	if said := knows(server); len(said) != 5 || said[4] != "three" {
		t.Errorf("the model knows %q", said)
	}
}

func TestALabelIsKnownAtOnce(t *testing.T) {
	tree, _ := talks(t, t.TempDir())
	tree.Prompt("one")
	tree.Prompt("two")
	for _, name := range []string{"a", "b", "c", "d", "e"} {
		tree.Client.Send(messages.Label{Text: name})
		tree.Client.Send(messages.ListTree{})
		if turns := actorstest.ReadUntil[messages.Tree](tree).Turns; turns[len(turns)-1].Label != name {
			t.Fatalf("after its label %q the tree is %+v", name, turns)
		}
	}
	tree.Client.Send(messages.Label{Text: "of the copy as well"})
	tree.Client.Send(messages.Fork{})
	actorstest.ReadUntil[messages.Resumed](tree)
	tree.Client.Send(messages.ListTree{})
	if turns := actorstest.ReadUntil[messages.Tree](tree).Turns; turns[len(turns)-1].Label != "of the copy as well" {
		t.Errorf("the tree of the copy is %+v", turns)
	}
}
