package main

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/persistence"
)

func TestTheContactIsThatOfTheVariableOrTheSettings(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.UserAgent()) }))
	defer server.Close()
	for _, given := range []struct{ variable, setting, want, problem string }{
		{"", "", "Marvin/development (terminal assistant)", ""},
		{"", "me@example.org", "Marvin/development (terminal assistant; me@example.org)", ""},
		{"https://example.org/me", "me@example.org", "Marvin/development (terminal assistant; https://example.org/me)", ""},
		{"nobody", "me@example.org", "Marvin/development (terminal assistant; me@example.org)", `MARVIN_CONTACT: "nobody" is no contact`},
	} {
		world := World{Getenv: func(name string) string {
			return map[string]string{"MARVIN_CONTACT": given.variable, "MARVIN_HOSTS": "en.wikipedia.org=" + server.URL}[name]
		}}
		client, err := world.client(persistence.Config{Contact: given.setting})
		if (err != nil) != (given.problem != "") || err != nil && !strings.Contains(err.Error(), given.problem) {
			t.Errorf("%+v: %v", given, err)
		}
		response, err := client.Get("https://en.wikipedia.org/")
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(response.Body)
		response.Body.Close()
		if err != nil || string(text) != given.want {
			t.Errorf("%+v: %q, %v", given, text, err)
		}
	}
}
