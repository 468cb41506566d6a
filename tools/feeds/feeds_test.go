package feeds

import (
	"io"
	"net/http"
	"strings"
	"testing"

	"go.uber.org/goleak"

	"marvin/tools/internal/toolstest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func read(t *testing.T, kind, body, args string) (string, error) {
	t.Helper()
	client := toolstest.Client(t, map[string]http.HandlerFunc{"site.example": func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", kind)
		_, _ = io.WriteString(w, body)
	}})
	return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), "read_rss", strings.Replace(args, "{", `{"url":"https://site.example/blog/feed",`, 1))
}

// The feeds follow the RSS Advisory Board's RSS 2.0 specification, RSS 1.0 (RDF) and
// RFC 4287.
const (
	rss = `<?xml version="1.0" encoding="ISO-8859-1"?><rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Caf` + "\xe9" + ` &amp; bar</title><link>https://site.example/</link>
<item><title><![CDATA[Fish & <b>chips</b>]]></title><link>https://site.example/1</link><pubDate>Sat, 21 Nov 2026 10:00:00 +0100</pubDate><description><![CDATA[<p>One</p><p>two &amp; three</p><script>evil()</script>]]></description></item>
<item><title>Escaped</title><guid isPermaLink="true">https://site.example/2</guid><description>&lt;p&gt;Escaped &amp;amp; more&lt;/p&gt;</description></item>
<item><description>` + "LONG" + `</description><pubDate>some day</pubDate></item></channel></rss>`
	atom = `<feed xmlns="http://www.w3.org/2005/Atom"><title type="html">A &lt;i&gt;feed&lt;/i&gt;</title><link rel="self" href="https://site.example/blog/feed"/>
<entry><title>Entry</title><id>tag:site.example,2026:1</id><updated>2026-11-20T12:30:00Z</updated><link rel="enclosure" href="https://site.example/a.mp3"/><link rel="replies" href="https://site.example/replies"/><link rel="alternate" href="../post?a=1&amp;b=2"/><summary type="html">&lt;b&gt;Sum&lt;/b&gt;</summary></entry>
<entry><title>Second</title><id>x</id><content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>In <em>markup</em></p></div></content></entry></feed>`
	rdf = `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://site.example/"><title>RDF</title></channel>
<item rdf:about="https://site.example/r"><title>Item</title><link>https://site.example/r</link><description>d</description><dc:date>2026-11-01T00:00:00Z</dc:date></item></rdf:RDF>`
)

func TestFeeds(t *testing.T) {
	long := strings.Repeat("word ", 100)
	for name, test := range map[string]struct{ kind, body, args, want string }{
		"RSS in Latin-1, CDATA, escaped markup": {
			"application/rss+xml", strings.Replace(rss, "LONG", long, 1), `{"max_entries":"20"}`,
			"Café & bar\n\n1. Fish & chips\n   2026-11-21 09:00 UTC\n   One two & three\n   https://site.example/1\n\n2. Escaped\n   Escaped & more\n   https://site.example/2\n\n3. (no title)\n   some day\n   " + strings.TrimSpace(strings.Repeat("word ", 40)) + "…",
		},
		"Atom: the alternate link, against the feed's address": {
			"application/atom+xml", atom, `{"max_items":0}`,
			"A feed\n\n1. Entry\n   2026-11-20 12:30 UTC\n   Sum\n   https://site.example/post?a=1&b=2\n\n[1 more entries.]",
		},
		"Atom with markup":                   {"application/atom+xml", atom[:strings.Index(atom, "<entry>")] + atom[strings.LastIndex(atom, "<entry>"):], `{"max_items":5}`, "A feed\n\n1. Second\n   In markup"},
		"RDF":                                {"application/rdf+xml", "\n" + rdf, `{"max_items":5}`, "RDF\n\n1. Item\n   2026-11-01 00:00 UTC\n   d\n   https://site.example/r"},
		"encoding by the server":             {"text/xml; charset=windows-1252", "<rss version=\"2.0\"><channel><title>\x80 5</title></channel></rss>", `{"max_items":5}`, "€ 5\n\nThe feed has no entries."},
		"Latin-1 that says UTF-8":            {"text/xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>Caf\xe9</title></channel></rss>", `{"max_items":5}`, "Café\n\nThe feed has no entries."},
		"UTF-8 with one broken byte":         {"text/xml", "<?xml version=\"1.0\" encoding=\"UTF-8\"?><rss version=\"2.0\"><channel><title>Café\xe9</title></channel></rss>", `{"max_items":5}`, "Café\ufffd\n\nThe feed has no entries."},
		"damaged, and with a file as entity": {"text/xml", `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&x;</title><item><title>y</wrong>`, `{"max_items":5}`, "&x;\n\n1. y"},
		"JSON feed":                          {"application/feed+json", `{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id":"1","url":"https://site.example/j","title":"T","content_text":"c"}]}`, `{"max_items":5}`, "J\n\n1. T\n   c\n   https://site.example/j"},
	} {
		got, err := read(t, test.kind, test.body, test.args)
		if err != nil || got != test.want {
			t.Errorf("%s: %q, %v\nwant %q", name, got, err, test.want)
		}
	}
}

func TestPageThatIsNoFeed(t *testing.T) {
	for name, test := range map[string]struct {
		body string
		want []string
	}{
		"a page with feeds": {
			`<html><head><link rel="alternate" type="application/rss+xml" href="/rss"><link rel="alternate" type="application/atom+xml" href="atom.xml"></head></html>`,
			[]string{"a page, not a feed", "https://site.example/rss, https://site.example/blog/atom.xml"},
		},
		"a page":  {"<html><p>hello", []string{"not a feed", "browse_web"}},
		"nothing": {"", []string{"not a feed"}},
		"broken":  {`{"version":"https://jsonfeed.org/version/1.1","title":"J","items":[{"id"`, []string{"damaged", "browse_web"}},
		"huge":    {strings.Repeat(" ", feedLimit+1), []string{"larger than 16 MiB"}},
	} {
		text, err := read(t, "text/html", test.body, `{"max_items":5}`)
		if err == nil {
			t.Errorf("%s: %s", name, text)
			continue
		}
		toolstest.CheckError(t, err, test.want...)
	}
}

// A parser stores all open elements, so unlimited nesting would use unlimited memory.
func TestADeepFeedIsRefused(t *testing.T) {
	for name, body := range map[string]string{
		"elements":     `<rss version="2.0"><channel><item>` + strings.Repeat("<a>", 1_000_000),
		"after others": strings.Replace(rss, "LONG", strings.Repeat("<b>x</b>", 1000)+strings.Repeat("<b>", 1000), 1),
	} {
		if _, err := read(t, "application/rss+xml", body, `{"max_items":5}`); err == nil || !strings.Contains(err.Error(), "nested more than 500 levels") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFeedsOfThisMachineAreRefused(t *testing.T) {
	for address, want := range map[string]string{"http://127.0.0.1/feed": "not a public address", "file:///etc/passwd": "not a web address", "feed": "not a web address", "http:///feed": "not a web address"} {
		_, err := toolstest.Call(t, New(toolstest.Client(t, nil)).Tools(), toolstest.Env(t), "read_rss", `{"url":"`+address+`"}`)
		toolstest.CheckError(t, err, want)
	}
}

func TestSitesThatFail(t *testing.T) {
	toolstest.CheckFaults(t, "site.example", func(client *http.Client) (string, error) {
		return toolstest.Call(t, New(client).Tools(), toolstest.Env(t), "read_rss", `{"url":"https://site.example/"}`)
	})
}
