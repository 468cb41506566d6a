package offline

import (
	"regexp"
	"strings"
	"sync"
)

// The functions in this file read file names and addresses.

func readPath(s sentence, words []word) (any, bool) {
	text := s.raw(words)
	return text, words[0].quoted || plainPath().MatchString(text)
}

// plainPath matches text that can only be a path or an address, such as "a/b", "notes.txt" or
// "Makefile".
var plainPath = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(~|\.{0,2}/|[\w.-]+/)[^\s:]*$|^\.?[\w-]+(\.[A-Za-z]\w*)+$|^[\w-]+\.\d$|^(Makefile|Dockerfile|LICENSE|README|CHANGELOG|Gemfile|Rakefile|Procfile)$|^\.[a-z]\w+$|` +
		`^(artifact|agent|history|doc|skill|mcp):\S*$|^\S+\.\w+!/\S*$`) // such as "doc:themes" and "a.zip!/b.txt"
})

func readFile(s sentence, words []word) (any, bool) {
	text := s.raw(words)
	return text, words[0].quoted || !lexicon().isLittle(words[0]) && !words[0].isArticle() && !strings.ContainsAny(text, "*?[:") && !strings.Contains(text, "://")
}

func readGlob(s sentence, words []word) (any, bool) {
	text := s.raw(words)
	return text, strings.ContainsAny(text, "*?") && len(text) > 1
}

var suffixShape = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\.?([a-z][a-z0-9]{0,4})$`) })

// readSuffix reads a file extension and returns a glob: "*.md" for ".md".
func readSuffix(s sentence, words []word) (any, bool) {
	found := suffixShape().FindStringSubmatch(s.raw(words))
	if found == nil {
		return nil, false
	}
	return "*." + found[1], true
}

func readURL(s sentence, words []word) (any, bool) {
	text := s.raw(words)
	return text, strings.HasPrefix(text, "http://") || strings.HasPrefix(text, "https://")
}

// readSite reads a web address that is written without a scheme, such as example.com, and adds
// https://. It accepts only text that cannot be a file name.
func readSite(s sentence, words []word) (any, bool) {
	text := s.raw(words)
	return "https://" + text, siteShape().MatchString(text)
}

var siteShape = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(www\.)?([a-z0-9-]+\.)+(com|org|net|edu|gov|io|dev|de|fr|at|ch|uk|eu|se|info)(/\S*)?$`)
})

// marked is a pattern for "@" and a file name, such as "@docs/guide.md". Front ends insert
// completed file names in this form.
var marked = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(^|[\s(])@([^\s@]*[./][^\s@]*)`) })

// unmarked deletes the "@" before each file name in a request.
func unmarked(request string) string {
	return marked().ReplaceAllString(request, "$1$2")
}
