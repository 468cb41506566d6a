package view

import (
	"regexp"
	"strings"
)

var (
	fence   = regexp.MustCompile("^ {0,3}(```|~~~)")
	heading = regexp.MustCompile(`^#{1,6} `)
	// marked finds code and bold text inside a line. Code comes first: what is in it
	// is no mark.
	marked = regexp.MustCompile("`[^`]+`|\\*\\*[^*]+\\*\\*")
	// bullet is what continuation rows of a list item are indented by.
	bullet = regexp.MustCompile(`^\s*(?:[-*+]|\d{1,3}[.)]) `)
)

// markdown lays out one line of an answer.
func markdown(text string, state rowState, width int) ([]Line, rowState) {
	if mark := fence.FindStringSubmatch(text); mark != nil && (state.fence == "" || state.fence == mark[1]) {
		if state.fence == "" {
			state.fence = mark[1]
		} else {
			state.fence = ""
		}
		return Fold(Line{{Faint, text}}, width), state
	}
	switch {
	case state.fence != "":
		return Fold(Line{{Code, text}}, width), state
	case heading.MatchString(text):
		return Wrap(Line{{Heading, text}}, width), state
	}
	return item(text, width), state
}

// item lays out a paragraph or an item of a list, whose rows hang behind its bullet.
func item(text string, width int) []Line {
	indent := len(bullet.FindString(text))
	if indent == 0 || indent > width/2 {
		return Wrap(inline(text), width)
	}
	rows := Wrap(inline(text[indent:]), width-indent)
	for i := range rows {
		margin := Span{Plain, strings.Repeat(" ", indent)}
		if i == 0 {
			margin.Text = text[:indent]
		}
		rows[i] = append(Line{margin}, rows[i]...)
	}
	return rows
}

// inline marks code and bold text; the marks of bold text are dropped, those of code
// stay, since without colour nothing else tells where code begins.
func inline(text string) Line {
	var line Line
	for text != "" {
		at := marked.FindStringIndex(text)
		if at == nil {
			return append(line, Span{Plain, text})
		}
		if at[0] > 0 {
			line = append(line, Span{Plain, text[:at[0]]})
		}
		if found := text[at[0]:at[1]]; found[0] == '`' {
			line = append(line, Span{Code, found})
		} else {
			line = append(line, Span{Strong, found[2 : len(found)-2]})
		}
		text = text[at[1]:]
	}
	return line
}
