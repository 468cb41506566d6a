package ntfy

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/tools"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)

// relay stores messages and returns them like ntfy.sh: after a Unix time or after a message's ID,
// and all messages if it does not know the ID
// (https://docs.ntfy.sh/subscribe/api/#fetch-cached-messages, message_cache.go).
type relay struct {
	mu     sync.Mutex
	kept   map[string][]sent
	titles []string
	status int
}

type sent struct {
	ID    string `json:"id"`
	Time  int64  `json:"time"`
	Event string `json:"event"`
	Topic string `json:"topic"`
	Title string `json:"title,omitempty"`
	Text  string `json:"message"`
}

func (r *relay) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.status != 0 {
		w.WriteHeader(r.status)
		_, _ = io.WriteString(w, `{"code":42901,"http":429,"error":"limit reached: too many requests"}`)
		return
	}
	if request.Method == http.MethodPost {
		content, _ := io.ReadAll(request.Body)
		r.titles = append(r.titles, request.Header.Get("Title"))
		_ = json.NewEncoder(w).Encode(r.keep(strings.TrimPrefix(request.URL.Path, "/"), "", string(content)))
		return
	}
	topic := strings.TrimSuffix(strings.TrimPrefix(request.URL.Path, "/"), "/json")
	since := request.FormValue("since")
	out := r.kept[topic]
	for i, message := range out {
		if message.ID == since {
			out = out[i+1:]
			break
		}
		if from, err := strconv.ParseInt(since, 10, 64); err == nil && message.Time >= from {
			out = out[i:]
			break
		} else if err == nil && i == len(out)-1 {
			out = nil
		}
	}
	for _, message := range out {
		_ = json.NewEncoder(w).Encode(message)
	}
}

// keep stores a message. The caller must hold the lock.
func (r *relay) keep(topic, title, text string) sent {
	message := sent{ID: fmt.Sprintf("id%d", len(r.kept[topic])+1), Time: noon.Unix() + int64(len(r.kept[topic])), Event: "message", Topic: topic, Title: title, Text: text}
	if r.kept == nil {
		r.kept = map[string][]sent{}
	}
	r.kept[topic] = append(r.kept[topic], message)
	return message
}

func (r *relay) say(topic, title, text string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.keep(topic, title, text)
}

type fixture struct {
	t       *testing.T
	home    *persistence.Home
	client  *http.Client
	service *Service
	relay   *relay
}

func newFixture(t *testing.T, extra ...string) *fixture {
	relay := &relay{}
	server := httptest.NewServer(relay)
	client := tools.NewHTTPClient(map[string]string{"ntfy.sh": server.URL})
	t.Cleanup(func() { client.CloseIdleConnections(); server.Close() })
	home := persistence.Open(t.TempDir(), func() time.Time { return noon })
	return &fixture{t, home, client, New(client, home, extra...), relay}
}

func (d *fixture) call(name, args string) string {
	d.t.Helper()
	for _, tool := range d.service.Tools() {
		if tool.Name != name {
			continue
		}
		call, err := tool.Decode(json.RawMessage(args))
		if err != nil {
			return err.Error()
		}
		output, err := call.Run(d.t.Context(), tools.Env{Profile: d.home.Profile("default").Dir})
		if err != nil {
			return err.Error()
		}
		return output.Text
	}
	d.t.Fatalf("no tool %s", name)
	return ""
}

func (d *fixture) expect(name, args, want string) string {
	d.t.Helper()
	got := d.call(name, args)
	if !strings.Contains(got, want) {
		d.t.Errorf("%s %s: %q, want %q in it", name, args, got, want)
	}
	return got
}

func (d *fixture) fetch(topic string) string {
	d.t.Helper()
	came, err := d.service.Fetch(d.t.Context(), "default", topic)
	if err != nil {
		return err.Error()
	}
	if err := d.service.RecordShown("default", came); err != nil {
		d.t.Error(err)
	}
	var lines []string
	for _, one := range came {
		lines = append(lines, one.Text)
	}
	return strings.Join(lines, "\n")
}

func TestMessagesAreShownOnceAlsoAfterARestart(t *testing.T) {
	d := newFixture(t)
	d.relay.say("disk", "", "from before the subscription")
	d.relay.kept["disk"][0].Time -= 60
	d.expect("ntfy_subscribe", `{"topic": "https://ntfy.sh/disk", "label": "server"}`, "Subscribed to disk. New messages")
	d.expect("ntfy_subscribe", `{"topic": "disk"}`, "already")
	d.relay.say("disk", "Disk\nfull", "97 % \x1b[31mused")
	got := d.expect("ntfy_list", `{}`, "1. server (disk)\n   https://ntfy.sh/disk\n   🔔 server: Disk full: 97 % ")
	if strings.Contains(got, "\x1b") || strings.Contains(got, "before") {
		t.Errorf("got %q", got)
	}
	d.expect("ntfy_list", `{}`, "no new messages")
	d.service = New(d.client, d.home)
	d.relay.say("disk", "", "second")
	if got := d.fetch("disk"); got != "server: second (12:00)" {
		t.Errorf("got %q", got)
	}
	if got := d.fetch("disk"); got != "" {
		t.Errorf("again: %q", got)
	}
	d.relay.say("disk", "", "third")
	d.relay.kept["disk"] = d.relay.kept["disk"][1:] // the server has deleted the message with the known ID
	if got := d.fetch("disk"); got != "server: third (12:00)" {
		t.Errorf("got %q", got)
	}
}

