package browse

import (
	"cmp"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/PuerkitoBio/goquery"
	"golang.org/x/net/html"

	"marvin/tools/internal/show"
)

const maxLinks = 100

// links returns the text and the address of each link on a page. Repeated addresses are omitted.
func links(content *goquery.Selection, base *url.URL) string {
	var lines []string
	seen := map[string]bool{}
	total := 0
	content.Find("a[href]").AddSelection(content.Filter("a[href]")).Each(func(_ int, link *goquery.Selection) {
		target, err := base.Parse(strings.TrimSpace(link.AttrOr("href", "")))
		if err != nil || target.Scheme != "http" && target.Scheme != "https" || seen[target.String()] {
			return
		}
		seen[target.String()] = true
		if total++; total > maxLinks {
			return
		}
		text := cmp.Or(show.Line(link.Text(), 100), show.Line(link.AttrOr("aria-label", link.AttrOr("title", "(no text)")), 100))
		lines = append(lines, text+" → "+show.Line(target.String(), 1000))
	})
	if total == 0 {
		return "There are no links."
	}
	if total > maxLinks {
		lines = append(lines, fmt.Sprintf("[%d more links. Select a part of the page with css_selector.]", total-maxLinks))
	}
	return strings.Join(lines, "\n")
}

// prices is a pattern for amounts with a currency before or after them, and amounts with two
// decimals at the end of a line.
var prices = sync.OnceValue(func() *regexp.Regexp {
	const amount = `\d{1,3}(?:[., ]?\d{3})*(?:[.,]\d{1,2})?`
	return regexp.MustCompile(`(?i)(?:[$€£¥₹₩]|US\$|USD|EUR|GBP|CHF|SEK|NOK|DKK)\s?` + amount +
		`|` + amount + `\s?(?:[$€£¥₹₩]|kr\b|:-|USD\b|EUR\b|GBP\b|CHF\b|SEK\b|NOK\b|DKK\b|zł|Kč|Ft\b|lei\b)` +
		`|\b\d{1,3}[.,]\d{2}$`)
})

// menu returns the prices in text, each with the name of its dish. The name is the rest of the
// price's line or, if that is empty, up to two preceding lines.
func menu(text string) string {
	var items []string
	var before []string // lines since the last line with a price
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		found := prices().FindAllString(line, 4)
		if len(found) == 0 {
			if line != "" {
				before = append(before, line)
			}
			continue
		}
		name := cmp.Or(strings.Trim(prices().ReplaceAllString(line, ""), " .…·–—-:|*\t/"), strings.Join(before[max(0, len(before)-2):], " – "), "(no name)")
		items = append(items, show.Line(name, 200)+": "+show.Line(strings.Join(found, " / "), 80))
		before = nil
	}
	if len(items) == 0 {
		return "No prices were found. The text of the page:\n\n" + text
	}
	return strings.Join(items, "\n")
}

func insideAny(nodes []*html.Node, node *html.Node) bool {
	for parent := node.Parent; parent != nil; parent = parent.Parent {
		if slices.Contains(nodes, parent) {
			return true
		}
	}
	return false
}
