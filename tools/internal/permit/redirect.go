package permit

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// redirects looks at where output goes and what a command is fed.
func (i *inspector) redirects(stmt *syntax.Stmt, depth int) {
	for _, redirect := range stmt.Redirs {
		if redirect.Word != nil && i.speaks(redirect, i.word(redirect.Word)) {
			continue
		}
		switch redirect.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut, syntax.RdrAllClob, syntax.AppAllClob:
			i.output(stmt, redirect)
		case syntax.RdrIn:
			i.input(stmt, redirect, depth)
		case syntax.Hdoc, syntax.DashHdoc:
			i.opaque("it is fed text")
			i.feed(stmt, i.document(redirect), depth)
		case syntax.WordHdoc:
			i.opaque("it is fed text")
			i.feed(stmt, i.word(redirect.Word), depth)
		}
	}
}

// output is a file that something is written to.
func (i *inspector) output(stmt *syntax.Stmt, redirect *syntax.Redirect) {
	target := i.word(redirect.Word)
	if target.text != "/dev/null" {
		i.opaque("it writes to a file")
	}
	i.written(target)
	switch redirect.Op {
	case syntax.RdrOut, syntax.RdrClob, syntax.RdrAll, syntax.RdrAllClob:
		if i.printsNothing(stmt.Cmd) {
			i.emptied(Part{Words: []Word{{text: ">"}, target}}, target)
		}
	}
}

// printsNothing says whether a command leaves the file empty that its output goes to.
func (i *inspector) printsNothing(command syntax.Command) bool {
	call, ok := command.(*syntax.CallExpr)
	if command == nil || ok && len(call.Args) == 0 {
		return true
	}
	if !ok {
		return false
	}
	part := i.part(call)
	return part.harmless() || part.text() == "cat /dev/null" || part.text() == "echo -n" || part.text() == "printf "
}

func (i *inspector) speaks(redirect *syntax.Redirect, target Word) bool {
	if !strings.HasPrefix(target.text, "/dev/tcp/") && !strings.HasPrefix(target.text, "/dev/udp/") {
		return false
	}
	i.danger(Part{Words: []Word{{text: redirect.Op.String()}, target}}, "speaks with another machine through the shell itself", target.text)
	return true
}

// input is a file that a command reads, which may be what another one prints.
func (i *inspector) input(stmt *syntax.Stmt, redirect *syntax.Redirect, depth int) {
	for _, piece := range redirect.Word.Parts {
		if from, ok := piece.(*syntax.ProcSubst); ok {
			for _, part := range i.readers(stmt) {
				i.fed(part, from, depth)
			}
		}
	}
}

// feed is text in the line itself that a command reads.
func (i *inspector) feed(stmt *syntax.Stmt, text Word, depth int) {
	for _, part := range i.readers(stmt) {
		i.generated(part, text)
		i.runs(part, text.text, depth) // guard: here documents of shells are judged
	}
}

// document is the text of a here document. Where its end is written in quotes it is
// what stands there, else variables and substitutions are replaced.
func (i *inspector) document(redirect *syntax.Redirect) (word Word) {
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
		i.piece(part, true, &text, &word)
	}
	i.looked += text.Len() / 16
	word.text = text.String()
	return word
}

// files looks at process substitutions: bash <(curl …) runs what curl brings.
func (i *inspector) files(call *syntax.CallExpr, depth int) {
	for _, arg := range call.Args[1:] {
		for _, piece := range arg.Parts {
			from, ok := piece.(*syntax.ProcSubst)
			if !ok || from.Op != syntax.CmdIn {
				continue
			}
			part := i.part(call)
			name := part.name()
			switch {
			case name == "source", name == ".":
				i.fed(Part{Words: []Word{{text: "source"}, {text: "/dev/stdin"}}}, from, depth)
			case isShell(name), languageOf(name) != noLanguage:
				i.fed(Part{Words: part.Words[:1]}, from, depth)
			case name == "make" || name == "gmake":
				i.fed(Part{Words: []Word{{text: "make"}, {text: "-f"}, {text: "-"}}}, from, depth)
			case behindWrapper(part) != nil:
				if kind, reader := i.reads(Part{Words: behindWrapper(part)[:1]}); kind == shellLines {
					i.fed(reader, from, depth)
				}
			}
		}
	}
}