func TestAFloodIsCutToTheLastFive(t *testing.T) {
	d := newFixture(t)
	d.call("ntfy_subscribe", `{"topic": "flood"}`)
	for i := range 9 {
		d.relay.say("flood", "", fmt.Sprint("number ", i))
	}
	got := d.fetch("flood")
	if !strings.HasPrefix(got, "flood: 4 earlier messages are not shown\nflood: number 4 ") || strings.Count(got, "\n") != 5 {
		t.Errorf("got %q", got)
	}
	if again := d.fetch("flood"); again != "" {
		t.Errorf("again: %q", again)
	}
}

func TestPublishingIsOnlyForSubscribedTopics(t *testing.T) {
	d := newFixture(t, "flag", "", "no topic")
	d.expect("ntfy_publish", `{"topic": "somebody-else", "message": "secrets"}`, "messages go only to subscribed topics\nSubscribed to: flag")
	d.expect("ntfy_publish", `{"topic": "flag", "message": "hello", "title": "😀\r\nX: y"}`, "Sent to flag.")
	if len(d.relay.kept) != 1 || strings.ContainsAny(d.relay.titles[0], "\r\n😀") {
		t.Errorf("kept %v, title %q", d.relay.kept, d.relay.titles)
	}
	d.expect("ntfy_publish", `{"topic": "flag", "message": " "}`, "empty")
	d.expect("ntfy_publish", `{"topic": "a/b", "message": "x"}`, "is not a topic")
	for _, tool := range d.service.Tools() {
		call, err := tool.Decode(json.RawMessage(`{"topic": "flag", "message": "the exact text"}`))
		if tool.Name != "ntfy_publish" {
			continue
		}
		if title, detail := call.Confirm(tools.Env{}); err != nil || title != "Publish to the ntfy topic flag" || detail != "the exact text" {
			t.Errorf("asked %q %q, %v", title, detail, err)
		}
	}
}

func TestOwnMessagesAreNoNews(t *testing.T) {
	d := newFixture(t, "flag")
	d.call("ntfy_subscribe", `{"topic": "family"}`)
	for _, topic := range []string{"family", "flag"} {
		d.expect("ntfy_publish", `{"topic": "`+topic+`", "message": "own"}`, "Sent")
		d.relay.say(topic, "", "answer")
		if got := d.fetch(topic); !strings.Contains(got, "answer") || strings.Contains(got, "own") {
			t.Errorf("%s: %q", topic, got)
		}
	}
	d.service = New(d.client, d.home) // another Marvin of the same profile
	if got := d.fetch("family"); got != "" {
		t.Errorf("the other Marvin shows %q", got)
	}
}

func TestAGeneratedTopicIsSecretAndSubscribed(t *testing.T) {
	d := newFixture(t)
	pattern := regexp.MustCompile(`Topic: ([a-z]{3,8}(?:-[a-z]{3,8}){4})\n`)
	seen := map[string]bool{}
	for range 20 {
		found := pattern.FindStringSubmatch(d.expect("generate_ntfy_topic", `{"label": "reminders"}`, "Label: reminders\n"))
		if found == nil || seen[found[1]] {
			t.Fatalf("topic %v", found)
		}
		seen[found[1]] = true
	}
	all, err := personal.TopicsOf(d.home.Profile("default")).All()
	if err != nil || len(all) != 20 || !all[0].Generated || all[0].URL != "https://ntfy.sh/"+all[0].Topic {
		t.Errorf("%d, %v", len(all), err)
	}
	dict := filepath.Join(t.TempDir(), "words")
	if err := os.WriteFile(dict, []byte("Aaron\nzebra\nit's\nox\nétude\nabbreviation\napple\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := dictionaryWords(dict); strings.Join(got, " ") != "zebra apple" {
		t.Errorf("words %q", got)
	}
}

func TestUnsubscribing(t *testing.T) {
	d := newFixture(t)
	d.expect("ntfy_unsubscribe", `{"topic": "disk"}`, "There are no subscribed topics")
	d.call("ntfy_subscribe", `{"topic": "disk"}`)
	d.expect("ntfy_unsubscribe", `{"topic": "dis"}`, "Subscribed to: disk")
	d.expect("ntfy_unsubscribe", `{"topic": "disk"}`, "Topics left: 0")
	for _, topic := range []string{"", "a b", "../x", strings.Repeat("a", 65), "ntfy.sh/a/b", "ä"} {
		args, _ := json.Marshal(map[string]string{"topic": topic})
		d.expect("ntfy_subscribe", string(args), "is not a topic")
	}
}

func TestOneTopicInTroubleDoesNotHideTheOthers(t *testing.T) {
	d := newFixture(t)
	d.call("ntfy_subscribe", `{"topic": "a"}`)
	d.relay.status = http.StatusTooManyRequests
	d.expect("ntfy_list", `{}`, "could not be read: ntfy.sh answered 429 Too Many Requests (limit reached: too many requests); the service accepts no requests for now")
	d.expect("ntfy_publish", `{"topic": "a", "message": "x"}`, "the message was not sent: ntfy.sh answered 429")
}
