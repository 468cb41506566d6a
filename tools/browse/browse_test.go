package browse

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools"
	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// call calls a tool of a new service with these test servers.
func call(t *testing.T, env tools.Env, services map[string]http.HandlerFunc, name, args string) (string, error) {
	t.Helper()
	return toolstest.Call(t, New(toolstest.Client(t, services)).Tools(), env, name, args)
}

// found returns a page of search results in the format that tools/internal/duck parses.
func found(title, address, snippet string) string {
	return fmt.Sprintf(`<div class="result web-result"><h2 class="result__title"><a class="result__a" href="%s">%s</a></h2><a class="result__snippet">%s</a></div>`, address, title, snippet)
}

func TestWebSearch(t *testing.T) {
	const none = `<div class="result result--no-result"><div class="no-results__message">No results found</div></div>`
	for name, test := range map[string]struct {
		args    string
		handler http.HandlerFunc
		text    string
		errs    []string
	}{
		"found": {
			`{"query":" go ","max_results":1}`, toolstest.Status(200, found("Go &amp; you", "https://go.dev/", "A <b>fast</b>\u202e language")+found("B", "https://b.example/", "")),
			"1. Go & you\n   https://go.dev/\n   A fast‹U+202E› language", nil,
		},
		"none":         {`{"query":"xyz","time_filter":"d"}`, toolstest.Status(200, none), `No results for "xyz". Try without time_filter.`, nil},
		"rate limited": {`{"query":"go"}`, toolstest.Status(202, "anomaly"), "", []string{"puzzle", "Wait a few minutes"}},
		"empty":        {`{"query":" "}`, toolstest.Status(200, none), "", []string{"query is empty"}},
		"down":         {`{"query":"go"}`, toolstest.Status(503, ""), "", []string{"html.duckduckgo.com answered 503", "Try again later"}},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := call(t, toolstest.Env(t), map[string]http.HandlerFunc{"html.duckduckgo.com": test.handler, "lite.duckduckgo.com": test.handler}, "web_search", test.args)
			if test.errs != nil {
				toolstest.CheckError(t, err, test.errs...)
			} else if err != nil || got != test.text {
				t.Errorf("%q, %v", got, err)
			}
		})
	}
}

// The replies follow docs.gnews.io/endpoints/search-endpoint, docs.gnews.io/error-handling,
// newsapi.org/docs/endpoints/everything and newsapi.org/docs/errors.
const (
	gnewsAnswer   = `{"totalArticles":2,"articles":[{"title":"Cars go electric in Sweden now","description":"More &amp; more","content":"…","url":"https://www.a.example/1","image":null,"publishedAt":"2026-11-20T08:00:00Z","source":{"name":"A Times","url":"https://a.example"}},{"title":"Other","description":"","url":"https://o.example/","publishedAt":"2026-11-21T08:00:00Z","source":{"name":"O"}}]}`
	newsAPIAnswer = `{"status":"ok","totalResults":3,"articles":[{"source":{"id":null,"name":"B"},"author":null,"title":"Cars go electric in Sweden","description":"same","url":"https://b.example/1","publishedAt":"2026-11-19T08:00:00Z"},{"source":{"name":"A"},"title":"Told again","url":"http://a.example/1/#top","publishedAt":"2026-11-18T00:00:00Z"},{"source":{"name":"[Removed]"},"title":"[Removed]","url":"https://removed.com"}]}`
	duckAnswer    = `{"results":[{"date":1795219200,"excerpt":"from the duck","source":"D","title":"Quite another","url":"https://d.example/"}]}`
)

func duckPlays(news, pages http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/":
			_, _ = io.WriteString(w, `vqd="4-1"`)
		case "/news.js":
			news(w, r)
		default:
			pages(w, r)
		}
	}
}

