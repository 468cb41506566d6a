package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/cli/clitest"
	"marvin/messages"
	"marvin/persistence/personal"
	"marvin/providers/modeltest"
)

// ntfyServer is a server that speaks ntfy.
type ntfyServer struct {
	mu   sync.Mutex
	all  []map[string]any
	came chan string // texts as they are published
}

func (n *ntfyServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if r.Method == http.MethodPost {
		text, _ := io.ReadAll(r.Body) // what is missing fails the test
		one := map[string]any{"id": fmt.Sprint("m", len(n.all)), "time": 1, "event": "message", "topic": r.URL.Path[1:], "message": string(text), "title": r.Header.Get("Title")}
		n.all = append(n.all, one)
		_ = json.NewEncoder(w).Encode(one) // the client is gone
		n.came <- string(text)
		return
	}
	seen := false
	for _, one := range n.all {
		if seen {
			_ = json.NewEncoder(w).Encode(one) // the client is gone
		}
		seen = seen || one["id"] == r.URL.Query().Get("since")
	}
}

// A question is answered from the phone with a code that is valid once. The message contains
// nothing of the content, and a question whose effect cannot be undone has no code.
func TestAQuestionIsAnsweredFromThePhone(t *testing.T) {
	t.Parallel()
	server := &ntfyServer{came: make(chan string, 100)}
	listening := httptest.NewServer(server)
	t.Cleanup(listening.Close)
	h := newHousehold(t, func(request modeltest.Request) modeltest.Step {
		switch last := request.Last(); {
		case len(request.Tools) == 0:
			return modeltest.Text("A title")
		case last.Role == messages.Tool && !strings.Contains(last.Result.Text, "ask again"):
			return modeltest.Text("the tool said: " + last.Result.Text)
		case strings.Contains(last.Text, "command"):
			return modeltest.Calls(modeltest.Call{Name: "run_command", Args: map[string]string{"command": "touch secretly"}})
		}
		return modeltest.Calls(modeltest.Call{Name: "write_file", Args: map[string]string{"path": "plan.txt", "content": "a secret plan\n"}})
	})
	home := cli.OpenHome(clitest.NewWorld(strings.TrimPrefix(h.command.Env[0], "HOME="), h.command.Dir))
	if err := os.MkdirAll(home.State, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(home.State, "config.yaml"), []byte("answers: ntfy\nhosts:\n  ntfy.sh: "+listening.URL+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := personal.TopicsOf(home.Profile("default")).Subscribe(personal.Subscription{Topic: "mine", Generated: true}); err != nil {
		t.Fatal(err)
	}
	publish := func(text string) {
		reply, err := http.Post(listening.URL+"/mine", "text/plain", strings.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		_ = reply.Body.Close()
		<-server.came
	}
	asked := func() (text, code string) {
		text = <-server.came
		if strings.Contains(text, "secret") || strings.Contains(text, "plan") {
			t.Errorf("the message tells the content: %s", text)
		}
		if found := regexp.MustCompile(`yes ([A-Z0-9]{8})`).FindStringSubmatch(text); found != nil {
			code = found[1]
		}
		return text, code
	}
	plan := filepath.Join(h.command.Dir, "plan.txt")

	id := h.begins("write the plan")
	_, code := asked()
	publish("no " + code + " write it as a poem")
	if all := h.attached(id, "the tool said:"); !strings.Contains(all, "write it as a poem") {
		t.Errorf("the model did not get the words:\n%s", all)
	}
	if _, err := os.Stat(plan); err == nil {
		t.Error("a no made the file")
	}
	h.says("stop", id)

	id = h.begins("write the plan again")
	_, next := asked()
	publish("yes " + code)        // it was used
	publish("yes ABCDEFGH")       // it is no code
	publish("please yes " + next) // it is no answer
	if _, err := os.Stat(plan); err == nil {
		t.Error("a wrong code made the file")
	}
	publish("YES " + strings.ToLower(next))
	h.attached(id, "the tool said:")
	if _, err := os.Stat(plan); err != nil {
		t.Error(err)
	}
	h.says("stop", id)

	// When a question is answered in a window, its code becomes void.
	if err := os.Remove(plan); err != nil {
		t.Fatal(err)
	}
	id = h.begins("write the plan a third time")
	_, expired := asked()
	h.says("inbox", "answer", id, "no", "ask again")
	_, code = asked()
	publish("yes " + expired)
	publish("no " + code + " leave it")
	h.attached(id, "leave it")
	if _, err := os.Stat(plan); err == nil || len(server.came) > 0 {
		t.Errorf("the code of an answered question counts: %v, %d more messages", err, len(server.came))
	}
	h.says("stop", id)

	id = h.begins("run a command")
	if text, code := asked(); code != "" || !strings.Contains(text, "cannot be undone") {
		t.Errorf("a command can be approved from the phone: %s", text)
	}
	h.says("stop", id)
}
