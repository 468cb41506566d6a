package command

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"marvin/tools/internal/permit/internal/spelling"
)

// Hole represents text that is known only at run time.
const Hole = "\x00"

// unknownValue is the expansion of an unset variable. It replaces each [Hole] in the text of a
// nested script.
const unknownValue = "${__}"

// AnyWord represents a part of a word that depends on which files exist.
const AnyWord = "\x03"

// parting is the mark for a position at which the shell splits an expanded word.
const parting = "\x01"

// Word is one word of a command.
type Word struct {
	Text  string // with holes
	Glob  bool   // whether the text contains an unquoted file pattern
	tilde bool   // whether the text begins with an unquoted ~
	fed   bool   // whether xargs takes the word from its input
	pipe  bool   // is <(…)
	runs  *syntax.CmdSubst
}

func (w Word) unknown() bool { return strings.Contains(w.Text, Hole) }

// Name returns the base name of the program that a part runs, or "" if the name is unknown.
func (p Part) Name() string {
	if len(p.Words) == 0 || p.Words[0].unknown() || p.Words[0].Glob || p.Words[0].Text == "" {
		return ""
	}
	return path.Base(p.Words[0].Text)
}

// wordReader expands words as the shell would. Unknown text becomes a [Hole].
type wordReader struct {
	*effort
	*whereabouts
	variables
	subscripts bool // whether quoted text contains a subscript such as "a[$(…)]"
}

// word expands a word but does not split the result.
func (r *wordReader) word(word *syntax.Word) Word {
	w := r.expand(word)
	w.Text = strings.ReplaceAll(w.Text, parting, " ")
	return w
}

// expand expands a word, and inserts [parting] at each position where the shell splits the word.
func (r *wordReader) expand(word *syntax.Word) Word {
	var w Word
	if r.looked++; word == nil {
		return w
	}
	var text strings.Builder
	for n, part := range word.Parts {
		if literal, ok := part.(*syntax.Lit); ok && n == 0 {
			w.tilde = strings.HasPrefix(literal.Value, "~")
		}
		r.piece(part, false, &text, &w)
	}
	w.Text = text.String()
	if w.Text == "[" { // the command
		w.Glob = false
	}
	if strings.ContainsRune(w.Text, '[') && subscripted().MatchString(w.Text) {
		r.subscripts = true
	}
	r.looked += len(w.Text) / 16
	return w
}

// words returns the words of a command after expansion and splitting.
func (r *wordReader) words(args []*syntax.Word) []Word {
	words := make([]Word, 0, len(args))
	for _, arg := range spelling.ExpandBraces(args) {
		if r.tired() {
			return append(words, Word{Text: Hole})
		}
		word := r.expand(arg)
		if !strings.Contains(word.Text, parting) {
			words = append(words, word)
			continue
		}
		for field := range strings.SplitSeq(word.Text, parting) { // an empty field is not a word
			if r.looked++; field != "" {
				words = append(words, Word{Text: field, Glob: word.Glob || strings.ContainsAny(field, "*?["), tilde: strings.HasPrefix(field, "~"), runs: word.runs})
			}
		}
	}
	if len(words) == 0 {
		return []Word{{}}
	}
	return words
}

func (r *wordReader) piece(part syntax.WordPart, quoted bool, text *strings.Builder, w *Word) {
	switch part := part.(type) {
	case *syntax.Lit:
		r.literal(part.Value, quoted, text, w)
	case *syntax.SglQuoted:
		if part.Dollar && strings.ContainsRune(part.Value, '\\') {
			text.WriteString(strings.ReplaceAll(spelling.Ansi(part.Value, spelling.Quotes), parting, "\x02"))
			return
		}
		text.WriteString(part.Value)
	case *syntax.DblQuoted:
		for _, inner := range part.Parts {
			r.piece(inner, true, text, w)
		}
	case *syntax.ParamExp:
		value, glob := r.parameter(part)
		if w.Glob = w.Glob || glob; !quoted {
			value = r.split(value)
		}
		text.WriteString(value)
	case *syntax.CmdSubst:
		w.runs = part
		text.WriteString(Hole)
	case *syntax.ExtGlob:
		w.Glob = true
		text.WriteString(part.Pattern.Value)
	case *syntax.ProcSubst:
		w.pipe = part.Op == syntax.CmdIn && text.Len() == 0
		text.WriteString(Hole)
	default: // arithmetic
		text.WriteString(Hole)
	}
}

// literal adds the text of a literal part to a word. quoted is true inside double quotes.
func (r *wordReader) literal(value string, quoted bool, text *strings.Builder, w *Word) {
	braces := 0
	for n := 0; n < len(value); n++ {
		c := value[n]
		switch {
		case c == '\\' && n+1 < len(value):
			n++
			switch {
			case value[n] == '\n':
			case quoted && !strings.ContainsRune("$`\"\\", rune(value[n])):
				text.WriteString(value[n-1 : n+1])
			default:
				text.WriteByte(value[n])
			}
		case quoted:
			text.WriteByte(c)
		case c == '*' || c == '?' || c == '[':
			w.Glob = true
			text.WriteByte(c)
		case c == '{':
			braces++
			text.WriteByte(c)
		case braces > 0 && (c == ',' || c == '.' && strings.HasPrefix(value[n:], "..")):
			text.WriteString(Hole) // the shell expands {a,b} and {1..9} to several words
		default:
			text.WriteByte(c)
		}
	}
}
