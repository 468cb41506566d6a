package patch

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"marvin/messages/lists"
	"marvin/tools/internal/text"
)

// The functions in this package return errors that wrap these errors and add details.
var (
	ErrNoMatch   = errors.New("the text to replace is not in the file")
	ErrAmbiguous = errors.New("the text to replace occurs more than once")
	ErrEncoding  = errors.New("the file is not UTF-8")
	ErrFormat    = errors.New("not a valid patch")
)

// Result is the content after an edit.
type Result struct {
	Content []byte
	Line    int // the first changed line
	Hunks   int
	Mended  []string // tolerated differences between the patch and the file
}

func (r *Result) mend(what []string) {
	for _, one := range what {
		if !slices.Contains(r.Mended, one) {
			r.Mended = append(r.Mended, one)
		}
	}
}

// Replace replaces the only occurrence of the old text with the new text. Both may have any line
// endings, and the file keeps its own. No character in the new text has a special meaning.
func Replace(content []byte, old, new string) (Result, error) {
	old, new = text.Unix(old), text.Unix(new)
	if old == "" && len(content) == 0 && new != "" {
		return Result{Content: []byte(new), Line: 1, Hunks: 1}, nil // empty text matches an empty file
	}
	if old == "" {
		return Result{}, fmt.Errorf("%w: the text to replace is empty; quote the lines to change", ErrFormat)
	}
	if old == new {
		return Result{}, fmt.Errorf("%w: the new text is the same as the old one (line endings are always kept)", ErrFormat)
	}
	if err := checkEncoding(content, new); err != nil {
		return Result{}, err
	}
	body := strings.TrimPrefix(string(content), text.BOM)
	mark := len(content) - len(body)
	old = strings.TrimPrefix(old, text.BOM)
	seen := text.Unix(body)
	at := allIndexes(seen, old)
	switch {
	case len(at) == 0:
		return replaceMended(content, old, new)
	case len(at) > 1:
		return Result{}, ambiguous(seen, at)
	}
	if err := checkBoundary(seen, at[0]); err != nil {
		return Result{}, err
	}
	start, end, middle := narrow(at[0], old, new)
	from, to := mark+rawOffset(body, start), mark+rawOffset(body, end)
	ending := text.Ending(body)
	if region := string(content[from:to]); strings.Contains(region, "\n") {
		ending = text.Ending(region)
	}
	out := make([]byte, 0, len(content)+len(middle))
	out = append(out, content[:from]...)
	out = append(out, text.WithEnding(middle, ending)...)
	out = append(out, content[to:]...)
	return Result{Content: out, Line: 1 + strings.Count(seen[:start], "\n"), Hunks: 1}, nil
}

func ambiguous(body string, at []int) error {
	lines := lists.Map(at, func(offset int) int { return strings.Count(body[:offset], "\n") })
	lines = slices.Compact(lines)
	return fmt.Errorf("%w: at %s. Quote more lines around it, so that it matches once. %s", ErrAmbiguous, lineNumbers(plusOne(lines)), choices(strings.Split(body, "\n"), lines))
}

// replaceMended replaces text that is only similar to the old text. The two can differ in lookalike
// characters or, if they consist of whole lines, in white space.
func replaceMended(content []byte, old, new string) (Result, error) {
	body := strings.TrimPrefix(string(content), text.BOM)
	out, at, found := replaceAlike(body, old, new)
	switch {
	case len(found) > 1:
		return Result{}, ambiguous(body, found)
	case len(found) == 1:
		mark := string(content[:len(content)-len(body)])
		return Result{Content: []byte(mark + out), Line: 1 + strings.Count(body[:at], "\n"), Hunks: 1, Mended: []string{"characters that look alike"}}, nil
	}
	miss := &miss{reason: ErrNoMatch, hint: explain(text.Unix(body), old, new)}
	hunk := hunkOf(old, new)
	if strings.TrimSpace(old) == "" || !hunk.changes() {
		return Result{}, miss
	}
	result, err := Apply(content, []Hunk{hunk})
	if errors.Is(err, ErrNoMatch) {
		return Result{}, miss
	}
	return result, err
}

// hunkOf returns the hunk that replaces the old text with the new text. Lines that both texts share
// at the beginning and the end become context, so the file keeps its own bytes in these lines.
func hunkOf(old, new string) Hunk {
	if cut, ok := strings.CutSuffix(old, "\n"); ok {
		old, new = cut, strings.TrimSuffix(new, "\n")
		if new == "" {
			return Hunk{Lines: signed(nil, '-', strings.Split(old, "\n"))}
		}
	}
	was, will := strings.Split(old, "\n"), strings.Split(new, "\n")
	head, tail := 0, 0
	for head < min(len(was), len(will)) && was[head] == will[head] {
		head++
	}
	for tail < min(len(was), len(will))-head && was[len(was)-1-tail] == will[len(will)-1-tail] {
		tail++
	}
	lines := signed(nil, ' ', was[:head])
	lines = signed(lines, '-', was[head:len(was)-tail])
	lines = signed(lines, '+', will[head:len(will)-tail])
	return Hunk{Lines: signed(lines, ' ', was[len(was)-tail:])}
}

