package command

import (
	"strings"
	"unicode/utf8"

	"marvin/tools/internal/permit/internal/spelling"
)

// token is a dotted name, a literal, or a single character that belongs to neither.
type token struct {
	kind  tokenKind
	text  string // for a literal, the text between the quotes; each interpolated value is a hole
	quote byte   // the opening quote of a literal
	line  int
	end   int // the offset of the end
}

type tokenKind uint8

const (
	sign tokenKind = iota
	nameToken
	literal
)

// tokens splits a program into tokens. Comments and white space are omitted.
func (l language) tokens(code string) (list []token) {
	line := 1
	for n := 0; n < len(code); {
		c := code[n]
		length, before := 1, len(list)
		switch {
		case c == '\n':
			line++
		case c == ' ' || c == '\t' || c == '\r':
		case l.comment(code, n) > 0:
			length = l.comment(code, n)
		case c == '\\' && strings.HasPrefix(code[n+1:], "\n"): // the line continues
		case c == '"' || c == '\'' || c == '`':
			text, whole := l.readLiteral(code[n:], prefix(list, n))
			if whole == 0 {
				list = append(list, token{kind: sign, text: string(c), line: line})
				break
			}
			length = whole
			list = append(list, token{kind: literal, text: text, quote: c, line: line})
		case letter(c):
			for n+length < len(code) && (letter(code[n+length]) || code[n+length] >= '0' && code[n+length] <= '9' || code[n+length] == '.' && n+length+1 < len(code) && letter(code[n+length+1])) {
				length++
			}
			list = append(list, token{kind: nameToken, text: code[n : n+length], line: line})
		default:
			list = append(list, token{kind: sign, text: string(c), line: line})
		}
		n += length
		if len(list) > before {
			list[before].end = n
		}
	}
	return list
}

func letter(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$' || c == '@' || c == Hole[0] || c >= utf8.RuneSelf
}

// comment returns the length of the comment that begins at code[at], or 0 if none begins there.
func (l language) comment(code string, at int) int {
	rest := code[at:]
	begins := strings.HasPrefix(rest, "#") && l != javascript && l != lua ||
		strings.HasPrefix(rest, "//") && l == javascript || strings.HasPrefix(rest, "--") && l == lua
	switch {
	case begins && l == perl && at > 0 && strings.IndexByte(" \t\n;", code[at-1]) < 0:
		return 0 // $#list, s#a#b#
	case begins:
		if end := strings.IndexByte(rest, '\n'); end >= 0 {
			return end
		}
		return len(rest)
	case l == javascript && strings.HasPrefix(rest, "/*"):
		if end := strings.Index(rest, "*/"); end >= 0 {
			return end + 2
		}
	}
	return 0
}

// prefix returns the prefix of a literal. For example, it returns "f" for f"…".
func prefix(list []token, at int) string {
	if len(list) == 0 || list[len(list)-1].end != at || list[len(list)-1].kind != nameToken || len(list[len(list)-1].text) > 2 {
		return ""
	}
	return strings.ToLower(list[len(list)-1].text)
}

// readLiteral reads the literal at the beginning of text. The length is 0 if the literal is not
// terminated.
func (l language) readLiteral(text, prefix string) (content string, length int) {
	quote, width := text[:1], 1
	if l == python && (strings.HasPrefix(text, `"""`) || strings.HasPrefix(text, "'''")) {
		quote, width = text[:3], 3
	}
	overLines := width == 3 || quote == "`" || l == perl || l == otherLanguage
	raw, formatted := false, quote == "`" && l == javascript || quote != "'" && l == perl
	if l == python {
		raw, formatted = strings.Contains(prefix, "r"), strings.Contains(prefix, "f")
	}
	for n := width; n < len(text); n++ {
		switch {
		case text[n] == '\\':
			n++
		case text[n] == '\n' && !overLines:
			return "", 0
		case strings.HasPrefix(text[n:], quote):
			content = text[width:n]
			if !raw {
				content = unescaped(content)
			}
			if formatted {
				content = l.withHoles(content)
			}
			return content, n + width
		}
	}
	return "", 0
}

func unescaped(text string) string {
	if !strings.ContainsRune(text, '\\') {
		return text
	}
	return spelling.Ansi(strings.ReplaceAll(text, "\\\n", ""), spelling.Quotes)
}

// withHoles returns the text of a literal, with a hole in place of each interpolated value.
func (l language) withHoles(text string) string {
	var out strings.Builder
	for n := 0; n < len(text); n++ {
		open := -1
		switch {
		case l == python && text[n] == '{' && !strings.HasPrefix(text[n:], "{{"):
			open = n
		case (text[n] == '$' || text[n] == '#') && strings.HasPrefix(text[n+1:], "{"):
			open = n + 1
		case l == perl && (text[n] == '$' || text[n] == '@') && n+1 < len(text) && letter(text[n+1]):
			for n+1 < len(text) && (letter(text[n+1]) || text[n+1] >= '0' && text[n+1] <= '9') {
				n++
			}
			out.WriteString(Hole)
			continue
		}
		if open < 0 {
			out.WriteByte(text[n])
			continue
		}
		out.WriteString(Hole)
		end := strings.IndexByte(text[open:], '}')
		if end < 0 {
			break
		}
		n = open + end
	}
	return out.String()
}
