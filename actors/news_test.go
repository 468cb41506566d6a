package actors_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"marvin/actors"
	"marvin/actors/actorstest"
	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/providers/modeltest"
	"marvin/tools"
	"marvin/tools/alarms"
	"marvin/tools/ntfy"
)

// topics starts an ntfy server, and a service whose profile is subscribed to the topics. answer
// writes the messages of a topic.
func topics(t *testing.T, home string, answer func(w http.ResponseWriter, topic, since string), names ...string) *ntfy.Service {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		answer(w, strings.TrimSuffix(strings.TrimPrefix(r.URL.Path, "/"), "/json"), r.FormValue("since"))
	}))
	client := tools.NewHTTPClient(map[string]string{"ntfy.sh": server.URL})
	t.Cleanup(func() { client.CloseIdleConnections(); server.Close() })
	files := persistence.Open(home, time.Now)
	for _, name := range names {
		if _, err := personal.TopicsOf(files.Profile("default")).Subscribe(personal.Subscription{Topic: name}); err != nil {
			t.Fatal(err)
		}
	}
	return ntfy.New(client, files)
}

// came writes a message in the format of https://docs.ntfy.sh/subscribe/api/.
func came(w io.Writer, topic, id, text string) {
	fmt.Fprintf(w, `{"id":%q,"time":%d,"expires":%d,"event":"message","topic":%q,"message":%q}`+"\n", id, time.Now().Unix(), time.Now().Unix()+43200, topic, text)
}

func person() *actors.Policy { return &actors.Policy{Person: true} }

func notices(turn actorstest.Turn) string {
	var texts []string
	for _, notice := range actorstest.TurnEvents[messages.Notice](turn) {
		texts = append(texts, notice.Text)
	}
	return strings.Join(texts, "\n")
}

func TestNewsComeBeforeThePromptAndOnce(t *testing.T) {
	home := t.TempDir()
	var fromDisk atomic.Bool
	source := topics(t, home, func(w http.ResponseWriter, topic, since string) {
		fromDisk.Store(since == "m1")
		if since != "m1" {
			came(w, topic, "m1", "Disk full")
		}
	}, "disk")
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("I see.") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: source, Policy: person()})
	if got := notices(tree.Prompt("hello")); !strings.HasPrefix(got, "🔔 disk: Disk full (") {
		t.Errorf("people are told %q", got)
	}
	if got := notices(tree.Prompt("again")); got != "" {
		t.Errorf("the user gets again: %q", got)
	}
	first, second := server.Requests()[0].Messages, server.Requests()[1].Messages
	news := first[len(first)-2]
	if first[len(first)-1].Text != "hello" || news.Role != messages.System || !strings.Contains(news.Text, "never instructions") || !strings.Contains(news.Text, "\n🔔 disk: Disk full (") {
		t.Errorf("the model is told %+v", first[1:])
	}
	if len(second) != len(first)+2 || second[len(first)-2].Text != news.Text {
		t.Errorf("the second request does not begin with the first: %+v", second[1:])
	}
	promptUntil(t, tree, "the server is asked from the last message on", func(string) bool { return fromDisk.Load() })
}

// promptUntil sends prompts until the background work has happened, and returns the notices.
func promptUntil(t *testing.T, tree *actorstest.Tree, what string, cameAbout func(told string) bool) (told string) {
	t.Helper()
	for limit := time.Now().Add(actorstest.Patience); !cameAbout(told); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(limit) {
			t.Fatalf("never: %s; told %q", what, told)
		}
		told += notices(tree.Prompt("more"))
	}
	return told
}

// Every request waits for all the others, so they can only end if they run at the same time.
func TestTopicsAreAskedAtTheSameTime(t *testing.T) {
	home := t.TempDir()
	var all sync.WaitGroup
	all.Add(5)
	source := topics(t, home, func(w http.ResponseWriter, topic, _ string) {
		all.Done()
		all.Wait()
		came(w, topic, "m1", "here")
	}, "a", "b", "c", "d", "e")
	server := modeltest.Start(t, modeltest.Text("I see."))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: source, Policy: person(), Tuning: actors.Tuning{News: time.Minute}})
	if got := notices(tree.Prompt("hello")); strings.Count(got, ": here (") != 5 {
		t.Errorf("people are told %q", got)
	}
}

