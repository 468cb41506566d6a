package app

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/cmd/marvin/internal/cli"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/ui/headless"
)

func TestRunOutcomeIsPushed(t *testing.T) {
	status, heard := http.StatusOK, ""
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		heard = r.Method + " " + r.URL.Path + " " + string(text)
		w.WriteHeader(status)
	}))
	defer server.Close()
	world := cli.World{Getenv: func(name string) string { return map[string]string{"MARVIN_HOSTS": "ntfy.sh=" + server.URL}[name] }}
	client, err := world.Client(settings.Config{})
	if err != nil {
		t.Fatal(err)
	}
	p := &App{World: world, Client: client}
	result := headless.Result{Outcome: messages.Incomplete, Usage: messages.Usage{Cost: 0.25}}
	for given, want := range map[int]string{200: "", 299: "", 300: "300 Multiple Choices", 429: "429 Too Many Requests", 500: "500 Internal Server Error"} {
		status, heard = given, ""
		err := p.Announce("mine-1", result)
		if want != "" {
			want = "--ntfy: ntfy.sh answered " + want + ", so the message was not delivered; try another topic, or try again later"
		}
		if heard != "POST /mine-1 Marvin: incomplete, $0.2500" || (err == nil) != (want == "") || err != nil && err.Error() != want {
			t.Errorf("%d: %v, heard %q", given, err, heard)
		}
	}
	heard = ""
	if err := p.Announce("a/b", result); err == nil || err.Error() != `--ntfy: "a/b" is not a topic; use letters, digits, - and _, at most 64` || heard != "" {
		t.Errorf("%v, heard %q", err, heard)
	}
	server.Close()
	if err := p.Announce("mine-1", result); err == nil || !strings.HasPrefix(err.Error(), "--ntfy: ") {
		t.Errorf("%v", err)
	}
}
