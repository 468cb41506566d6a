package permit

import (
	"path"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// hole stands in a text for what is only known when the line runs.
const hole = "\x00"

// unknownValue is a hole in a script within the line, as a variable that nobody sets.
const unknownValue = "${__}"

// Word is one word of a command.
type Word struct {
	text  string // with holes
	glob  bool   // has a pattern that is not quoted
	tilde bool   // begins with a ~ that is not quoted
	runs  *syntax.CmdSubst
}

func (w Word) unknown() bool { return strings.Contains(w.text, hole) }

// name is the program of a part without its path, "" if that is not known.
func (p Part) name() string {
	if len(p.Words) == 0 || p.Words[0].unknown() || p.Words[0].glob {
		return ""
	}
	return path.Base(p.Words[0].text)
}

// word reads a word as the shell would, as far as it can be known.
func (i *inspector) word(word *syntax.Word) Word {
	var w Word
	if i.looked++; word == nil {
		return w
	}
	var text strings.Builder
	for n, part := range word.Parts {
		if literal, ok := part.(*syntax.Lit); ok && n == 0 {
			w.tilde = strings.HasPrefix(literal.Value, "~")
		}
		i.piece(part, false, &text, &w)
	}
	w.text = text.String()
	i.looked += len(w.text) / 16
	return w
}

// words reads the words of a command. The value of a variable without quotes is several.
func (i *inspector) words(args []*syntax.Word) []Word {
	words := make([]Word, 0, len(args))
	for _, arg := range args {
		word := i.word(arg)
		if _, bare := arg.Parts[0].(*syntax.ParamExp); !bare || len(arg.Parts) > 1 || word.unknown() {
			words = append(words, word)
			continue
		}
		if i.tired() {
			return append(words, Word{text: hole})
		}
		for _, field := range strings.Fields(word.text) {
			i.looked++
			words = append(words, Word{text: field, glob: strings.ContainsAny(field, "*?[")})
		}
	}
	return words
}

func (i *inspector) piece(part syntax.WordPart, quoted bool, text *strings.Builder, w *Word) {
	switch part := part.(type) {
	case *syntax.Lit:
		i.literal(part.Value, quoted, text, w)
	case *syntax.SglQuoted:
		if part.Dollar && strings.ContainsRune(part.Value, '\\') {
			text.WriteString(ansi(part.Value))
			return
		}
		text.WriteString(part.Value)
	case *syntax.DblQuoted:
		for _, inner := range part.Parts {
			i.piece(inner, true, text, w)
		}
	case *syntax.ParamExp:
		text.WriteString(i.parameter(part))
	case *syntax.CmdSubst:
		w.runs = part
		text.WriteString(hole)
	case *syntax.ExtGlob:
		w.glob = true
		text.WriteString(part.Pattern.Value)
	default: // arithmetic, process substitution
		text.WriteString(hole)
	}
}

// literal reads unquoted text, or text in double quotes.
func (i *inspector) literal(value string, quoted bool, text *strings.Builder, w *Word) {
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

// parameter is the value of a variable if the line itself, or the place, says it.
func (i *inspector) parameter(parameter *syntax.ParamExp) string {
	plain := !parameter.Excl && !parameter.Length && !parameter.Width && parameter.Index == nil &&
		parameter.Slice == nil && parameter.Repl == nil && parameter.Names == 0 && parameter.Param != nil
	// ${x:?} only ends the line where x is empty.
	guarded := parameter.Exp != nil && (parameter.Exp.Op == syntax.ErrorUnset || parameter.Exp.Op == syntax.ErrorUnsetOrNull)
	if !plain || parameter.Exp != nil && !guarded {
		return hole
	}
	name := parameter.Param.Value
	if value, ok := i.values[name]; ok && !i.changing[name] {
		return value
	}
	if i.changing[name] {
		return hole
	}
	switch name {
	case "HOME":
		if i.place.Home != "" {
			return i.place.Home
		}
	case "PWD":
		if len(i.dirs) == 1 && !i.lost {
			return i.place.Dir
		}
	case "TMPDIR":
		if i.place.Temp {
			return "/tmp"
		}
	}
	return hole
}

// gather reads what a line assigns, and where it goes.
func (i *inspector) gather(file *syntax.File) {
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Assign:
			i.assign(node)
		case *syntax.WordIter:
			i.changing[node.Name.Value] = true
		case *syntax.CStyleLoop:
			i.opaque("it counts")
		case *syntax.CallExpr:
			i.builtin(node)
		}
		return !i.tired()
	})
}

func (i *inspector) assign(assign *syntax.Assign) {
	if assign.Name == nil {
		return
	}
	name := assign.Name.Value
	if name == "CDPATH" {
		i.lost = true
	}
	value := i.word(assign.Value)
	_, again := i.values[name]
	if again || assign.Append || assign.Naked || assign.Index != nil || assign.Array != nil || value.unknown() || value.glob || value.tilde {
		i.changing[name] = true
		return
	}
	i.values[name] = value.text
}

// builtin follows the commands of the shell that change what later words mean.
func (i *inspector) builtin(call *syntax.CallExpr) {
	if len(call.Args) == 0 {
		return
	}
	part := i.part(call)
	args := part.Words[1:]
	switch part.name() {
	case "read", "mapfile", "readarray", "getopts", "unset", "printf", "let":
		for _, arg := range args {
			i.changing[arg.text] = true
		}
	case "cd", "pushd":
		i.goTo(args)
	case "popd":
		i.lost = true
	}
}

// goTo follows a cd. Every place where the line has been counts, as subshells come back.
func (i *inspector) goTo(args []Word) {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") && args[0].text != "-" {
		args = args[1:]
	}
	if len(args) == 0 || args[0].unknown() || args[0].glob || args[0].text == "-" || i.place.Dir == "" {
		i.lost = true
		return
	}
	for _, dir := range i.dirs {
		to := i.absolute(args[0], dir)
		if !i.inside(to) {
			i.lost = true
			return
		}
		i.dirs = append(i.dirs, to)
		if len(i.dirs) > 64 {
			i.lost = true
			return
		}
	}
}
