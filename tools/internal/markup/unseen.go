package markup

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The code in this file removes hidden text from a page. If more than half of the letters are
// hidden, nothing is removed. Hidden text is usually a menu that a script opens, but it can be an
// instruction for a model. External style sheets and complex selectors are not evaluated.

// mostlyHidden is the note on a page with little visible content. The scrape_page tool runs the
// page's scripts, and these can show the hidden content.
const mostlyHidden = "[Most of this page is invisible in a browser, either until its scripts run or permanently.]"

func dropUnseen(document *html.Node) {
	look := looker{sheet: sheetOf(document)}
	look.lookBelow(document, seen{ink: look.sheet.usual.ink, behind: look.sheet.usual.behind})
	if hidden := countLetters(look.unseen...); hidden > 0 && hidden > countLetters(document)-hidden {
		note := &html.Node{Type: html.ElementNode, DataAtom: atom.P, Data: "p"}
		note.AppendChild(&html.Node{Type: html.TextNode, Data: mostlyHidden})
		at := document
		for node := range document.Descendants() {
			if node.DataAtom == atom.Body {
				at = node
				break
			}
		}
		at.InsertBefore(note, at.FirstChild)
		return
	}
	for _, node := range look.unseen {
		node.Parent.RemoveChild(node)
	}
}

type looker struct {
	sheet  sheet
	unseen []*html.Node
}

func (l *looker) lookBelow(node *html.Node, how seen) {
	for child := range node.ChildNodes() {
		switch {
		case child.Type == html.TextNode:
			if how.hides() && strings.TrimSpace(child.Data) != "" {
				l.unseen = append(l.unseen, child)
			}
		case child.Type == html.ElementNode && !silent(child.DataAtom):
			set := l.sheet.styleOf(child)
			if hiddenByItself(child, set) {
				l.unseen = append(l.unseen, child)
			} else {
				l.lookBelow(child, how.lookIn(child, set))
			}
		}
	}
}

// lookIn returns how text looks inside an element.
func (s seen) lookIn(element *html.Node, set style) seen {
	if size := set["font-size"]; size != "" {
		s.tiny = tiny(size, 1)
	}
	if visibility := set["visibility"]; visibility != "" {
		s.invisible = visibility == "hidden" || visibility == "collapse"
	}
	s.behind = cmp.Or(background(element, set), s.behind)
	s.ink = cmp.Or(ink(element, set), s.ink)
	return s
}

func (s seen) hides() bool {
	return s.tiny || s.invisible || s.ink == clear || s.ink != "" && similar(s.ink, s.behind)
}

// countLetters counts the characters in the nodes' text. It skips scripts and other [silent]
// elements.
func countLetters(nodes ...*html.Node) (count int) {
	var add func(*html.Node)
	add = func(node *html.Node) {
		if node.Type == html.TextNode {
			count += utf8.RuneCountInString(strings.Join(strings.Fields(node.Data), " "))
		}
		if node.Type == html.ElementNode && silent(node.DataAtom) {
			return
		}
		for child := range node.ChildNodes() {
			add(child)
		}
	}
	for _, node := range nodes {
		add(node)
	}
	return count
}

func hiddenByItself(node *html.Node, set style) bool {
	if attribute(node, "hidden") != nil && set["display"] == "" {
		return true
	}
	if aria := attribute(node, "aria-hidden"); aria != nil && strings.EqualFold(*aria, "true") && !formula(node) {
		return true
	}
	return set.hides()
}

// formula returns true if a node is the visible part of a formula. The MathML for screen readers
// precedes this part.
func formula(node *html.Node) bool {
	for before := node.PrevSibling; before != nil; before = before.PrevSibling {
		if before.DataAtom == atom.Math {
			return true
		}
		for inside := range before.Descendants() {
			if inside.DataAtom == atom.Math {
				return true
			}
		}
	}
	return false
}

// far is a distance in pixels. An element with a negative offset of at least this size is off the
// screen.
const far = 999

// hides is true if a style makes an element and all of its content invisible.
func (s style) hides() bool {
	switch {
	case s["display"] == "none", s["content-visibility"] == "hidden":
		return true
	case tiny(s["opacity"], 0.05), tiny(inBrackets(s["filter"], "opacity"), 0.05):
		return true
	case strings.Contains(s["transform"], "scale(0)"), farAway(inBrackets(s["transform"], "translate")), tiny(s["zoom"], 0.05):
		return true
	case s["clip"] != "" && s["clip"] != "auto" && emptyClip(s["clip"]), strings.HasPrefix(s["clip-path"], "inset(50%"), strings.HasPrefix(s["clip-path"], "inset(100%"), s["clip-path"] == "circle(0)":
		return true
	case (s["overflow"] == "hidden" || s["overflow"] == "clip") && (tiny(s["height"], 1) || tiny(s["width"], 1) || tiny(s["max-height"], 1) || tiny(s["max-width"], 1)):
		return true
	}
	return slices.ContainsFunc([]string{"left", "top", "right", "bottom", "text-indent", "margin-left", "margin-top", "margin-right", "inset"}, func(property string) bool { return farAway(s[property]) })
}

var number = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-?\d*\.?\d+`) })

// tiny returns true if a length or a percentage is set and does not exceed the limit.
func tiny(value string, limit float64) bool {
	found := number().FindString(value)
	if found == "" || strings.HasPrefix(value, "calc") || strings.Contains(value, "var(") {
		return false
	}
	size, err := strconv.ParseFloat(found, 64)
	if strings.HasSuffix(value, "em") && size > 0.05 || strings.HasSuffix(value, "vw") && size > 0 || strings.HasSuffix(value, "vh") && size > 0 {
		return false // the size depends on a font or a window
	}
	return err == nil && size <= limit && !(strings.HasSuffix(value, "%") && size > 0)
}

func farAway(value string) bool {
	for _, found := range number().FindAllString(value, 4) {
		distance, _ := strconv.ParseFloat(found, 64) // ±Inf if the number is out of range
		switch {
		case strings.HasSuffix(value, "em") && distance <= -far/16:
			return true
		case strings.HasSuffix(value, "%") || strings.HasSuffix(value, "vw") || strings.HasSuffix(value, "vh"):
			return distance <= -200 || distance >= 1000
		case distance <= -far || distance >= 9*far:
			return true
		}
	}
	return false
}

// inBrackets returns the arguments of a CSS function, such as "0" in "opacity(0)". If the function
// is missing, the result is "".
func inBrackets(value, function string) string {
	_, inside, _ := strings.Cut(value, function)
	_, inside, _ = strings.Cut(inside, "(")
	inside, _, _ = strings.Cut(inside, ")")
	return inside
}

func emptyClip(value string) bool {
	for _, found := range number().FindAllString(value, 4) {
		if size, err := strconv.ParseFloat(found, 64); err != nil || size > 1 {
			return false
		}
	}
	return strings.HasPrefix(value, "rect")
}
