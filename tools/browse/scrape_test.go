package browse

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"marvin/tools/internal/proc"
	"marvin/tools/internal/toolstest"
)

const shop = `<html><head><title>Pizzeria</title><base href="https://site.example/sub/"></head><body>
<header>Our header</header><nav id=nav><a href=/home>Home</a></nav>
<div id=main><h2>Pizza</h2>
<div class=dish><h3>Margherita</h3><p>Tomato, cheese</p><span class=price>€ 9,50</span></div>
<p>Cola ..... 25 kr</p><p>Tea 3.20</p><p>Since 1984, open 11.30 to 22</p>
<a href="menu.pdf?a=1&amp;b=2">Menu <b>card</b></a> <a href="menu.pdf?a=1&amp;b=2">again</a> <a href="javascript:x()">no</a> <a href="mailto:a@b.c">mail</a> <a href="//other.example/" title="Other"></a></div>
<noscript>no scripts</noscript><footer id=foot>Imprint</footer><script>document.body.append('made by a script')</script></body></html>`

func TestScrapeWithoutABrowserSaysSo(t *testing.T) {
	const note = "\n\n[The scripts of the page did not run, because neither Chromium, Chrome nor Firefox is installed.]"
	dishes := "Margherita – Tomato, cheese: € 9,50\nCola: 25 kr\nTea: 3.20"
	for args, want := range map[string]string{
		`{"extract":"menu"}`:                         "Title: Pizzeria\n\n" + dishes + note,
		`{"extract":"MENU","css_selector":"nav"}`:    "Title: Pizzeria\n\nNo prices were found. The text of the page:\n\nHome" + note,
		`{"extract":"links"}`:                        "Title: Pizzeria\n\nMenu card → https://site.example/sub/menu.pdf?a=1&b=2\nOther → https://other.example/" + note,
		`{"extract":"links","css_selector":"#foot"}`: "Title: Pizzeria\n\nThere are no links." + note,
		`{"css_selector":".dish, .dish h3"}`:         "Title: Pizzeria\n\n### Margherita\n\nTomato, cheese\n\n€ 9,50" + note,
		`{"css_selector":"h3","max_length":4}`:       "Title: Pizzeria\n\n### \n\n[4 of 14 characters. Select a part of the page with css_selector.]" + note,
	} {
		args = strings.Replace(args, "{", `{"url":"https://site.example/",`, 1)
		got, err := call(t, withoutPrograms(t), site(toolstest.Status(200, shop)), "scrape_page", args)
		if err != nil || got != want {
			t.Errorf("%s:\n%s\n%v, want\n%s", args, got, err, want)
		}
	}
	got, err := call(t, withoutPrograms(t), site(toolstest.Status(200, shop)), "scrape_page", `{"url":"https://site.example/"}`)
	if err != nil || strings.Contains(got, "header") || strings.Contains(got, "Home") || strings.Contains(got, "Imprint") || strings.Contains(got, "no scripts") || strings.Contains(got, "append") {
		t.Errorf("%s, %v", got, err)
	}
}

func TestScrapeErrors(t *testing.T) {
	ids := ""
	for i := range 20 {
		ids += fmt.Sprintf("<i id=i%d></i>", i)
	}
	for args, want := range map[string][]string{
		`"css_selector":"#gone"`: {`nothing on the page matches "#gone"`, "#i0, #i1", "#i14"},
		`"css_selector":"a[["`:   {"is not a CSS selector", "#main"},
		`"url":"-u"`:             {"not a web address"},
		`"url":"http://[::1]/"`:  {"not a public address"},
	} {
		if !strings.Contains(args, "url") {
			args += `,"url":"https://site.example/"`
		}
		_, err := call(t, withoutPrograms(t), site(toolstest.Status(200, ids)), "scrape_page", "{"+args+"}")
		toolstest.CheckError(t, err, want...)
		if strings.Contains(err.Error(), "#i15") {
			t.Errorf("more than 15 ids: %v", err)
		}
	}
	_, err := call(t, withoutPrograms(t), site(toolstest.Status(404, "")), "scrape_page", `{"url":"https://site.example/"}`)
	toolstest.CheckError(t, err, "404", "Check the address")
	_, err = call(t, withoutPrograms(t), site(toolstest.Status(200, "<p>x")), "scrape_page", `{"url":"https://site.example/","css_selector":"b"}`)
	toolstest.CheckError(t, err, "The page has no ids")
}

func TestScrapeListsAtMost100Links(t *testing.T) {
	var page strings.Builder
	for i := range 150 {
		fmt.Fprintf(&page, "<a href=/%d>%d</a>", i, i)
	}
	got, err := call(t, withoutPrograms(t), site(toolstest.Status(200, page.String())), "scrape_page", `{"url":"https://site.example/","extract":"links","max_length":8000}`)
	if err != nil || strings.Count(got, " → ") != 100 || !strings.Contains(got, "[50 more links.") {
		t.Errorf("%s, %v", got, err)
	}
}

func TestScrapeRunsScriptsInARealBrowser(t *testing.T) {
	if _, err := proc.Find("chromium", withPrograms(t).Environ); err != nil {
		t.Skip("chromium is not installed here: apt-get install chromium")
	}
	reached := 0
	secret := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached++ }))
	defer secret.Close()
	page := `<title>Before</title><div id=app></div><script>document.title = 'After';
		fetch('/data.json').then(r => r.json()).then(d => { app.innerHTML = '<h1>' + d.name + '</h1>' });
		fetch('` + secret.URL + `').catch(() => document.body.append('refused'))</script>`
	scrape := func() (string, error) {
		return call(t, withPrograms(t), site(func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/data.json" {
				_, _ = io.WriteString(w, `{"name":"made by a script"}`)
				return
			}
			_, _ = io.WriteString(w, page)
		}), "scrape_page", `{"url":"https://site.example/"}`)
	}
	got, err := scrape()
	for tries := 1; tries < 3 && strings.Contains(got, "the browser did not finish"); tries++ { // the first start of a browser can be slow
		got, err = scrape()
	}
	if err != nil || got != "Title: After\n\n# made by a script\n\nrefused" || reached != 0 {
		t.Errorf("%q, %v, reached %d times", got, err, reached)
	}
	if testing.Short() {
		return // the tests of tools/internal/browser include a redirection
	}
	_, err = call(t, withPrograms(t), site(func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, secret.URL, http.StatusFound) }), "scrape_page", `{"url":"https://site.example/"}`)
	toolstest.CheckError(t, err, "not a public address")
	if reached != 0 {
		t.Errorf("reached %d times", reached)
	}
}