func TestNewsJoinsSourcesWithoutRepeating(t *testing.T) {
	var mu sync.Mutex // the sources are requested concurrently
	asked := map[string]string{}
	note := func(name, answer string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			mu.Lock()
			defer mu.Unlock()
			asked[name] = r.URL.RequestURI() + " " + r.Header.Get("X-Api-Key")
			_, _ = io.WriteString(w, answer)
		}
	}
	services := map[string]http.HandlerFunc{
		"gnews.io": note("gnews", gnewsAnswer), "newsapi.org": note("newsapi", newsAPIAnswer), "duckduckgo.com": duckPlays(note("duck", duckAnswer), nil),
	}
	env := toolstest.Env(t, "GNEWS_API_KEY=gk", "NEWSAPI_KEY=nk")
	got, err := call(t, env, services, "search_news", `{"query":"e-cars Sweden","time_filter":"w","max_results":7}`)
	want := "3 articles about \"e-cars Sweden\" (GNews, NewsAPI, DuckDuckGo):\n\n" +
		"1. Other\n   O, 2026-11-21 08:00 UTC [via GNews]\n   https://o.example/\n\n" +
		"2. Quite another\n   D, 2026-11-21 00:00 UTC [via DuckDuckGo]\n   https://d.example/\n   from the duck\n\n" +
		"3. Cars go electric in Sweden now\n   A Times, 2026-11-20 08:00 UTC [via GNews]\n   https://www.a.example/1\n   More & more"
	if err != nil || got != want {
		t.Errorf("%s, %v\nwant %s", got, err, want)
	}
	for name, parts := range map[string][]string{
		"gnews":   {"apikey=gk", "from=2026-11-14T12%3A00%3A00Z", "max=7", "q=%22e-cars%22+Sweden"},
		"newsapi": {"everything?from=", " nk", "from=2026-11-14T12%3A00%3A00", "pageSize=7", "q=e-cars+Sweden"},
		"duck":    {"df=w", "q=e-cars+Sweden"},
	} {
		toolstest.CheckParts(t, asked[name], parts...)
	}
}

