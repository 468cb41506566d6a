package permit

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hole marks unknown text, known only when the line runs.
const hole = "\x00"

// unknownValue is a hole in a script inside the line, as an unset variable.
const unknownValue = "${__}"

// anyWord marks letters that only file names decide.
const anyWord = "\x03"

// parting marks where the value of a variable splits a word.
const parting = "\x01"

// Word is one word of a command.
type Word struct {
	text  string // with holes
	glob  bool   // has a pattern that is not quoted
	tilde bool   // begins with a ~ that is not quoted
	fed   bool   // it is what xargs reads
	pipe  bool   // it is <(…)
	runs  *syntax.CmdSubst
}

func (w Word) unknown() bool { return strings.Contains(w.text, hole) }

// name is the program of a part without its path, "" if that is not known.
func (p Part) name() string {
	if len(p.Words) == 0 || p.Words[0].unknown() || p.Words[0].glob || p.Words[0].text == "" {
		return ""
	}
	return path.Base(p.Words[0].text)
}

// wordReader reads words as the shell would, as far as they can be known.
type wordReader struct {
	*effort
	*whereabouts
	variables
	subscripts bool // some text in quotes is what arithmetic would run: a[$(…)]
}

// word reads a word as the shell would, as far as it can be known.
func (r *wordReader) word(word *syntax.Word) Word {
	w := r.parted(word)
	w.text = strings.ReplaceAll(w.text, parting, " ")
	return w
}

// parted is a word with marks where it becomes several.
func (r *wordReader) parted(word *syntax.Word) Word {
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
	w.text = text.String()
	if w.text == "[" { // the command
		w.glob = false
	}
	if strings.ContainsRune(w.text, '[') && subscripted().MatchString(w.text) {
		r.subscripts = true
	}
	r.looked += len(w.text) / 16
	return w
}

// words reads the words of a command. The value of a variable without quotes may be
// several of them.
func (r *wordReader) words(args []*syntax.Word) []Word {
	words := make([]Word, 0, len(args))
	for _, arg := range unbraced(args) {
		if r.tired() {
			return append(words, Word{text: hole})
		}
		word := r.parted(arg)
		if !strings.Contains(word.text, parting) {
			words = append(words, word)
			continue
		}
		for field := range strings.SplitSeq(word.text, parting) { // nothing is no word
			if r.looked++; field != "" {
				words = append(words, Word{text: field, glob: word.glob || strings.ContainsAny(field, "*?["), tilde: strings.HasPrefix(field, "~"), runs: word.runs})
			}
		}
	}
	if len(words) == 0 {
		return []Word{{}}
	}
	return words
}

// piece reads a part of a word.
func (r *wordReader) piece(part syntax.WordPart, quoted bool, text *strings.Builder, w *Word) {
	switch part := part.(type) {
	case *syntax.Lit:
		r.literal(part.Value, quoted, text, w)
	case *syntax.SglQuoted:
		if part.Dollar && strings.ContainsRune(part.Value, '\\') {
			text.WriteString(strings.ReplaceAll(ansi(part.Value, quotes), parting, "\x02"))
			return
		}
		text.WriteString(part.Value)
	case *syntax.DblQuoted:
		for _, inner := range part.Parts {
			r.piece(inner, true, text, w)
		}
	case *syntax.ParamExp:
		value, glob := r.parameter(part)
		if w.glob = w.glob || glob; !quoted {
			value = r.split(value)
		}
		text.WriteString(value)
	case *syntax.CmdSubst:
		w.runs = part
		text.WriteString(hole)
	case *syntax.ExtGlob:
		w.glob = true
		text.WriteString(part.Pattern.Value)
	case *syntax.ProcSubst:
		w.pipe = part.Op == syntax.CmdIn && text.Len() == 0
		text.WriteString(hole)
	default: // arithmetic
		text.WriteString(hole)
	}
}

// literal reads unquoted text, or text in double quotes.
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
			w.glob = true
			text.WriteByte(c)
		case c == '{':
			braces++
			text.WriteByte(c)
		case braces > 0 && (c == ',' || c == '.' && strings.HasPrefix(value[n:], "..")):
			text.WriteString(hole) // {a,b} is two words
		default:
			text.WriteByte(c)
		}
	}
}
