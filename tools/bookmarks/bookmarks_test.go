package bookmarks

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"marvin/persistence"
	"marvin/tools"
)

// shelf calls the tools like a model.
type shelf struct {
	t     *testing.T
	tools map[string]tools.Tool
	env   tools.Env
}

func newShelf(t *testing.T) shelf {
	home := persistence.Open(t.TempDir(), time.Now)
	s := shelf{t, map[string]tools.Tool{}, tools.Env{Profile: home.Profile("default").Dir}}
	for _, tool := range New(home).Tools() {
		s.tools[tool.Name] = tool
	}
	return s
}

func (s shelf) expect(name, args, want string) {
	s.t.Helper()
	call, err := s.tools[name].Decode(json.RawMessage(args))
	var output tools.Output
	if err == nil {
		output, err = call.Run(s.t.Context(), s.env)
	}
	got := output.Text
	if err != nil {
		got = err.Error()
	}
	if got != want && !(strings.HasSuffix(want, "…") && strings.HasPrefix(got, strings.TrimSuffix(want, "…"))) {
		s.t.Errorf("%s %s:\n%s\nwant\n%s", name, args, got, want)
	}
}

func TestBookmarksAreSavedListedAndFound(t *testing.T) {
	s := newShelf(t)
	s.expect("bookmark_list", `{}`, "There are no bookmarks. Save one with bookmark_save.")
	s.expect("bookmark_save", `{"url": "https://go.dev"}`, "Saved https://go.dev. Bookmarks in this profile: 1.")
	s.expect("bookmark_save", `{"url": "go.dev/doc", "title": "Go\ndocs", "tags": "Go, docs,go", "notes": "start here"}`, "Saved Go docs. Bookmarks in this profile: 2.")
	s.expect("bookmark_save", `{"url": "https://pizza.example", "title": "Pizza", "tags": ["food"]}`, "Saved Pizza. Bookmarks in this profile: 3.")
	s.expect("bookmark_save", `{"url": "https://GO.dev/"}`, "https://GO.dev/ is already bookmarked\nFind it with bookmark_search.")
	docs := "Go docs [Go, docs]\n   https://go.dev/doc\n   start here"
	s.expect("bookmark_list", `{}`, "1. Pizza [food]\n   https://pizza.example\n\n2. "+docs+"\n\n3. https://go.dev\n   https://go.dev")
	s.expect("bookmark_list", `{"limit": 1}`, "1. Pizza [food]\n   https://pizza.example\n\n2 more; call bookmark_list or bookmark_search with a higher limit.")
	s.expect("bookmark_list", `{"tag": "#GO"}`, "1. "+docs)
	s.expect("bookmark_list", `{"tag": "rust"}`, "No bookmark has the tag \"rust\". Tags: Go, docs, food")
	s.expect("bookmark_search", `{"query": "START go"}`, "1. "+docs)
	s.expect("bookmark_search", `{"query": "rust"}`, "None of the 3 bookmarks contains \"rust\". bookmark_list shows them all.")
	s.expect("bookmark_search", `{"query": " "}`, "the query is empty\nGive a word, or call bookmark_list.")
}

func TestOnlyWebAddressesAreBookmarked(t *testing.T) {
	s := newShelf(t)
	for _, address := range []string{"", "home", "javascript:alert(1)", "file:///etc/passwd", "https://", "two words.example", "http://[::1"} {
		encoded, err := json.Marshal(map[string]string{"url": address})
		if err != nil {
			t.Fatal(err)
		}
		call, err := s.tools["bookmark_save"].Decode(encoded)
		if err == nil {
			_, err = call.Run(t.Context(), s.env)
		}
		if err == nil || !strings.Contains(err.Error(), "https://go.dev") {
			t.Errorf("%q: %v", address, err)
		}
	}
	s.expect("bookmark_list", `{}`, "There are no bookmarks…")
}

// A saved bookmark can be renamed and removed, and unknown fields of earlier Marvins are kept.
func TestBookmarksAreChangedAndRemoved(t *testing.T) {
	s := newShelf(t)
	path := filepath.Join(s.env.Profile, "bookmarks.json")
	if err := errors.Join(os.MkdirAll(s.env.Profile, 0o700), os.WriteFile(path, []byte(`[{"url":"https://go.dev","title":"Go","tags":"a, b","mine":[1,  2],"notes":"n"},{"url":"https://pizza.example","title":"Pizza place","tags":[]},{"url":"https://more.example","title":"More pizza","tags":[]}]`), 0o600)); err != nil {
		t.Fatal(err)
	}
	s.expect("bookmark_change", `{"url": "go.dev/", "title": "The Go\nsite", "tags": "go,docs"}`, "Changed:\n1. The Go site [go, docs]\n   https://go.dev\n   n")
	s.expect("bookmark_change", `{"url": "the go site", "new_url": "https://pizza.example/"}`, "https://pizza.example/ is already bookmarked")
	s.expect("bookmark_change", `{"url": "the go site", "new_url": "javascript:alert(1)"}`, "\"javascript:alert(1)\" is not a web address…")
	s.expect("bookmark_change", `{"url": "the go site", "new_url": "go.dev/doc"}`, "Changed:\n1. The Go site [go, docs]\n   https://go.dev/doc\n   n")
	s.expect("bookmark_change", `{"url": "the go site"}`, "the call does not say what to change; give title, tags, notes or new_url")
	s.expect("bookmark_remove", `{"url": "pizza"}`, "2 bookmarks match, so nothing was changed…")
	s.expect("bookmark_remove", `{"url": "rust"}`, "there is no bookmark \"rust\"\nbookmark_list shows them.")
	s.expect("bookmark_remove", `{"url": "more pizza"}`, "Removed:\n1. More pizza\n   https://more.example")
	content, err := os.ReadFile(path)
	if text := strings.Join(strings.Fields(string(content)), ""); err != nil || text != `[{"url":"https://go.dev/doc","title":"TheGosite","tags":["go","docs"],"mine":[1,2],"notes":"n"},{"url":"https://pizza.example","title":"Pizzaplace","tags":[]}]` {
		t.Errorf("%s, %v", content, err)
	}
	// An address selects exactly one bookmark, even if another address begins with it.
	s.expect("bookmark_save", `{"url": "pizza.example/menu"}`, "Saved https://pizza.example/menu…")
	s.expect("bookmark_remove", `{"url": "pizza.example"}`, "Removed:\n1. Pizza place\n   https://pizza.example")
	shared := filepath.Join(filepath.Dir(filepath.Dir(s.env.Profile)), "bookmarks.json")
	if err := os.WriteFile(shared, []byte(`[{"url":"https://old.example","title":"Old","tags":[]}]`), 0o600); err != nil {
		t.Fatal(err)
	}
	s.expect("bookmark_remove", `{"url": "old"}`, "https://old.example is a bookmark that an earlier Marvin version stored for all profiles\nMarvin does not change the file with these bookmarks: "+shared)
}
