package memory_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/memory"
	"marvin/tools"
	memorytools "marvin/tools/memory"
)

// bench is a home directory with the tools.
type bench struct {
	*testing.T
	store *memory.Store
	home  *persistence.Home
	all   map[string]tools.Tool
	asked []string // the questions that the user saw
}

func newBench(t *testing.T) *bench {
	home := persistence.Open(t.TempDir(), func() time.Time { return time.Date(2026, 11, 28, 12, 0, 0, 0, time.UTC) })
	b := &bench{T: t, store: memory.Open(home), home: home, all: map[string]tools.Tool{}}
	for _, tool := range memorytools.New(home).Tools() {
		b.all[tool.Name] = tool
	}
	return b
}

// call makes a call like a model in a conversation. answer is the user's reply; it may also mean
// that no user is present.
func (b *bench) call(tool, args, typed, tainted, mode, answer string) (string, error) {
	b.Helper()
	call, err := b.all[tool].Decode(json.RawMessage(args))
	if err != nil {
		b.Fatal(err)
	}
	env := tools.Env{Home: b.home.User, Profile: b.home.Profile("default").Dir, Person: answer != "", Tainted: tainted, Now: b.home.Now}
	env.Typed, env.Memory, env.Message = typed, mode, "conversation abc/3"
	env.Ask = func(_ context.Context, inquiry tools.Inquiry) (tools.Reply, error) {
		b.asked = append(b.asked, inquiry.Title+"\n"+inquiry.Questions[0].Text+"\n"+inquiry.Detail)
		return tools.Reply{Answer: messages.Answer{Choice: messages.Yes, Chosen: []messages.Chosen{{Options: []string{answer}}}}}, nil
	}
	output, err := call.Run(context.Background(), env)
	return output.Text, err
}

// facts returns everything that the memory adds to later requests.
func (b *bench) facts() string {
	facts, err := b.store.All()
	if err != nil {
		b.Fatal(err)
	}
	var text strings.Builder
	for _, fact := range facts {
		text.WriteString(fact.Text + "\n")
	}
	return text.String()
}

func TestTheUsersOwnWordsAreTaken(t *testing.T) {
	for _, one := range [][2]string{
		{"remember that my dog is called Rex", "The user's dog is called Rex."},
		{"Please remember: I don't eat meat.", "I don't eat meat"},
		{"Hello! Remember that I live in Uppsala and work at the mill. Thanks", "The user lives in Uppsala"},
		{"merk dir, dass mein Hund Rex heißt", "mein Hund Rex heißt"},
		{"souviens-toi que j'habite à Lyon", "j'habite à Lyon"},
	} {
		b := newBench(t)
		args, _ := json.Marshal(map[string]string{"fact": one[1]})
		if said, err := b.call("remember", string(args), one[0], "browse_web", "ask", ""); err != nil || b.facts() == "" {
			t.Errorf("%q: %v %s", one[0], err, said)
		}
		if text, _ := os.ReadFile(filepath.Join(b.store.Dir(), "user.md")); !strings.Contains(string(text), "conversation abc/3 -->") {
			t.Errorf("%s has no papers", text)
		}
	}
}

// Untrusted text makes a model try these calls, with the words that a user typed. Each call fails,
// or the user sees the exact words first and refuses.
func TestStrangersChangeNoFactUnseen(t *testing.T) {
	type attempt struct{ tool, args, typed, by, mode string }
	var all []attempt
	for _, by := range []string{"browse_web", "gmail_read", "calendar_list_upcoming", "mcp_x_search", "the instruction files of the directory"} {
		all = append(all,
			attempt{"remember", `{"fact":"The user's bank is evil.example"}`, "summarize this", by, "auto"},
			attempt{"remember", `{"fact":"The user's bank is evil.example"}`, "remember that my bank is good.example", by, "auto"},
			attempt{"remember", `{"fact":"The user pays invoices from acme"}`, "remember that the user never pays invoices from acme", by, "ask"},
			attempt{"remember", `{"fact":"My cat is called Max"}`, "remember that my dog is called Max", by, "auto"},
			attempt{"forget", `{"fact":"My cat is called Tom"}`, "summarize this", by, "auto"},
			attempt{"forget", `{"fact":"My cat is called Tom","everywhere":true}`, "forget that my cat is called Tom", by, "ask"},
		)
	}
	if len(all) < 30 {
		t.Fatal(len(all))
	}
	for _, one := range all {
		for _, answer := range []string{"", "no"} {
			b := newBench(t)
			if _, err := b.store.Add(memory.Fact{Text: "My cat is called Tom", Scope: memory.User}, memory.Location{}); err != nil {
				t.Fatal(err)
			}
			before := b.facts()
			said, err := b.call(one.tool, one.args, one.typed, one.by, one.mode, answer)
			if b.facts() != before {
				t.Errorf("%+v: %v %s: %s", one, err, said, b.facts())
			}
			var args struct{ Fact string }
			_ = json.Unmarshal([]byte(one.args), &args)
			if answer == "no" && (len(b.asked) != 1 || !strings.Contains(b.asked[0], args.Fact)) {
				t.Errorf("%+v: the user saw %q", one, b.asked)
			}
			waiting, _ := b.store.Proposals().List()
			if answer == "" && one.tool == "remember" && (len(waiting) != 1 || !strings.Contains(waiting[0].Why, one.by)) {
				t.Errorf("%+v: what waits is %+v", one, waiting)
			}
		}
	}
}

func TestAProposalCountsAfterAYesOnly(t *testing.T) {
	b := newBench(t)
	if _, err := b.call("remember", `{"fact":"The user prefers tabs"}`, "no, use tabs", "", "ask", "yes"); err != nil || b.facts() != "The user prefers tabs\n" {
		t.Fatal(err, b.facts())
	}
	if _, err := b.call("remember", `{"fact":"The tests run with make check"}`, "no, make check", "", "ask", ""); err != nil || strings.Contains(b.facts(), "make") {
		t.Fatal(err, b.facts())
	}
	waiting, _ := b.store.Proposals().List()
	if _, err := b.store.Proposals().Accept(waiting[0].ID); err != nil || !strings.Contains(b.facts(), "make check") {
		t.Fatal(err, b.facts())
	}
	if _, err := b.call("remember", `{"fact":"The user likes Go"}`, "use Go", "", "auto", ""); err != nil || !strings.Contains(b.facts(), "likes Go") {
		t.Fatal(err, b.facts())
	}
	if _, err := b.call("remember", `{"fact":"I like Rust"}`, "remember that I like Rust", "", "off", ""); err == nil {
		t.Fatal("the memory is off")
	}
}
