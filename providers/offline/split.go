package offline

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// token is part of a request: a word, a number, a punctuation mark or quoted text.
type token struct {
	text       string // the text as written, without quotes
	folded     string // the text in lower case and without "'s", for comparisons
	start, end int    // position in the request, including quotes
	quoted     bool
	request    *string
}

// maxTokens is the number of tokens after which a request is no longer divided. The rest, such as
// the body of a long note, becomes one token.
const maxTokens = 200

var (
	rangeOfNumbers = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^(\d+)(-|–|\.\.)(\d+)$`) })
	numberAndUnit  = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([-+]?\d+(?:\.\d+)?)([\p{L}°µ]+)$`) })
)

const marks = ",.;:!?()…"

// split divides a request into tokens. "10-20" becomes three tokens, "12km" becomes two, and quoted
// text becomes one.
func split(request string) []token {
	s := splitter{request: request}
	for s.at < len(request) && len(s.tokens) < maxTokens {
		r, size := utf8.DecodeRuneInString(request[s.at:])
		switch {
		case unicode.IsSpace(r):
			s.at += size
		case s.takeQuoted(r, size):
		default:
			s.word()
		}
	}
	if rest := strings.TrimSpace(request[s.at:]); rest != "" {
		s.add(len(request)-len(strings.TrimLeftFunc(request[s.at:], unicode.IsSpace)), len(strings.TrimRightFunc(request, unicode.IsSpace)))
	}
	return s.tokens
}

type splitter struct {
	request string
	at      int
	tokens  []token
}

func (s *splitter) add(start, end int) {
	text := s.request[start:end]
	s.tokens = append(s.tokens, token{text: text, folded: strings.ToLower(text), start: start, end: end, request: &s.request})
}

var closing = map[rune]string{'"': `"`, '\'': "'", '`': "`", '“': "”", '‘': "’", '«': "»"}

// takeQuoted adds quoted text as one token. A space, a punctuation mark or the end of the request
// must follow the closing quote.
func (s *splitter) takeQuoted(r rune, size int) bool {
	quote, ok := closing[r]
	if !ok {
		return false
	}
	inner := s.request[s.at+size:]
	for from := 0; ; {
		i := strings.Index(inner[from:], quote)
		if i < 0 {
			return false
		}
		i += from
		after, _ := utf8.DecodeRuneInString(inner[i+len(quote):])
		if i > 0 && (after == utf8.RuneError || unicode.IsSpace(after) || strings.ContainsRune(marks, after)) {
			start := s.at
			s.at += size + i + len(quote)
			s.tokens = append(s.tokens, token{text: inner[:i], folded: strings.ToLower(inner[:i]), start: start, end: s.at, quoted: true, request: &s.request})
			return true
		}
		from = i + len(quote)
	}
}

// word consumes text up to the next space and appends the tokens. Leading parentheses and trailing
// punctuation marks become separate tokens.
func (s *splitter) word() {
	start, end := s.at, len(s.request)
	if i := strings.IndexFunc(s.request[start:], unicode.IsSpace); i >= 0 {
		end = start + i
	}
	s.at = end
	text := s.request[start:end]
	body := strings.TrimRight(text, marks)
	for open := brackets(body); open > 0 && strings.HasPrefix(text[len(body):], ")"); open-- {
		body = text[:len(body)+1] // keep the closing parenthesis of "print(1)"
	}
	if strings.HasSuffix(body, "/") {
		body = text // "./..." names packages
	}
	if body == "" || strings.Trim(text, ".") == "" { // "..." or "." or "?"
		s.add(start, end)
		return
	}
	for body != "" && body[0] == '(' {
		s.add(start, start+1)
		start, body = start+1, body[1:]
	}
	s.parts(start, body)
	for i, mark := range s.request[start+len(body) : end] {
		s.add(start+len(body)+i, start+len(body)+i+utf8.RuneLen(mark))
	}
}

// brackets returns the number of unclosed parentheses in a word. It skips leading parentheses.
func brackets(word string) int {
	inner := strings.TrimLeft(word, "(")
	return strings.Count(inner, "(") - strings.Count(inner, ")")
}

func (s *splitter) parts(start int, body string) {
	if m := rangeOfNumbers().FindStringSubmatchIndex(body); m != nil {
		s.add(start+m[2], start+m[3])
		s.add(start+m[4], start+m[5])
		s.tokens[len(s.tokens)-1].folded = "to"
		s.add(start+m[6], start+m[7])
		return
	}
	if m := numberAndUnit().FindStringSubmatchIndex(body); m != nil {
		s.add(start+m[2], start+m[3])
		s.add(start+m[4], start+m[5])
		return
	}
	if body == "" {
		return
	}
	s.add(start, start+len(body))
	last := &s.tokens[len(s.tokens)-1]
	last.folded = strings.TrimSuffix(strings.TrimSuffix(last.folded, "'s"), "’s")
}

func (t token) mark() bool { return !t.quoted && strings.Trim(t.text, marks) == "" }

func (t token) little() bool { return !t.quoted && littleWords()[t.folded] }

var littleWords = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for word := range strings.FieldsSeq("a an the this that these those it its i me my mine we our us you your he she they is are was were am be been do does did has have had can could will would shall should may might to of in into on at by for from with and or as so there here please now just marvin hey hi hello thanks") {
		set[word] = true
	}
	return set
})

// sameStem reports whether two folded words are equal or differ only in a common ending.
func sameStem(a, b string) bool {
	if a == b {
		return true
	}
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	restA, restB := a[n:], b[n:]
	if n >= 3 && (restA == "" && restB == "s" || restA == "s" && restB == "") {
		return true
	}
	return n >= 4 && endings[restA] && endings[restB]
}

var endings = map[string]bool{"": true, "s": true, "es": true, "e": true, "d": true, "ed": true, "ing": true, "y": true, "ies": true}
