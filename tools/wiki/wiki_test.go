package wiki

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const wikipedia = "en.wikipedia.org"

func call(t *testing.T, env tools.Env, service http.HandlerFunc, name, args string) (string, error) {
	t.Helper()
	client := toolstest.Client(t, map[string]http.HandlerFunc{wikipedia: service})
	return toolstest.Call(t, New(client).Tools(), env, name, args)
}

// The replies have the formats of https://www.mediawiki.org/wiki/API:Search and
// https://www.mediawiki.org/wiki/Extension:TextExtracts, formatversion 2.
func TestSearchTakesTheMarksOutOfSnippets(t *testing.T) {
	got, err := call(t, toolstest.Env(t), func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RequestURI() != "/w/api.php?action=query&format=json&formatversion=2&list=search&srlimit=10&srsearch=alan+turing" || !strings.HasPrefix(r.UserAgent(), "Marvin/") {
			t.Errorf("asked for %s as %s", r.URL.RequestURI(), r.Header.Get("User-Agent"))
		}
		toolstest.Status(http.StatusOK, `{"batchcomplete":true,"query":{"searchinfo":{"totalhits":2},"search":[
		{"ns":0,"title":"Alan Turing","pageid":1208,"size":1,"wordcount":1,"snippet":"<span class=\"searchmatch\">Alan</span> Mathison &amp; <span class=\"searchmatch\">Turing</span>\u202e","timestamp":"2026-11-01T00:00:00Z"}]}}`)(w, r)
	}, "wiki_search", `{"q":"alan  turing","max_results":99}`)
	if want := "1. Alan Turing\n   Alan Mathison & Turing‹U+202E›\n   pageid 1208"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, toolstest.Env(t), toolstest.Status(http.StatusOK, `{"query":{"search":[]}}`), "wiki_search", `{"query":"zzz"}`)
	if err != nil || !strings.Contains(got, `no article that contains "zzz"`) {
		t.Errorf("%q, %v", got, err)
	}
	_, err = call(t, toolstest.Env(t), toolstest.Status(http.StatusOK, `{"error":{"code":"srsearch-text-too-long","info":"Search request is too long.","docref":"x"}}`), "wiki_search", `{"query":"x"}`)
	toolstest.CheckError(t, err, "Search request is too long. (srsearch-text-too-long)")
}

// summary returns a reply in the format of https://en.wikipedia.org/api/rest_v1/.
func summary(kind, extract string) string {
	return `{"type":"` + kind + `","title":"AC/DC","displaytitle":"<i>AC/DC</i>","pageid":3,"description":"Australian band","extract":"` + extract + `","extract_html":"<p>x</p>","content_urls":{"desktop":{"page":"https://en.wikipedia.org/wiki/AC/DC"}}}`
}

func TestTheWholeTitleIsEscapedInThePath(t *testing.T) {
	for title, path := range map[string]string{
		"AC/DC": "/api/rest_v1/page/summary/AC%2FDC", " Who  Framed? ": "/api/rest_v1/page/summary/Who_Framed%3F",
		"../../w/api.php": "/api/rest_v1/page/summary/..%2F..%2Fw%2Fapi.php", "100%": "/api/rest_v1/page/summary/100%25",
		"https://en.wikipedia.org/wiki/AC/DC#History": "/api/rest_v1/page/summary/AC%2FDC",
	} {
		got, err := call(t, toolstest.Env(t), func(w http.ResponseWriter, r *http.Request) {
			if r.RequestURI != path {
				t.Errorf("%q: asked for %s", title, r.RequestURI)
			}
			toolstest.Status(http.StatusOK, summary("standard", "A band."))(w, r)
		}, "wiki_summary", `{"title":"`+title+`"}`)
		if want := "AC/DC\nAustralian band\nA band.\nhttps://en.wikipedia.org/wiki/AC/DC"; err != nil || got != want {
			t.Errorf("%v\n%s", err, got)
		}
	}
	for title, want := range map[string]string{"": "title is empty", "a|b": "cannot be the title", strings.Repeat("x", 300): "cannot be the title"} {
		_, err := call(t, toolstest.Env(t), nil, "wiki_summary", `{"title":"`+title+`"}`)
		toolstest.CheckError(t, err, want, "wiki_search")
	}
}

