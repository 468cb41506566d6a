package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirected is an inspector for the redirections of one statement.
type redirected struct {
	*inspector
	stmt  *syntax.Stmt
	depth int
}

// redirects inspects a statement's redirections.
func (i *inspector) redirects(stmt *syntax.Stmt, depth int) {
	r := redirected{i, stmt, depth}
	for _, redirect := range stmt.Redirs {
		if redirect.Word != nil && i.speaks(redirect, i.word(redirect.Word)) {
			continue
		}
		switch redirect.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut, syntax.RdrAllClob, syntax.AppAllClob:
			r.output(redirect)
		case syntax.RdrIn:
			r.input(redirect)
		case syntax.Hdoc, syntax.DashHdoc:
			i.opaque("it is fed text")
			r.feed(i.document(redirect))
		case syntax.WordHdoc:
			i.opaque("it is fed text")
			r.feed(i.word(redirect.Word))
		}
	}
}

func (r redirected) output(redirect *syntax.Redirect) {
	target := r.word(redirect.Word)
	if target.Text != "/dev/null" {
		r.opaque("it writes to a file")
	}
	r.checkWrite(target)
	r.noteWrite(target)
	switch redirect.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob:
		if r.printsNothing(r.stmt.Cmd) {
			r.emptied(Part{Words: []Word{{Text: ">"}, target}}, target)
		}
	}
}

// printsNothing reports whether a command is known to have no output, as in "true > x".
func (r *wordReader) printsNothing(command syntax.Command) bool {
	call, ok := command.(*syntax.CallExpr)
	if command == nil || ok && len(call.Args) == 0 {
		return true
	}
	if !ok {
		return false
	}
	part := r.part(call)
	return part.Harmless() || part.Text() == "cat /dev/null" || part.Text() == "echo -n" || part.Text() == "printf "
}

func (a *assessor) speaks(redirect *syntax.Redirect, target Word) bool {
	if !strings.HasPrefix(target.Text, "/dev/tcp/") && !strings.HasPrefix(target.Text, "/dev/udp/") {
		return false
	}
	a.danger(Part{Words: []Word{{Text: redirect.Op.String()}, target}}, "contacts another machine through the shell itself", target.Text)
	return true
}

// input inspects the process substitution in a redirection such as "< <(…)".
func (r redirected) input(redirect *syntax.Redirect) {
	for _, piece := range redirect.Word.Parts {
		if from, ok := piece.(*syntax.ProcSubst); ok {
			for _, part := range r.readers(r.stmt) {
				r.judgeFed(part, from, r.depth)
			}
		}
	}
}

// feed inspects the text of a here document or here string as the input of r.stmt.
func (r redirected) feed(text Word) {
	for _, part := range r.readers(r.stmt) {
		r.generated(part, text)
		r.runs(part, text.Text, r.depth)
	}
}

// document evaluates a here document. It expands nothing if the delimiter is quoted.
func (r *wordReader) document(redirect *syntax.Redirect) (word Word) {
	if redirect.Hdoc == nil {
		return word
	}
	var text strings.Builder
	quoted := false
	for _, part := range redirect.Word.Parts {
		literal, plain := part.(*syntax.Lit)
		quoted = quoted || !plain || strings.ContainsRune(literal.Value, '\\')
	}
	for _, part := range redirect.Hdoc.Parts {
		if literal, ok := part.(*syntax.Lit); ok && quoted {
			text.WriteString(literal.Value)
			continue
		}
		r.piece(part, true, &text, &word)
	}
	r.looked += text.Len() / 16
	word.Text = text.String()
	return word
}

// namesProgram reports whether an option, such as -f of awk and psql, names a file that contains a
// program.
func namesProgram(option string) bool {
	return option == "-f" || option == "--file" || option == "--source" || option == "-init"
}

// files inspects process substitutions in a call's arguments, as in "bash <(curl …)".
func (i *inspector) files(call *syntax.CallExpr, depth int) {
	for n, arg := range call.Args[1:] {
		for _, piece := range arg.Parts {
			from, ok := piece.(*syntax.ProcSubst)
			if !ok || from.Op != syntax.CmdIn {
				continue
			}
			part := i.part(call)
			name := part.Name()
			switch {
			case n > 0 && namesProgram(part.Words[n].Text) && (languageOf(name) == awk || name == "sed" || name == "gsed" || isDatabase(name)), name == "m4":
				i.unclear("%s runs what another command prints", name)
			case name == "source", name == ".":
				i.judgeFed(Part{Words: []Word{{Text: "source"}, {Text: "/dev/stdin"}}}, from, depth)
			case isShell(name), languageOf(name) != noLanguage:
				i.judgeFed(Part{Words: part.Words[:1]}, from, depth)
			case name == "make" || name == "gmake":
				i.judgeFed(Part{Words: []Word{{Text: "make"}, {Text: "-f"}, {Text: "-"}}}, from, depth)
			case behindWrapper(part) != nil:
				if kind, reader := i.reads(Part{Words: behindWrapper(part)[:1]}); kind == shellLines {
					i.judgeFed(reader, from, depth)
				}
			}
		}
	}
}
