package markup

import (
	"maps"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// style contains the CSS properties of an element, and their values. The keys are in lower case.
type style map[string]string

// declarations parses CSS declarations. Like a browser, it skips malformed declarations.
func declarations(text string) style {
	set := style{}
	for part := range strings.SplitSeq(text, ";") {
		property, value, ok := strings.Cut(part, ":")
		value, _, _ = strings.Cut(strings.ToLower(value), "!")
		if property = strings.ToLower(strings.TrimSpace(property)); ok && property != "" {
			set[property] = strings.TrimSpace(value)
		}
	}
	return set
}

// rule is a rule of a style sheet, for one simple selector.
type rule struct {
	tag, id string
	classes []string
	set     style
}

// sheet contains the style rules of a page. The key of a rule is its "#id", or else its first
// ".class", or else its "tag".
type sheet struct {
	rules map[string][]rule
	usual seen // the default colors; "" for a color that a style sheet could set
}

// mostStyle is the maximum number of bytes read from the style sheets of a page.
const mostStyle = 1 << 20

// sheetOf reads the style elements of a page.
func sheetOf(document *html.Node) sheet {
	found := sheet{rules: map[string][]rule{}, usual: seen{ink: "000000", behind: "ffffff"}}
	left := mostStyle
	for node := range document.Descendants() {
		switch {
		case node.DataAtom == atom.Link:
			rel := attribute(node, "rel")
			if rel != nil && strings.Contains(strings.ToLower(*rel), "stylesheet") {
				found.usual = seen{}
			}
		case node.DataAtom == atom.Style && node.FirstChild != nil && left > 0:
			text := node.FirstChild.Data
			text = withoutComments(text[:min(len(text), left)])
			left -= len(text)
			if strings.Contains(text, "background") || strings.Contains(text, "@import") {
				found.usual.behind = ""
			}
			if strings.Contains(text, "color") || strings.Contains(text, "@import") {
				found.usual.ink = ""
			}
			found.addRules(text, false)
		}
	}
	return found
}

func withoutComments(text string) string {
	var out strings.Builder
	for {
		before, rest, found := strings.Cut(text, "/*")
		out.WriteString(before)
		if !found {
			return out.String()
		}
		_, text, _ = strings.Cut(rest, "*/")
	}
}

// addRules adds the rules in a style sheet, including those inside @media and similar blocks.
func (s *sheet) addRules(text string, media bool) {
	for {
		head, rest, found := strings.Cut(text, "{")
		if !found {
			return
		}
		if i := strings.LastIndexAny(head, ";}"); i >= 0 {
			head = head[i+1:]
		}
		head = strings.TrimSpace(head)
		end := closingBrace(rest)
		switch {
		case strings.HasPrefix(head, "@") && !media:
			s.addRules(rest[:end], true)
		case !strings.HasPrefix(head, "@"):
			s.add(head, certainProperties(declarations(rest[:end]), media))
		}
		text = rest[min(end+1, len(rest)):]
	}
}

// closingBrace returns the index of the first unmatched closing brace, or len(text).
func closingBrace(text string) int {
	depth := 1
	for i := range len(text) {
		switch text[i] {
		case '{':
			depth++
		case '}':
			if depth--; depth == 0 {
				return i
			}
		}
	}
	return len(text)
}

// add appends a rule for each simple selector in a comma-separated list. A simple selector contains
// only a tag, an id and classes.
func (s *sheet) add(selectors string, set style) {
	for selector := range strings.SplitSeq(selectors, ",") {
		one, key, ok := simple(strings.TrimSpace(selector))
		if !ok || len(s.rules[key]) >= 100 {
			continue
		}
		one.set = set
		s.rules[key] = append(s.rules[key], one)
	}
}

func simple(selector string) (one rule, key string, ok bool) {
	if selector == "" || strings.ContainsAny(selector, " \t\r\n>+~:[]*\\&") {
		return one, "", false
	}
	kind, from := byte(0), 0
	take := func(end int) {
		switch word := selector[from:end]; {
		case word == "":
		case kind == '#':
			one.id = word
		case kind == '.':
			one.classes = append(one.classes, word)
		default:
			one.tag = strings.ToLower(word)
		}
	}
	for i := range len(selector) {
		if c := selector[i]; c == '#' || c == '.' {
			take(i)
			kind, from = c, i+1
		}
	}
	take(len(selector))
	switch {
	case one.id != "":
		key = "#" + one.id
	case len(one.classes) > 0:
		key = "." + one.classes[0]
	default:
		key = one.tag
	}
	return one, key, key != ""
}

// certainProperties returns the declarations of a rule. Inside @media, it omits declarations that
// hide content, because the rule might apply only to small screens.
func certainProperties(set style, media bool) style {
	if media {
		maps.DeleteFunc(set, func(property, value string) bool {
			one := style{property: value}
			return one.hides() || (seen{}).lookIn(&html.Node{}, one).hides()
		})
	}
	return set
}

// styleOf applies the rules for the element's tag, classes and id, in this order, and then its
// style attribute.
func (s *sheet) styleOf(element *html.Node) style {
	merged := style{}
	var classes []string
	if names := attribute(element, "class"); names != nil {
		classes = strings.Fields(*names)
	}
	id := ""
	if named := attribute(element, "id"); named != nil {
		id = *named
	}
	try := func(key string) {
		for _, one := range s.rules[key] {
			if one.fits(element, id, classes) {
				maps.Copy(merged, one.set)
			}
		}
	}
	try(element.Data)
	for _, class := range classes {
		try("." + class)
	}
	if id != "" {
		try("#" + id)
	}
	if own := attribute(element, "style"); own != nil {
		maps.Copy(merged, declarations(*own))
	}
	return merged
}

func (r rule) fits(element *html.Node, id string, classes []string) bool {
	if r.tag != "" && r.tag != element.Data || r.id != "" && r.id != id {
		return false
	}
	for _, wanted := range r.classes {
		found := false
		for _, class := range classes {
			found = found || class == wanted
		}
		if !found {
			return false
		}
	}
	return true
}

// seen contains the visual properties of an element's text. Child elements inherit or override the
// properties.
type seen struct {
	ink, behind     string // colors; "" if unknown
	tiny, invisible bool
}