func TestAmbiguousTitlesNameTheirMeanings(t *testing.T) {
	service := func(links string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if strings.HasPrefix(r.URL.Path, "/api/rest_v1") {
				toolstest.Status(http.StatusOK, summary("disambiguation", "X may refer to:"))(w, r)
				return
			}
			toolstest.Status(http.StatusOK, links)(w, r)
		}
	}
	got, err := call(t, toolstest.Env(t), service(`{"query":{"pages":[{"pageid":1,"title":"X","links":[{"ns":0,"title":"X (band)"},{"ns":0,"title":"X (river)"}]}]}}`), "wiki_summary", `{"title":"X"}`)
	if err != nil || !strings.HasSuffix(got, "has several meanings. Ask again with one of these titles\n- X (band)\n- X (river)") {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, toolstest.Env(t), service(`{}`), "wiki_summary", `{"title":"X"}`)
	if err != nil || !strings.HasSuffix(got, "which wiki_search finds.") {
		t.Errorf("%v\n%s", err, got)
	}
}

// extracts serves both interfaces: no summary, and an article from the action API.
func extracts(t *testing.T, pages string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path != "/w/api.php" {
			toolstest.Status(http.StatusNotFound, `{"type":"Internal error","title":"Not found."}`)(w, r)
			return
		}
		if query := r.URL.Query(); query.Get("redirects") != "1" || query.Get("explaintext") != "1" {
			t.Errorf("asked for %s", r.URL.RawQuery)
		}
		toolstest.Status(http.StatusOK, `{"batchcomplete":true,"query":{"pages":[`+pages+`]}}`)(w, r)
	}
}

func TestSummaryFallsBackToTheExtract(t *testing.T) {
	got, err := call(t, toolstest.Env(t), extracts(t, `{"pageid":1,"ns":0,"title":"Turing","extract":"He was.\n\n\nReally.","description":"mathematician","fullurl":"https://en.wikipedia.org/wiki/Turing"}`), "wiki_summary", `{"title":"turing"}`)
	if want := "Turing\nmathematician\nHe was.\n\nReally.\nhttps://en.wikipedia.org/wiki/Turing"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	for _, name := range []string{"wiki_summary", "wiki_full"} {
		_, err = call(t, toolstest.Env(t), extracts(t, `{"ns":0,"title":"Nowhere","missing":true}`), name, `{"title":"Nowhere"}`)
		toolstest.CheckError(t, err, `no Wikipedia article "Nowhere"`, "wiki_search")
	}
}

func TestTooManyRequests(t *testing.T) {
	for _, name := range []string{"wiki_search", "wiki_summary", "wiki_full"} {
		asked := 0
		_, err := call(t, toolstest.Env(t), func(w http.ResponseWriter, _ *http.Request) {
			asked++
			w.Header().Set("Retry-After", "7")
			w.WriteHeader(http.StatusTooManyRequests)
		}, name, `{"query":"x"}`)
		toolstest.CheckError(t, err, "too many requests", "after 7 (seconds")
		if asked != 1 {
			t.Errorf("%s asked %d times", name, asked)
		}
		toolstest.CheckFaults(t, wikipedia, func(client *http.Client) (string, error) {
			return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), name, `{"query":"x"}`)
		})
	}
}

