package cli

import (
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"marvin/persistence/settings"
)

func TestTheContactIsThatOfTheVariableOrTheSettings(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.UserAgent()) }))
	defer server.Close()
	for _, given := range []struct{ variable, setting, want, problem string }{
		{"", "", "Marvin/development (terminal assistant)", ""},
		{"", "me@example.org", "Marvin/development (terminal assistant; me@example.org)", ""},
		{"https://example.org/me", "me@example.org", "Marvin/development (terminal assistant; https://example.org/me)", ""},
		{"nobody", "me@example.org", "Marvin/development (terminal assistant; me@example.org)", `MARVIN_CONTACT: "nobody" is not a contact`},
	} {
		world := World{Version: "development", Getenv: func(name string) string {
			return map[string]string{"MARVIN_CONTACT": given.variable, "MARVIN_HOSTS": "en.wikipedia.org=" + server.URL}[name]
		}}
		client, err := world.Client(settings.Config{Contact: given.setting})
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

func TestTheHostsOfTheVariableWin(t *testing.T) {
	configured := map[string]string{"a": "http://1", "b": "http://2"}
	for variable, want := range map[string]string{
		"": "a=http://1 b=http://2", " , ": "a=http://1 b=http://2", "b=http://3, c=https://4 ,": "a=http://1 b=http://3 c=https://4", "c=http://x=y": "a=http://1 b=http://2 c=http://x=y",
		"b": `! "b"`, "b=ftp://x": `! "b=ftp://x"`, "c=http://4,b=": `! "b="`, " b=x": `! " b=x"`,
	} {
		table, err := Hosts(configured, variable)
		var list []string
		for _, host := range slices.Sorted(maps.Keys(table)) {
			list = append(list, host+"="+table[host])
		}
		got := strings.Join(list, " ")
		if err != nil {
			got = err.Error()
			want = "MARVIN_HOSTS: " + strings.TrimPrefix(want, "! ") + " is not host=URL, such as api.frankfurter.dev=http://localhost:8080"
		}
		if got != want {
			t.Errorf("%q: %s, want %s", variable, got, want)
		}
	}
	if len(configured) != 2 || configured["b"] != "http://2" {
		t.Errorf("the configuration is %v now", configured)
	}
}
