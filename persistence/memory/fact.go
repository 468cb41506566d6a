package memory

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Scope is the subject of a fact: the user, a profile or a repository.
type Scope string

// The scopes.
const (
	User       Scope = "user"
	Profile    Scope = "profile"
	Repository Scope = "repository"
)

// Fact is a statement about the user, a profile or a repository.
type Fact struct {
	Text   string `json:"text"`
	Date   string `json:"date"`   // a date such as 2026-11-28; "" for a line that the user wrote
	Scope  Scope  `json:"scope"`  // the subject
	Source string `json:"source"` // where the user stated the fact; "" for a line that the user wrote
	ID     string `json:"id"`     // derived from the file and the text
	Of     string `json:"of"`     // the name of the profile, or the path of the repository

	in *file // the file that contains the fact
}

// ScopeName returns the name of the scope for messages to the user, such as "profile work".
func (f Fact) ScopeName() string {
	if f.Of == "" {
		return string(f.Scope)
	}
	return string(f.Scope) + " " + f.Of
}

const maxText = 500

// CleanText turns text into one line that can be stored as a fact.
func CleanText(text string) (string, error) {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "�"), func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r)
	}), " ")
	text = strings.TrimSpace(strings.TrimLeft(strings.NewReplacer("<!--", "", "-->", "").Replace(text), "-*+#> "))
	switch {
	case !strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }):
		return "", fmt.Errorf("a fact needs words, such as: My dog is called Rex")
	case len(text) > maxText:
		return "", fmt.Errorf("a fact of %d bytes is too long (the limit is %d); write one short sentence, and keep the rest in a note", len(text), maxText)
	}
	return text, nil
}

// Line formats a fact as a line of a file.
func (f Fact) Line() string {
	papers := strings.TrimPrefix(strings.TrimSuffix(f.Date+" · "+f.Source, " · "), " · ")
	if papers == "" {
		return "- " + f.Text + "\n"
	}
	return "- " + f.Text + " <!-- " + papers + " -->\n"
}

// piece is a part of a file: a fact, or other text.
type piece struct {
	raw  string
	fact *Fact
}

var bulletAt = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$`) })

// parse divides a file into facts and other text. Blank lines, headings, horizontal rules, comments
// and code blocks are not facts. An indented line continues the fact before it.
func parse(in *file, text string) (pieces []piece) {
	scan(text, func(raw string, isFact bool) {
		if !isFact {
			pieces = append(pieces, piece{raw: raw})
			return
		}
		fact := in.parseFact(raw)
		pieces = append(pieces, piece{raw: raw, fact: &fact})
	})
	return pieces
}

// byteOrderMark is written by some editors at the beginning of a file.
const byteOrderMark = "\ufeff"

func scan(text string, each func(raw string, isFact bool)) {
	if strings.HasPrefix(text, byteOrderMark) {
		each(byteOrderMark, false)
		text = text[len(byteOrderMark):]
	}
	fenced, comment, from := false, false, -1 // -1 means no current fact
	flush := func(at int) {
		if from >= 0 {
			each(text[from:at], true)
			from = -1
		}
	}
	for at, end := 0, 0; at < len(text); at = end {
		if end = strings.IndexByte(text[at:], '\n') + 1 + at; end == at {
			end = len(text)
		}
		raw := text[at:end]
		if !fenced && !comment && strings.HasPrefix(raw, "- ") && len(raw) > 3 && raw[2] > ' ' && raw[2] != '-' { // Marvin's own form
			flush(at)
			from = at
			continue
		}
		line := strings.TrimSpace(raw)
		switch {
		case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
			flush(at)
			fenced = !fenced
			each(raw, false)
		case fenced, comment, line == "", line[0] == '#', line[0] == '<', strings.Trim(line, "-*_= ") == "":
			flush(at)
			comment = (comment || strings.HasPrefix(line, "<!--")) && !strings.Contains(line, "-->")
			each(raw, false)
		case raw[0] <= ' ' && from >= 0 && !bullet(line): // the fact continues
		default:
			flush(at)
			from = at
		}
	}
	flush(len(text))
}

// bullet is true if the first line of text begins with a bullet or a number.
func bullet(text string) bool {
	line, _, _ := strings.Cut(text, "\n")
	return bulletAt().MatchString(line)
}

// parseFact parses the first line of a fact and its continuation lines.
func (f *file) parseFact(raw string) Fact {
	text := strings.TrimSpace(raw)
	for i := range len(text) {
		if text[i] < ' ' || text[i] == ' ' && text[i-1] == ' ' {
			text = strings.Join(strings.Fields(text), " ")
			break
		}
	}
	fact := Fact{Scope: f.scope, Of: f.of, in: f}
	if before, isComment := strings.CutSuffix(text, "-->"); isComment {
		at := strings.LastIndexByte(before, '<') // usually the start of the comment
		if at >= 0 && !strings.HasPrefix(before[at:], "<!--") {
			at = strings.LastIndex(before, "<!--")
		}
		if at >= 0 {
			text = strings.TrimSpace(before[:at])
			fact.Date, fact.Source = dateAndSource(strings.TrimSpace(before[at+len("<!--"):]))
		}
	}
	if len(text) > 1 && text[1] == ' ' && strings.IndexByte("-*+", text[0]) >= 0 {
		text = strings.TrimSpace(text[2:])
	} else if text != "" && text[0] <= '9' {
		if found := bulletAt().FindStringSubmatch(text); found != nil {
			text = found[1]
		}
	}
	fact.Text = text
	return fact
}

// dateAndSource returns the date and the source from the comment after a fact.
func dateAndSource(comment string) (date, source string) {
	if len(comment) >= len(time.DateOnly) {
		if day := comment[:len(time.DateOnly)]; day[4] == '-' && day[7] == '-' && day[0] >= '0' && day[0] <= '9' {
			date, comment = comment[:len(time.DateOnly)], comment[len(time.DateOnly):]
		}
	}
	return date, strings.TrimSpace(strings.TrimPrefix(strings.TrimSpace(comment), "·"))
}

// The id of a fact is a hash of the file's path and the fact's text.
func (f *file) name(fact *Fact) string {
	sum := sha256.Sum256([]byte(f.path + "\x00" + strings.ToLower(fact.Text)))
	return "m-" + hex.EncodeToString(sum[:3])
}
