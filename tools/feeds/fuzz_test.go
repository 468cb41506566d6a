package feeds

import (
	"testing"

	"marvin/tools/internal/web"
)

func FuzzFeed(f *testing.F) {
	f.Add([]byte(`<?xml version="1.0"?><rss version="2.0"><channel><title>T</title><item><title>A</title><pubDate>Mon, 02 Jan 2006 15:04:05 GMT</pubDate></item></channel></rss>`), "text/xml")
	f.Add([]byte(`<feed xmlns="http://www.w3.org/2005/Atom"><title>T</title><entry><updated>2026-01-01T00:00:00Z</updated></entry></feed>`), "")
	f.Add([]byte(`{"version":"https://jsonfeed.org/version/1.1","title":"T","items":[{"id":1}]}`), "application/feed+json")
	f.Add([]byte("<!DOCTYPE x [<!ENTITY a \"b\">]><rss>&a;\xff\xfe"), "text/xml; charset=utf-16")
	f.Fuzz(func(t *testing.T, body []byte, kind string) {
		feed, err := parse(web.Page{Body: body, Kind: kind})
		if err != nil {
			return
		}
		if title := titleOf(feed); title == "" || len(title) > 1000 {
			t.Errorf("the title is %q", title)
		}
		for _, item := range feed.Items {
			date(item)
		}
	})
}
