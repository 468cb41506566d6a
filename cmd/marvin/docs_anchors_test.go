package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// A link into a page leads to a heading of it.
func TestLinksLeadToHeadings(t *testing.T) {
	all := pages(t)
	links := regexp.MustCompile(`\]\(([^)#:]*)#([^)]+)\)`)
	checked := 0
	for name, text := range all {
		for _, link := range links.FindAllStringSubmatch(text, -1) {
			target := name
			if link[1] != "" {
				target = filepath.Join(filepath.Dir(name), link[1])
			}
			if !strings.HasSuffix(target, ".md") {
				continue
			}
			checked++
			if !slices.Contains(headings(page(t, target)), link[2]) {
				t.Errorf("%s links to %s#%s, where there is no such heading", name, target, link[2])
			}
		}
	}
	if checked < 50 {
		t.Errorf("only %d links", checked)
	}
}

// headings returns the headings of a page in the spelling of links.
func headings(text string) (list []string) {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "#") {
			continue
		}
		title := strings.ToLower(strings.TrimSpace(strings.TrimLeft(line, "#")))
		list = append(list, strings.Map(func(r rune) rune {
			switch {
			case r == ' ':
				return '-'
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return r
			}
			return -1
		}, title))
	}
	return list
}