func TestTheArticleIsSavedAndFoundUnderBothTitles(t *testing.T) {
	env := toolstest.Env(t)
	text := "Alan Turing worked.\n\n\n== Bletchley ==\nAt Bletchley Park (1939) " + strings.Repeat("and on ", 200) + "he broke Enigma.\nThen he left."
	service := extracts(t, fmt.Sprintf(`{"pageid":1,"ns":0,"title":"Alan Turing/OBE","extract":%q}`, text))
	got, err := call(t, env, service, "wiki_full", `{"title":"turing the man"}`)
	path := filepath.Join(env.Home, ".cache", "marvin", "wiki", "Alan_Turing_OBE.txt")
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, `Saved "Alan Turing/OBE" (416 words) to `+path, `"turing the man" redirects to it`, "Alan Turing worked. == Bletchley ==")
	if len(got) > 700 {
		t.Errorf("the article itself comes back: %d bytes", len(got))
	}
	if saved, err := os.ReadFile(path); err != nil || string(saved) != text {
		t.Errorf("saved %d bytes, %v", len(saved), err)
	}
	for _, title := range []string{"turing the man", "Turing_the_man", "Alan Turing/OBE", "alan turing/obe", "https://en.wikipedia.org/wiki/Alan_Turing%2FOBE", ""} {
		got, err := call(t, env, nil, "wiki_grep", `{"title":"`+title+`","pattern":"ENIGMA"}`)
		if err != nil || strings.Count(got, "> …") != 1 || !strings.HasSuffix(got, "he broke Enigma.\n  Then he left.") || !strings.Contains(got, ":3\n  == Bletchley ==\n") {
			t.Errorf("%q: %v\n%s", title, err, got)
		}
	}
	if got, err := call(t, env, service, "wiki_full", `{"title":"turing the man"}`); err != nil || !strings.Contains(got, "Saved") {
		t.Errorf("a second time: %q, %v", got, err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 2 {
		t.Errorf("%v, %v", entries, err)
	}
}

func shelve(t *testing.T, files map[string]string) tools.Env {
	t.Helper()
	env := toolstest.Env(t)
	dir := filepath.Join(env.Home, ".cache", "marvin", "wiki")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return env
}

func TestGrepCountsWhatItDoesNotShow(t *testing.T) {
	env := shelve(t, map[string]string{"A.txt": strings.Repeat("cat cat\ndog\n", 20), "B.txt": "a cat[\n"})
	got, err := call(t, env, nil, "wiki_grep", `{"pattern":"^cat|a cat"}`)
	if err != nil || strings.Count(got, "> cat") != 15 || !strings.HasSuffix(got, "… and 6 more") {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, env, nil, "wiki_grep", `{"pattern":"cat["}`)
	if want := "B:1\n> a cat[\n[the pattern is not a regular expression, so Marvin searched for it literally]"; err != nil || got != want {
		t.Errorf("%v\n%s", err, got)
	}
	got, err = call(t, env, nil, "wiki_grep", `{"pattern":"bird","title":"A"}`)
	if err != nil || got != `No line with "bird" in 1 saved articles.` {
		t.Errorf("%q, %v", got, err)
	}
}

func TestGrepStaysOnTheShelf(t *testing.T) {
	env := shelve(t, map[string]string{"Alan_Turing.txt": "x"})
	secret := filepath.Join(env.Home, "secret.txt")
	if err := os.WriteFile(secret, []byte("S3cr3t"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(env.Home, ".cache", "marvin", "wiki", "Out.txt")); err != nil {
		t.Fatal(err)
	}
	for _, title := range []string{"../../../secret", "Out", secret, ""} {
		got, err := call(t, env, nil, "wiki_grep", `{"title":"`+title+`","pattern":"S3cr3t|."}`)
		if strings.Contains(got, "S3cr3t") || title != "" && err == nil {
			t.Errorf("%q: %q, %v", title, got, err)
		}
	}
	_, err := call(t, env, nil, "wiki_grep", `{"title":"Alan Truing","pattern":"x"}`)
	toolstest.CheckError(t, err, `"Alan Truing" is not saved`, "wiki_full", "Alan_Turing")
	_, err = call(t, toolstest.Env(t), nil, "wiki_grep", `{"pattern":"x"}`)
	toolstest.CheckError(t, err, "no article is saved yet", "wiki_full")
	_, err = call(t, env, nil, "wiki_grep", `{"pattern":" "}`)
	toolstest.CheckError(t, err, "pattern is empty")
	_, err = call(t, tools.Env{}, extracts(t, `{"title":"X","extract":"x"}`), "wiki_full", `{"title":"X"}`)
	toolstest.CheckError(t, err, "no home directory")
}