func TestOneNewsSourceThatFailsDoesNotHideTheOthers(t *testing.T) {
	duck := duckPlays(toolstest.Status(200, duckAnswer), nil)
	for name, test := range map[string]struct {
		gnews http.HandlerFunc
		want  string
	}{
		"key rejected": {toolstest.Status(401, `{"errors":["Your API key is invalid."]}`), "GNews failed: the key in GNEWS_API_KEY is rejected"},
		"used up":      {toolstest.Status(403, `{"errors":["quota"]}`), "has no requests left for today"},
		"rate limit":   {toolstest.Status(429, `{"errors":["slow secret-key"]}`), "gnews.io answered 429"},
		"malformed":    {toolstest.Status(200, `{"articles":`), "did not answer with the expected JSON"},
	} {
		got, err := call(t, toolstest.Env(t, "GNEWS_API_KEY=secret-key"), map[string]http.HandlerFunc{"gnews.io": test.gnews, "duckduckgo.com": duck}, "search_news", `{"query":"x"}`)
		if err != nil || !strings.Contains(got, "Quite another") || !strings.Contains(got, test.want) || strings.Contains(got, "secret-key") {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
}

func TestNewsFallsBackToPages(t *testing.T) {
	none := duckPlays(toolstest.Status(200, `{"results":[]}`), nil)
	pages := func(w http.ResponseWriter, r *http.Request) {
		if r.FormValue("q") != "x news" || r.FormValue("df") != "d" {
			t.Errorf("asked %v", r.Form)
		}
		_, _ = io.WriteString(w, found("A page", "https://p.example/", "today"))
	}
	got, err := call(t, toolstest.Env(t), map[string]http.HandlerFunc{"duckduckgo.com": none, "html.duckduckgo.com": pages}, "search_news", `{"query":"x"}`)
	if err != nil || !strings.HasPrefix(got, "There are no news articles about \"x\", but these pages are from the last day:\n\n1. A page") {
		t.Errorf("%s, %v", got, err)
	}
	puzzle := toolstest.Status(202, "")
	_, err = call(t, toolstest.Env(t), map[string]http.HandlerFunc{"duckduckgo.com": puzzle, "html.duckduckgo.com": puzzle}, "search_news", `{"query":"x"}`)
	toolstest.CheckError(t, err, "puzzle", "With a key in GNEWS_API_KEY or NEWSAPI_KEY")
}

// withPrograms returns an environment with the installed programs; withoutPrograms returns one
// without programs.
func withPrograms(t *testing.T) tools.Env { return toolstest.Env(t, "PATH="+os.Getenv("PATH")) }

func withoutPrograms(t *testing.T) tools.Env { return toolstest.Env(t, "PATH="+t.TempDir()) }

func site(handler http.HandlerFunc) map[string]http.HandlerFunc {
	return map[string]http.HandlerFunc{"site.example": handler}
}

func TestBrowseReadsAPage(t *testing.T) {
	html := "<html><head><title> A  title </title><meta charset=iso-8859-1></head><body><h1>Caf\xe9</h1><p>One &amp; two</p>\n\n\n\n<ul><li>item</ul><script>evil()</script><img src=http://127.0.0.1/x.png><p>\x1b[31mred</p></body></html>"
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		_, _ = io.WriteString(w, html)
	}
	got, err := call(t, withoutPrograms(t), site(serve), "browse_web", `{"url":"https://site.example/"}`)
	if err != nil {
		t.Fatal(err)
	}
	toolstest.CheckParts(t, got, "Title: A title\n", "# Café", "One & two", "- item")
	if strings.Contains(got, "evil") || strings.Contains(got, "\x1b") || strings.Contains(got, "\n\n\n\n") || strings.Contains(got, "x.png") {
		t.Errorf("%q", got)
	}
}

// The model gets the absolute addresses of a page's links. They are relative to the page's address
// after redirects, or to the base that the page names.
func TestAPageHasItsLinks(t *testing.T) {
	serve := func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		switch r.URL.Path {
		case "/":
			http.Redirect(w, r, "/docs/", http.StatusFound)
		case "/based":
			_, _ = io.WriteString(w, "<base href=/elsewhere/><p><a href=more>More</a>")
		default:
			_, _ = io.WriteString(w, "<nav><a href=/all>All</a></nav><h1>Docs</h1><p>See <a href=more?a=1&amp;b=2>the rest</a>.")
		}
	}
	for path, want := range map[string]string{
		"":      "Address: https://site.example/docs/\n\n# Docs\n\nSee [the rest](https://site.example/docs/more?a=1&b=2).\n\nMenus of the page:\n\n[All](https://site.example/all)",
		"based": "[More](https://site.example/elsewhere/more)",
	} {
		got, err := call(t, withoutPrograms(t), site(serve), "browse_web", `{"url":"https://site.example/`+path+`"}`)
		if err != nil || got != want {
			t.Errorf("%s: %q, %v", path, got, err)
		}
	}
	got, err := call(t, withoutPrograms(t), site(serve), "scrape_page", `{"url":"https://site.example/based"}`)
	if err != nil || !strings.HasPrefix(got, "[More](https://site.example/elsewhere/more)") {
		t.Errorf("scrape_page: %q, %v", got, err)
	}
}

func TestBrowseContinuesWhereItStoppedAndFetchesOnce(t *testing.T) {
	fetched := 0
	service := New(toolstest.Client(t, site(func(w http.ResponseWriter, _ *http.Request) {
		fetched++
		_, _ = io.WriteString(w, "<title>T</title><p>"+strings.Repeat("åb ", 3000)+"end")
	})))
	env := withoutPrograms(t)
	read := func(args string) string {
		t.Helper()
		got, err := toolstest.Call(t, service.Tools(), env, "browse_web", args)
		if err != nil {
			return err.Error()
		}
		return got
	}
	if got := read(`{"url":"https://site.example/","max_length":10}`); got != "Title: T\n\nåb åb åb å\n\n[Characters 0 to 10 of 9003. Continue with start_index=10.]" {
		t.Errorf("%q", got)
	}
	if got := read(`{"url":"https://site.example/","start_index":8996,"max_length":9999}`); got != " åb end\n\n[Characters 8996 to 9003 of 9003: the end.]" {
		t.Errorf("%q", got)
	}
	if got := read(`{"url":"https://site.example/","start_index":9003}`); !strings.Contains(got, "smaller start_index") {
		t.Errorf("%q", got)
	}
	later := env.Now().Add(5 * time.Minute)
	env.Now = func() time.Time { return later }
	if fetched != 1 {
		t.Errorf("fetched %d times", fetched)
	}
	if read(`{"url":"https://site.example/"}`); fetched != 2 {
		t.Errorf("after five minutes fetched %d times", fetched)
	}
}

