package duck

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"marvin/tools/internal/web"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

// engine returns an engine with a server that plays every host of DuckDuckGo; the paths differ.
func engine(t *testing.T, handler http.HandlerFunc) *Engine {
	t.Helper()
	server := httptest.NewServer(handler)
	client := web.NewClient(map[string]string{"html.duckduckgo.com": server.URL, "lite.duckduckgo.com": server.URL, "duckduckgo.com": server.URL})
	t.Cleanup(func() {
		client.CloseIdleConnections()
		server.Close()
	})
	return New(client)
}

// The pages have the form of October 2026, from a research note that records live responses
// (classes, ads, both forms of links, the page without results, the puzzle).
const (
	resultsPage = `<div id="links" class="results">
<div class="result results_links results_links_deep result--ad "><h2 class="result__title"><a rel="nofollow" class="result__a" href="https://duckduckgo.com/y.js?ad_domain=udemy.com&amp;u3=https%3A%2F%2Fwww.bing.com">Golang Course</a><button class="badge--ad">Ad</button></h2><a class="result__snippet">Buy</a></div>
<div class="result results_links results_links_deep web-result "><h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fduckduckgo.com%2Fy.js%3Fad_domain%3Dx&amp;rut=1">Hidden ad</a></h2></div>
<div class="result results_links results_links_deep web-result "><h2 class="result__title"><a rel="nofollow" class="result__a" href="https://go.dev/">The Go <b>Programming</b> Language</a></h2></div>
<div class="result results_links results_links_deep web-result "><h2 class="result__title"><a rel="nofollow" class="result__a" href="//duckduckgo.com/l/?uddg=https%3A%2F%2Fen.wikipedia.org%2Fwiki%2FGo%3Fa%3D1%2526&amp;rut=baf4">Go &amp; C &#x27;s heirs</a></h2>
<a class="result__snippet" href="x">Go is <b>fast</b>&nbsp;&amp; small</a></div>
<div class="result web-result"><a class="result__a" href="javascript:alert(1)">evil</a></div></div>`
	noResultsPage = `<div class="result results_links results_links_deep web-result result--no-result"><span class='no-results'><div class="no-results__message"><h1>No results found for <strong>x</strong></h1></div></span></div>`
	puzzlePage    = `<div class="anomaly-modal__title">Unfortunately, bots use DuckDuckGo too.</div><form id="challenge-form" action="//duckduckgo.com/anomaly.js?sv=html" method="POST"></form>`
	litePage      = `<table><tr class="result-sponsored"><td>1.&nbsp;</td><td><a rel="nofollow" href="https://duckduckgo.com/y.js?ad=1" class='result-link'>Ad</a></td></tr><tr class="result-sponsored"><td></td><td class='result-snippet'>Buy</td></tr>
<tr><td valign="top">2.&nbsp;</td><td><a rel="nofollow" href="https://bare.example/" class='result-link'>No snippet</a></td></tr><tr><td></td><td><span class='link-text'>bare.example</span></td></tr>
<tr><td valign="top">3.&nbsp;</td><td><a rel="nofollow" href="https://go.dev/" class='result-link'>Go</a></td></tr><tr><td></td><td class='result-snippet'>A <b>language</b></td></tr></table>`
)

func TestSearchDropsAdsUnwrapsLinksAndKeepsSnippetsWithTheirTitles(t *testing.T) {
	var form string
	e := engine(t, func(w http.ResponseWriter, r *http.Request) {
		_ = r.ParseForm()
		form = r.Method + " " + r.URL.Path + " " + r.PostForm.Encode()
		_, _ = io.WriteString(w, resultsPage)
	})
	got, err := e.Search(t.Context(), noon, Query{Text: "go & c", Max: 5, Since: "w"})
	want := []Result{
		{"The Go Programming Language", "https://go.dev/", ""},
		{"Go & C 's heirs", "https://en.wikipedia.org/wiki/Go?a=1%26", "Go is fast & small"},
	}
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	if form != "POST /html/ b=&df=w&kl=wt-wt&q=go+%26+c" {
		t.Errorf("asked %s", form)
	}
}

