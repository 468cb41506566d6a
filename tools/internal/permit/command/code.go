package command

import (
	"slices"
	"strings"
)

// A command's arguments or input can be a program in another language. A codeReader does not
// understand this program, but finds the literals in calls that run commands, or that delete or
// overwrite files. Examples are os.system("…"), execSync(`…`), subprocess.run(["rm", …]),
// rmtree("…") and open("…", "w").

type codeReader struct {
	*inspector
	part     Part
	language language
	list     []token
	depth    int
	runner   bool              // the program could run commands
	known    map[string][]Word // the possible values of each name
}

// code tokenizes a program and inspects its literals and function calls.
func (i *inspector) code(part Part, language language, text string, depth int) {
	if depth > MaxShells {
		i.unclear("it nests programs more than %d levels deep", MaxShells)
		return
	}
	if i.looked += len(text) / 8; i.tired() {
		return
	}
	r := &codeReader{inspector: i, part: part, language: language, list: language.tokens(text), depth: depth, known: map[string][]Word{}}
	r.runner = slices.ContainsFunc(r.list, func(t token) bool {
		return t.kind != literal && runs(t.last()) != cannot || t.kind == literal && runs(t.text) == surely
	}) || language == awk && strings.Contains(text, "|")
	for n := range r.list {
		if i.looked++; i.tired() {
			return
		}
		r.look(n)
	}
	r.codeSends()
	// In these languages, the tokens might not include all literals.
	if r.runner && (language == perl || language == otherLanguage) {
		i.searchUnparsed(part, text)
	}
}

func (t token) last() string { return t.text[strings.LastIndexByte(t.text, '.')+1:] }

func (r *codeReader) look(n int) {
	t := r.list[n]
	switch {
	case t.kind == literal:
		r.literal(n)
	case t.kind != nameToken:
	case r.is(n+1, "(") || r.kind(n+1) == literal || r.language == perl && (r.kind(n+1) == nameToken || r.is(n+1, "[")) || strings.HasSuffix(t.text, "$"):
		call := r.call(n)
		if name := t.last(); runs(name) != cannot {
			r.runsCommand(call, runs(name) == surely)
		}
		if evaluates(t.last()) {
			r.runsCode(call)
		}
		r.removes(call)
		r.writes(call)
	}
}

// literal inspects a literal, which can be a shell command or the name of an output file.
func (r *codeReader) literal(n int) {
	t := r.list[n]
	if strings.Trim(t.text, Hole+" ") == "" {
		return
	}
	switch {
	case t.quote == '`' && (r.language == perl || r.name(n-1) == "$"):
		r.script(t.text, true)
	case r.language == awk && (r.is(n-1, "|") || r.is(n+1, "|")):
		r.script(t.text, false)
	case (r.language == awk || r.language == perl) && r.is(n-1, ">"):
		r.checkWrite(Word{Text: t.text, tilde: strings.HasPrefix(t.text, "~")})
	case r.runner && deadly().MatchString(t.text):
		r.script(t.text, false)
		r.searchUnparsed(r.part, t.text)
	}
}

// script inspects text as a shell line. If certain is false, the text may be something else, so
// syntax errors are ignored.
func (r *codeReader) script(text string, certain bool) {
	text = strings.ReplaceAll(text, Hole, unknownValue)
	r.inProgram(func() {
		if certain {
			r.inspector.script(text, r.depth)
			return
		}
		r.withoutSyntaxErrors(func() { r.inspector.script(text, r.depth) })
	})
}

func (r *codeReader) kind(n int) tokenKind {
	if n < 0 || n >= len(r.list) {
		return sign
	}
	return r.list[n].kind
}

func (r *codeReader) is(n int, text string) bool {
	return n >= 0 && n < len(r.list) && r.list[n].kind == sign && r.list[n].text == text
}

func (r *codeReader) name(n int) string {
	if r.kind(n) != nameToken {
		return ""
	}
	return r.list[n].last()
}

// call is a function call in a program.
type call struct {
	name      string
	at        int       // the position of the name
	arguments [][]token // the tokens between commas
}

// call extracts the function call that begins at token n. Without parentheses, the call ends at a
// semicolon or at the end of the line.
func (r *codeReader) call(n int) call {
	const most = 400 // tokens
	found := call{name: r.list[n].text, at: n}
	closed := r.is(n+1, "(")
	begin, depth := n+1+countOf(closed), 0
	at := begin
	for ; at < len(r.list) && at < begin+most; at++ {
		t := r.list[at]
		if t.kind == sign && strings.Contains("([{", t.text) {
			depth++
		}
		if t.kind == sign && strings.Contains(")]}", t.text) {
			depth--
		}
		if depth < 0 || !closed && (t.line > r.list[n].line && t.kind != literal || depth == 0 && r.is(at, ";")) {
			break
		}
		if depth == 0 && r.is(at, ",") {
			found.arguments = append(found.arguments, r.list[begin:at])
			begin = at + 1
		}
	}
	r.looked += (at - n) / 4
	if at > begin {
		found.arguments = append(found.arguments, r.list[begin:at])
	}
	return found
}