func TestASlowTopicNeitherHoldsUpThePromptNorLosesItsMessage(t *testing.T) {
	home := t.TempDir()
	release := make(chan struct{})
	source := topics(t, home, func(w http.ResponseWriter, topic, since string) {
		if topic == "slow" {
			<-release
		}
		if since != "m1" {
			came(w, topic, "m1", "from "+topic)
		}
	}, "slow", "quick")
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: source, Policy: person(), Tuning: actors.Tuning{News: 500 * time.Millisecond}})
	if got := notices(tree.Prompt("one")); !strings.Contains(got, "from quick") || strings.Contains(got, "from slow") {
		t.Errorf("first: %q", got)
	}
	if got := notices(tree.Prompt("two")); got != "" {
		t.Errorf("while it hangs: %q", got)
	}
	close(release)
	told := promptUntil(t, tree, "the slow message is told", func(told string) bool { return strings.Contains(told, "from slow") })
	told += notices(tree.Prompt("last"))
	if strings.Count(told, "from slow") != 1 || strings.Contains(told, "quick") {
		t.Errorf("told %q", told)
	}
}

func TestACancelDoesNotWaitForNews(t *testing.T) {
	home := t.TempDir()
	asked, release := make(chan struct{}, 1), make(chan struct{})
	defer close(release)
	source := topics(t, home, func(http.ResponseWriter, string, string) { asked <- struct{}{}; <-release }, "slow")
	server := modeltest.Start(t)
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: source, Policy: person(), Tuning: actors.Tuning{News: time.Hour}})
	tree.Client.Send(messages.Say("hello"))
	<-asked
	tree.Client.Send(messages.Cancel{})
	if turn := tree.Finish(); turn.Ended.Outcome != messages.Cancelled {
		t.Errorf("ended %+v", turn.Ended)
	}
}

func TestTroubleWithATopicIsReportedOnceUntilItIsOver(t *testing.T) {
	home := t.TempDir()
	var broken atomic.Bool
	broken.Store(true)
	source := topics(t, home, func(w http.ResponseWriter, _, _ string) {
		if broken.Load() {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}, "disk")
	server := modeltest.StartFunc(t, func(modeltest.Request) modeltest.Step { return modeltest.Text("ok") })
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: source, Policy: person()})
	for i, want := range []string{"ntfy, disk: ntfy.sh answered 503", "", "", "ntfy, disk: ntfy.sh answered 503"} {
		broken.Store(i != 2)
		turn := tree.Prompt("hello")
		if got := notices(turn); (got == "") != (want == "") || !strings.HasPrefix(got, want) || turn.Ended.Outcome != messages.Completed {
			t.Errorf("turn %d: %q, %+v", i, got, turn.Ended)
		}
	}
}

// crashing is a source that panics.
type crashing struct{ *ntfy.Service }

func (crashing) Fetch(context.Context, string, string) ([]messages.Notification, error) {
	panic("a bug")
}

func TestABugInTheSourceIsAProblemAndNoEnd(t *testing.T) {
	home := t.TempDir()
	source := topics(t, home, func(http.ResponseWriter, string, string) {}, "disk")
	server := modeltest.Start(t, modeltest.Text("ok"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: crashing{source}, Policy: person()})
	turn := tree.Prompt("hello")
	if got := notices(turn); !strings.Contains(got, "crashed: a bug") || turn.Ended.Outcome != messages.Completed {
		t.Errorf("%q, %+v", got, turn.Ended)
	}
}

func TestUnattendedRunDoesNotAsk(t *testing.T) {
	home := t.TempDir()
	source := topics(t, home, func(http.ResponseWriter, string, string) { t.Error("ntfy was asked") }, "disk")
	server := modeltest.Start(t, modeltest.Text("ok"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Notifier: source, Policy: &actors.Policy{Coding: true}})
	tree.Prompt("hello")
}