func TestSearchTellsAnswersApart(t *testing.T) {
	lite := []Result{{"No snippet", "https://bare.example/", ""}, {"Go", "https://go.dev/", "A language"}}
	for name, test := range map[string]struct {
		status int
		page   string
		lite   string
		want   []Result
		err    string
	}{
		"nothing found":            {200, noResultsPage, "", nil, ""},
		"puzzle by status":         {202, puzzlePage, puzzlePage, nil, "asks for a puzzle to be solved"},
		"puzzle by its looks":      {200, puzzlePage, puzzlePage, nil, "puzzle"},
		"rate limit":               {429, "", "", nil, "puzzle"},
		"down, the other one is":   {503, "", litePage, lite, ""},
		"changed, the other not":   {200, "<html>new look", litePage, lite, ""},
		"both changed":             {200, "<html>new look", "<p>", nil, "unexpected page"},
		"both down":                {502, "", "", nil, "html.duckduckgo.com answered 502"},
		"nothing, on the other":    {500, "", "<td>No results.</td>", nil, ""},
		"puzzle on the other":      {500, "", puzzlePage, nil, "puzzle"},
		"huge":                     {200, strings.Repeat(" ", limit) + resultsPage, litePage, lite, ""},
		"words of the puzzle only": {200, strings.Replace(resultsPage, "small", "bots use DuckDuckGo too", 1), "", []Result{{"The Go Programming Language", "https://go.dev/", ""}, {"Go & C 's heirs", "https://en.wikipedia.org/wiki/Go?a=1%26", "Go is fast & bots use DuckDuckGo too"}}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, func(w http.ResponseWriter, r *http.Request) {
				body := test.lite
				if r.URL.Path == "/html/" || test.lite == "" {
					w.WriteHeader(test.status)
					body = test.page
				}
				_, _ = io.WriteString(w, body)
			})
			got, err := e.Search(t.Context(), noon, Query{Text: "x", Max: 5})
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) || len(got)+len(test.want) > 0 && !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}

// The styled page takes Marvin for a bot long before the plain one does.
func TestCaptchaFallsBackToLitePage(t *testing.T) {
	var asked []string
	e := engine(t, func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.Path)
		if r.URL.Path == "/html/" {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		_, _ = io.WriteString(w, litePage)
	})
	for _, at := range []time.Duration{0, 30 * time.Second, 2 * time.Minute} {
		if got, err := e.Search(t.Context(), noon.Add(at), Query{Text: "x", Max: 5}); err != nil || len(got) != 2 {
			t.Errorf("after %s: %+v, %v", at, got, err)
		}
	}
	if got := strings.Join(asked, " "); got != "/html/ /lite/ /lite/ /html/ /lite/" {
		t.Errorf("asked %s", got)
	}
}

func TestAfterAPuzzleNothingIsAskedForAMinute(t *testing.T) {
	asked := 0
	e := engine(t, func(w http.ResponseWriter, _ *http.Request) {
		asked++
		w.WriteHeader(http.StatusAccepted)
	})
	for _, at := range []time.Duration{0, 59 * time.Second} {
		if _, err := e.Search(t.Context(), noon.Add(at), Query{Text: "x", Max: 1}); !errors.Is(err, ErrBusy) {
			t.Errorf("after %s: %v", at, err)
		}
	}
	if asked != 2 { // both pages, once
		t.Errorf("asked %d times", asked)
	}
	if _, err := e.News(t.Context(), noon.Add(2*time.Minute), Query{Text: "x", Max: 1}); !errors.Is(err, ErrBusy) || asked != 3 {
		t.Errorf("after two minutes: %v, asked %d times", err, asked)
	}
}

func TestSearchEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stopped := errors.New("the user said stop")
	e := engine(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the server does not notice that the client is gone
		cancel(stopped)
		<-r.Context().Done()
	})
	if _, err := e.Search(ctx, noon, Query{Text: "x", Max: 1}); !errors.Is(err, stopped) {
		t.Errorf("ended with %v", err)
	}
}

// The response has the form that the news engine of github.com/deedy5/ddgs reads.
func TestNews(t *testing.T) {
	for name, test := range map[string]struct {
		token, answer string
		want          []Article
		err           string
	}{
		"found": {
			`<script>vqd="4-12345";</script>`, `{"query":"x","results":[{"date":1763726400,"excerpt":"It <b>did</b> &amp; more","image":"","relative_time":"1 hour ago","source":"Times","title":"A &#x27;thing&#x27;","url":"https://t.example/1"},{"title":"B","url":"https://t.example/2"},{"title":"C"}]}`,
			[]Article{{"A 'thing'", "https://t.example/1", "Times", "It did & more", time.Date(2025, 11, 21, 12, 0, 0, 0, time.UTC)}, {Title: "B", URL: "https://t.example/2"}},
			"",
		},
		"none":          {`&vqd=4-1&`, `{"results":[]}`, nil, ""},
		"no token":      {`<html>`, "", nil, "unexpected page"},
		"not JSON":      {`vqd='4-1'`, "<html>", nil, "unexpected page"},
		"puzzle":        {puzzlePage, "", nil, "puzzle"},
		"broken result": {`vqd='4-1'`, `{"results":[{"date":"yesterday"}]}`, nil, "unexpected page"},
	} {
		t.Run(name, func(t *testing.T) {
			e := engine(t, func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/":
					_, _ = io.WriteString(w, test.token)
				case "/news.js":
					if q := r.URL.Query(); q.Get("vqd") == "" || q.Get("df") != "d" || q.Get("q") != "a b" {
						t.Errorf("asked %s", r.URL)
					}
					_, _ = io.WriteString(w, test.answer)
				}
			})
			got, err := e.News(t.Context(), noon, Query{Text: "a b", Max: 2, Since: "d"})
			if test.err == "" && err != nil || test.err != "" && (err == nil || !strings.Contains(err.Error(), test.err)) || !reflect.DeepEqual(got, test.want) {
				t.Errorf("%+v, %v", got, err)
			}
		})
	}
}
