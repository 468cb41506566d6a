package web

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
)

func TestContactIsSentOnlyToServicesThatAskForIt(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, r.UserAgent()) }))
	defer server.Close()
	hosts := map[string]string{}
	for _, host := range []string{"en.wikipedia.org", "musicbrainz.org", "nominatim.openstreetmap.org", "overpass-api.de", "news.example", "notwikipedia.org", "wikipedia.org.example"} {
		hosts[host] = server.URL
	}
	client := newClient(hosts, noProxy, UserAgent{Version: "0.1.0-3-g(a)b/c", Contact: "me@example.org"})
	defer client.CloseIdleConnections()
	const anonymous = "Marvin/0.1.0-3-gabc (terminal assistant)"
	for address, want := range map[string]string{
		"https://en.wikipedia.org/w":            "Marvin/0.1.0-3-gabc (terminal assistant; me@example.org)",
		"https://MusicBrainz.org./":             "Marvin/0.1.0-3-gabc (terminal assistant; me@example.org)",
		"https://nominatim.openstreetmap.org/s": "Marvin/0.1.0-3-gabc (terminal assistant; me@example.org)",
		"https://overpass-api.de/api":           "Marvin/0.1.0-3-gabc (terminal assistant; me@example.org)",
		"https://news.example/":                 anonymous,
		"https://notwikipedia.org/":             anonymous,
		"https://wikipedia.org.example/":        anonymous,
	} {
		if got, err := get(t, client, address); err != nil || got != want {
			t.Errorf("%s is asked by %q, want %q (%v)", address, got, want, err)
		}
	}
}

// A server that may get the user's contact redirects to one that may not.
func TestAContactIsNotTakenAlongByARedirect(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/begin" {
			http.Redirect(w, r, "https://news.example/", http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, r.UserAgent())
	}))
	defer server.Close()
	client := newClient(map[string]string{"wikipedia.org": server.URL, "news.example": server.URL}, noProxy, UserAgent{Contact: "me@example.org"})
	defer client.CloseIdleConnections()
	if got, err := get(t, client, "https://wikipedia.org/begin"); err != nil || got != "Marvin/0 (terminal assistant)" {
		t.Errorf("%q, %v", got, err)
	}
}