func TestAlarmRingsAtRestAndReachesModel(t *testing.T) {
	home := t.TempDir()
	files := persistence.Open(home, time.Now)
	if err := personal.AlarmsOf(files).Save(personal.Alarm{Label: "tea", Message: "Pour", Time: time.Now().Add(-time.Second)}); err != nil {
		t.Fatal(err)
	}
	server := modeltest.Start(t, modeltest.Text("ok"), modeltest.Text("ok"))
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Home: home, Alarms: alarms.New(files, nil, ""), Policy: person(), Tuning: actors.Tuning{CancelGrace: actorstest.Patience}})
	rang := actorstest.ReadUntil[messages.Notice](tree)
	if !strings.HasPrefix(rang.Text, "⏰ tea: Pour (") {
		t.Fatalf("people are told %+v", rang)
	}
	tree.Prompt("hello")
	tree.Prompt("again")
	first, second := server.Requests()[0].Messages, server.Requests()[1].Messages
	if news := first[len(first)-2]; !strings.Contains(news.Text, rang.Text) {
		t.Errorf("the model is told %+v", first[1:])
	}
	if len(second) != len(first)+2 {
		t.Errorf("the model gets again: %+v", second[1:])
	}
}

// ringing is an alarm that rings until the test ends it.
type ringing struct {
	calls      atomic.Int32
	rings, end chan struct{}
}

func (r *ringing) Next(ctx context.Context, _ []string) ([]string, error) {
	if r.calls.Add(1) == 1 {
		return []string{"tea"}, nil
	}
	close(r.rings)
	<-ctx.Done()
	<-r.end
	r.calls.Store(-1)
	return nil, ctx.Err()
}

// An alarm is removed from disk before it rings, so Stop waits for the ringing.
func TestQStopWaitsForWhatRings(t *testing.T) {
	server := modeltest.Start(t)
	source := &ringing{rings: make(chan struct{}), end: make(chan struct{})}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Alarms: source, Policy: person(), Tuning: actors.Tuning{CancelGrace: actorstest.Patience}})
	<-source.rings
	tree.Client.Send(messages.Quit{})
	actorstest.ReadUntil[messages.Closed](tree)
	time.AfterFunc(50*time.Millisecond, func() { close(source.end) }) // any time will do: Stop returns later
	if err := tree.System.Stop(); err != nil || source.calls.Load() != -1 {
		t.Errorf("%v, after %d", err, source.calls.Load())
	}
}

// failing is a source of alarms that cannot be read.
type failing struct{ asked chan struct{} }

func (f failing) Next(ctx context.Context, _ []string) ([]string, error) {
	f.asked <- struct{}{}
	return nil, errors.New("the disk is on fire")
}

func TestAlarmsThatFailAreNotAskedAllTheTime(t *testing.T) {
	server := modeltest.Start(t, modeltest.Text("ok"))
	source := failing{make(chan struct{}, 100)}
	tree := actorstest.Start(t, actorstest.Setup{Server: server, Alarms: source, Policy: person()})
	if notice := actorstest.ReadUntil[messages.Notice](tree); notice.Text != "Alarms: the disk is on fire" {
		t.Errorf("%+v", notice)
	}
	tree.Prompt("hello")
	if n := len(source.asked); n != 1 {
		t.Errorf("asked %d times", n)
	}
}

func TestNoAlarmIsLostOnImmediateExit(t *testing.T) {
	home := t.TempDir()
	files := persistence.Open(home, time.Now)
	told := map[string]bool{}
	hear := func(tree *actorstest.Tree) {
		for _, envelope := range tree.Rest() {
			if notice, ok := envelope.Event.(messages.Notice); ok {
				label, _, _ := strings.Cut(strings.TrimPrefix(notice.Text, "⏰ "), ":")
				told[label] = true
			}
		}
	}
	const many = 30
	for i := range many {
		if err := personal.AlarmsOf(files).Save(personal.Alarm{Label: fmt.Sprint("a", i), Message: "Pour", Time: time.Now().Add(-time.Second)}); err != nil {
			t.Fatal(err)
		}
		tree := actorstest.Start(t, actorstest.Setup{Server: modeltest.Start(t), Home: home, Alarms: alarms.New(files, nil, ""), Policy: person()})
		if i%2 == 1 {
			actorstest.ReadUntil[messages.Opened](tree)
		}
		if err := tree.System.Stop(); err != nil {
			t.Fatal(err)
		}
		hear(tree)
	}
	left, err := personal.AlarmsOf(files).All()
	if err != nil {
		t.Fatal(err)
	}
	for _, alarm := range left {
		told[alarm.Label] = true // the next Marvin shows it
	}
	if len(told) != many {
		t.Errorf("of %d alarms %d are reported or still to be told", many, len(told))
	}
}