func signed(lines []HunkLine, sign byte, texts []string) []HunkLine {
	for _, text := range texts {
		lines = append(lines, HunkLine{Kind: sign, Text: text})
	}
	return lines
}

// ReplaceAll replaces all occurrences of the old text with the new text. If two occurrences
// overlap, it replaces only the first.
func ReplaceAll(content []byte, old, new string) (Result, error) {
	old, new = text.Unix(old), text.Unix(new)
	body := strings.TrimPrefix(string(content), text.BOM)
	seen := text.Unix(body)
	if old == "" || old == new || strings.Count(seen, old) < 2 {
		return Replace(content, old, new)
	}
	if err := checkEncoding(content, new); err != nil {
		return Result{}, err
	}
	result := Result{Line: 1 + strings.Count(seen[:strings.Index(seen, old)], "\n")}
	out := append([]byte{}, content[:len(content)-len(body)]...)
	for at, done := 0, 0; ; result.Hunks++ {
		next := strings.Index(seen[at:], old)
		if next < 0 {
			result.Content = append(out, body[done:]...)
			return result, nil
		}
		if err := checkBoundary(seen, at+next); err != nil {
			return Result{}, err
		}
		from := done + rawOffset(body[done:], next)
		to := from + rawOffset(body[from:], len(old))
		ending := text.Ending(body)
		if strings.Contains(body[from:to], "\n") {
			ending = text.Ending(body[from:to])
		}
		out = append(append(out, body[done:from]...), text.WithEnding(new, ending)...)
		at, done = at+next+len(old), to
	}
}

// Append appends text without adding a newline. It converts the text's line endings to those of the
// content.
func Append(content []byte, added string) ([]byte, error) {
	if err := checkEncoding(content, added); err != nil {
		return nil, err
	}
	if len(content) > 0 {
		added = text.WithEnding(added, text.Ending(string(content)))
	}
	return append(content[:len(content):len(content)], added...), nil
}

// maxPlaces limits how many matches of a text are considered.
const maxPlaces = 50

// allIndexes returns the offsets of the old text, including overlapping occurrences: "aaa" contains
// "aa" twice, so "aa" is ambiguous.
func allIndexes(body, old string) []int {
	var found []int
	for from := 0; len(found) < maxPlaces; {
		i := strings.Index(body[from:], old)
		if i < 0 {
			return found
		}
		found = append(found, from+i)
		from += i + 1
	}
	return found
}

// narrow reduces an edit to the part between the common prefix and suffix of the old and new text.
// So line endings outside that part stay unchanged.
func narrow(at int, old, new string) (start, end int, middle string) {
	head := 0
	for head < len(old) && head < len(new) && old[head] == new[head] {
		head++
	}
	tail := 0
	for tail < len(old)-head && tail < len(new)-head && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	return at + head, at + len(old) - tail, new[head : len(new)-tail]
}

// rawOffset converts an offset in text.Unix(body) to an offset in body. For "\r\n" in body, it
// returns the offset of the "\r".
func rawOffset(body string, n int) int {
	i := 0
	for ; n > 0; n-- {
		if body[i] == '\r' && i+1 < len(body) && body[i+1] == '\n' {
			i++
		}
		i++
	}
	return i
}

// checkEncoding returns an error if an edit would add UTF-8 to a file in another encoding.
func checkEncoding(content []byte, added string) error {
	if utf8.Valid(content) || text.ASCII(added) {
		return nil
	}
	return fmt.Errorf("%w (perhaps Latin-1 or GBK), and the new text has characters beyond ASCII: the result would mix two encodings. Convert the file first (iconv), or write only ASCII", ErrEncoding)
}

// checkBoundary returns an error for a match that may begin inside a character, because in GBK and
// Shift-JIS the second byte of a character can look like an ASCII letter.
func checkBoundary(body string, at int) error {
	if at == 0 || body[at-1] < utf8.RuneSelf || utf8.ValidString(body) {
		return nil
	}
	return fmt.Errorf("%w, and the text to replace begins right after a byte that may be the first half of a character. Begin it elsewhere", ErrEncoding)
}

func lineNumbers(numbers []int) string {
	var names []string
	for i, number := range numbers {
		if i == 10 {
			names = append(names, fmt.Sprintf("%d more", len(numbers)-i))
			break
		}
		names = append(names, fmt.Sprint(number))
	}
	word := "lines "
	if len(numbers) == 1 {
		word = "line "
	}
	if len(names) == 1 {
		return word + names[0]
	}
	return word + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}
