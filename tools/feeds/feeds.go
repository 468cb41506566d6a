package feeds

import (
	"bytes"
	"cmp"
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/PuerkitoBio/goquery"
	"github.com/mmcdole/gofeed"
	"golang.org/x/net/html/charset"

	"marvin/tools"
	"marvin/tools/internal/markup"
	"marvin/tools/internal/reason"
	"marvin/tools/internal/show"
	"marvin/tools/internal/web"
	"marvin/tools/textfile"
)

// feedLimit is the maximum size of a feed in bytes. The feed of a podcast with many years of
// episodes takes up 5 MB.
const feedLimit = 16 << 20

// Service reads feeds.
type Service struct{ client *http.Client }

// New returns a service.
func New(client *http.Client) Service { return Service{client: client} }

// Tools returns the tools of this category.
func (s Service) Tools() []tools.Tool { return []tools.Tool{s.readTool()} }

type readArgs struct {
	URL string `json:"url" doc:"Address of the feed" alias:"feed,link,address" example:"https://go.dev/blog/feed.atom"`
	Max int    `json:"max_items" doc:"Maximum results" default:"5" min:"1" max:"20" alias:"max_entries,limit,count"`
}

func (s Service) readTool() tools.Tool {
	return tools.New(tools.Def[readArgs]{
		Name: "read_rss",
		Doc:  "Read the newest entries of an RSS or Atom feed.",
		Examples: []string{
			"read the feed {https://go.dev/blog/feed.atom|url}", "what is new in the rss feed {https://go.dev/blog/feed.atom|url}",
			"last {3|max_items} entries of the feed {https://go.dev/blog/feed.atom|url}",
		},
		Pool:  tools.Net,
		Sends: func(_ tools.Env, in readArgs) []tools.Destination { return tools.ToAddress(in.URL) },
		Run:   s.read,
	})
}

func (s Service) read(ctx context.Context, _ tools.Env, in readArgs) (tools.Output, error) {
	address, err := url.Parse(strings.TrimSpace(in.URL))
	if err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https" {
		return tools.Output{}, tools.Advise(fmt.Errorf("%.200q is not a web address", in.URL), "Give a full address that begins with http:// or https://.")
	}
	page, err := web.Get(ctx, s.client, address.String(), feedLimit)
	if err != nil {
		return tools.Output{}, err
	}
	if page.Cut {
		return tools.Output{}, tools.Advise(fmt.Errorf("the feed is larger than %d MiB", feedLimit>>20), "Look for a shorter feed from the same site.")
	}
	if tooDeep(fixDeclaration(page.Body)) {
		return tools.Output{}, tools.Advise(fmt.Errorf("the feed is nested more than %d levels deep", deepestFeed), "Read it with browse_web, or look for another feed.")
	}
	feed, err := parse(page)
	if err != nil {
		return tools.Output{}, noFeed(page, err)
	}
	if len(feed.Items) == 0 {
		return tools.Output{Text: titleOf(feed) + "\n\nThe feed has no entries."}, nil
	}
	var items [][]string
	for _, item := range feed.Items[:min(in.Max, len(feed.Items))] {
		items = append(items, []string{
			cmp.Or(show.Line(markup.Line(item.Title), 200), "(no title)"), date(item),
			show.Line(markup.Line(cmp.Or(item.Description, item.Content)), 200), link(item, page.URL),
		})
	}
	text := titleOf(feed) + "\n\n" + show.List(items)
	if more := len(feed.Items) - len(items); more > 0 {
		text += fmt.Sprintf("\n\n[%d more entries.]", more)
	}
	return tools.Output{Text: text}, nil
}

// deepestFeed is the maximum nesting depth of elements. Feeds that contain whole pages need 40
// levels, and the parser needs 300 bytes per level.
const deepestFeed = 500

// tooDeep reports whether the elements are nested too deeply. It builds no tree. For invalid XML it
// returns false, because the parser rejects such a feed.
func tooDeep(body []byte) bool {
	decoder := xml.NewDecoder(bytes.NewReader(body))
	decoder.Strict = false
	decoder.CharsetReader = charset.NewReaderLabel
	for depth := 0; depth <= deepestFeed; {
		token, err := decoder.RawToken()
		if err != nil {
			return false
		}
		switch token.(type) {
		case xml.StartElement:
			depth++
		case xml.EndElement:
			depth--
		}
	}
	return true
}