func TestBrowseRefusesWhatIsNoPublicPage(t *testing.T) {
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("an address that is not allowed was asked") }))
	defer secret.Close()
	redirect := func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secret.URL, http.StatusFound) }
	kind := func(kind, body string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			_, _ = io.WriteString(w, body)
		}
	}
	for name, test := range map[string]struct {
		url     string
		handler http.HandlerFunc
		want    []string
	}{
		"an option":             {"-dump", nil, []string{"not a web address", "http://"}},
		"a file":                {"file:///etc/passwd", nil, []string{"not a web address"}},
		"a command":             {"$(touch /tmp/x)", nil, []string{"not a web address"}},
		"this machine":          {secret.URL, nil, []string{"not a public address"}},
		"the metadata service":  {"http://169.254.169.254/latest", nil, []string{"not a public address"}},
		"a redirect inside":     {"https://site.example/", redirect, []string{"not a public address"}},
		"a login in the URL":    {"https://u:p@site.example/", nil, []string{"user name or password"}},
		"a picture":             {"https://site.example/", kind("image/png", "\x89PNG"), []string{"is not a page but image/png", "download_file"}},
		"not found":             {"https://site.example/", toolstest.Status(404, ""), []string{"404 Not Found", "web_search"}},
		"wants a login":         {"https://site.example/", toolstest.Status(403, ""), []string{"blocks bots", "scrape_page"}},
		"rate limit":            {"https://site.example/", toolstest.Status(429, ""), []string{"429", "accepts no requests for now"}},
		"down":                  {"https://site.example/", toolstest.Status(503, ""), []string{"503", "try again later"}},
		"an endless page's end": {"https://site.example/", kind("application/octet-stream", "\x00"), []string{"is not a page"}},
	} {
		args, err := json.Marshal(map[string]string{"url": test.url})
		if err != nil {
			t.Fatal(err)
		}
		services := map[string]http.HandlerFunc{}
		if test.handler != nil {
			services = site(test.handler)
		}
		text, err := call(t, withPrograms(t), services, "browse_web", string(args))
		if err == nil {
			t.Errorf("%s: %s", name, text)
			continue
		}
		toolstest.CheckError(t, err, test.want...)
	}
}

func TestBrowseOtherTexts(t *testing.T) {
	for name, test := range map[string]struct{ kind, body, want string }{
		"plain":     {"text/plain; charset=utf-8", "a\r\n\r\n\r\n\r\n\r\nb  ", "a\n\n\nb"},
		"json":      {"application/json", `{"a":"é"}`, `{"a":"é"}`},
		"feed":      {"application/rss+xml", "<rss/>", "<rss/>"},
		"unnamed":   {"", "<!doctype html><p>x</p>", "x"},
		"no text":   {"text/html", "<div id=app></div><script src=x></script>", "The page has no text. If scripts create the text, scrape_page can read it."},
		"very long": {"text/plain", strings.Repeat("x", pageLimit+10), "[Characters 0 to 4000 of 4194304. Continue with start_index=4000.]"},
	} {
		got, err := call(t, withoutPrograms(t), site(func(w http.ResponseWriter, _ *http.Request) {
			w.Header()["Content-Type"] = []string{test.kind}
			_, _ = io.WriteString(w, test.body)
		}), "browse_web", `{"url":"https://site.example/"}`)
		if err != nil || got != test.want && !strings.HasSuffix(got, "\n\n"+test.want) {
			t.Errorf("%s: %.200q, %v", name, got, err)
		}
	}
}