// fixDeclaration corrects a wrong encoding in a feed's XML declaration. It converts a UTF-16 feed,
// which it recognizes by the first bytes, to UTF-8. A feed that wrongly declares UTF-16 or UCS-2
// gets a UTF-8 declaration.
func fixDeclaration(body []byte) []byte {
	wide := bytes.HasPrefix(body, []byte("\xff\xfe")) || bytes.HasPrefix(body, []byte("\xfe\xff")) || bytes.HasPrefix(body, []byte("<\x00?\x00")) || bytes.HasPrefix(body, []byte("\x00<\x00?"))
	if wide {
		if text, err := textfile.Decode(body); err == nil {
			body = []byte(text)
		}
	}
	head, rest, ok := bytes.Cut(body, []byte("?>"))
	if !ok || len(head) > 300 || !wide && !bytes.Contains(bytes.ToLower(head), []byte("utf-16")) && !bytes.Contains(bytes.ToLower(head), []byte("ucs-2")) {
		return body
	}
	if at := bytes.Index(head, []byte("encoding=")); at >= 0 {
		head = append(bytes.Clone(head[:at]), `encoding="UTF-8"`...)
	}
	return append(append(head, "?>"...), rest...)
}

// parse parses a feed in its declared encoding. If the feed is not UTF-8 and declares no encoding,
// parse uses the encoding from the server's header.
func parse(page web.Page) (*gofeed.Feed, error) {
	body := fixDeclaration(page.Body)
	if head, _, _ := bytes.Cut(body, []byte("?>")); !utf8.Valid(body) && !bytes.Contains(head[:min(len(head), 200)], []byte("encoding=")) {
		body = []byte(markup.Decode(body, page.Kind))
	} else if !utf8.Valid(body) && declaresUTF8(head) {
		body = repairEncoding(body)
	}
	return gofeed.NewParser().Parse(bytes.NewReader(bytes.TrimLeft(body, " \t\r\n")))
}

func declaresUTF8(head []byte) bool {
	head = bytes.ToLower(head[:min(len(head), 200)])
	return bytes.Contains(head, []byte("utf-8")) || bytes.Contains(head, []byte("utf8"))
}

// repairEncoding repairs a feed that contains invalid UTF-8, because the XML parser would reject
// the feed. If the feed contains no valid multi-byte character, repairEncoding decodes the feed as
// Windows-1252. Otherwise U+FFFD replaces the invalid bytes.
func repairEncoding(body []byte) []byte {
	for rest := body; len(rest) > 0; {
		_, size := utf8.DecodeRune(rest)
		if size > 1 {
			return bytes.ToValidUTF8(body, []byte("\ufffd"))
		}
		rest = rest[size:]
	}
	if text, err := textfile.Decode(body); err == nil {
		return []byte(text)
	}
	return bytes.ToValidUTF8(body, []byte("\ufffd"))
}

// noFeed returns an error that says why a page is not a feed and lists the feeds that the page
// links to.
func noFeed(page web.Page, err error) error {
	document, failed := goquery.NewDocumentFromReader(bytes.NewReader(page.Body))
	if failed != nil {
		document = &goquery.Document{Selection: &goquery.Selection{}}
	}
	var found []string
	document.Find(`link[rel~="alternate"][type="application/rss+xml"], link[rel~="alternate"][type="application/atom+xml"], link[rel~="alternate"][type="application/feed+json"]`).
		Each(func(_ int, link *goquery.Selection) {
			if target, err := page.URL.Parse(link.AttrOr("href", "")); err == nil && len(found) < 5 {
				found = append(found, show.Line(target.String(), 500))
			}
		})
	switch {
	case len(found) > 0:
		return tools.Advise(errors.New("this is a page, not a feed"), "Its feeds: %s", strings.Join(found, ", "))
	case errors.Is(err, gofeed.ErrFeedTypeNotDetected):
		return tools.Advise(errors.New("this is not a feed"), "Read it with browse_web, or check the address.")
	}
	return tools.Advise(reason.Reword(err, "the feed is damaged: it breaks off, or is neither RSS, Atom nor JSON"), "Read it with browse_web, or try again later.")
}

func titleOf(feed *gofeed.Feed) string {
	return cmp.Or(show.Line(markup.Line(feed.Title), 200), "(feed without a title)")
}

func date(item *gofeed.Item) string {
	for _, parsed := range []*time.Time{item.PublishedParsed, item.UpdatedParsed} {
		if parsed != nil {
			return parsed.Format("2006-01-02 15:04 MST")
		}
	}
	return show.Line(cmp.Or(item.Published, item.Updated), 60)
}

// link returns the address of an entry: the link, or else the ID if the ID is an address.
func link(item *gofeed.Item, base *url.URL) string {
	for _, text := range append([]string{item.Link, item.GUID}, item.Links...) {
		target, err := base.Parse(strings.TrimSpace(text))
		if text != "" && err == nil && (target.Scheme == "http" || target.Scheme == "https") && (text != item.GUID || strings.Contains(text, "://")) {
			return show.Line(target.String(), 1000)
		}
	}
	return ""
}
