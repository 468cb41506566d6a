package permit

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// What is fed to a shell, to an interpreter or to a database is what it does: through a
// pipe, from a here document, as a file that is another command's output.

// pipe looks at what reads the end of a pipe.
func (i *inspector) pipe(pipe *syntax.BinaryCmd, depth int) {
	if pipe.Op != syntax.Pipe && pipe.Op != syntax.PipeAll {
		return
	}
	for _, part := range i.readers(pipe.Y) {
		i.fed(part, pipe.X, depth)
	}
}

// readers are the commands at the end of a pipe that run what they read, also within
// braces and parentheses.
func (i *inspector) readers(stmt *syntax.Stmt) (parts []Part) {
	syntax.Walk(stmt, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false // they have another input
		case *syntax.CallExpr:
			if len(node.Args) > 0 {
				if part := i.part(node); i.readsScript(part) || isDatabase(part.name()) {
					parts = append(parts, part)
				}
			}
		}
		return !i.tired()
	})
	return parts
}

// fed looks at what a command prints that another one runs.
func (i *inspector) fed(part Part, source syntax.Node, depth int) {
	i.opaque("it runs what another command prints")
	if name := i.fetches(source); name != "" {
		i.danger(part, "runs what "+name+" brings")
	}
	syntax.Walk(source, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CallExpr:
			if text, ok := i.printed(node); ok {
				i.runs(part, text, depth)
			}
		case *syntax.Redirect:
			if node.Hdoc != nil {
				i.runs(part, i.word(node.Hdoc).text, depth)
			} else if node.Op == syntax.WordHdoc {
				i.runs(part, i.word(node.Word).text, depth)
			}
		}
		return !i.tired()
	})
}

// printed is what echo and printf say, if that is known.
func (i *inspector) printed(call *syntax.CallExpr) (text string, ok bool) {
	if len(call.Args) == 0 {
		return "", false
	}
	source := i.part(call)
	name := source.name()
	if name != "echo" && name != "printf" || !source.literal() {
		return "", false
	}
	text = strings.Join(texts(source.Words[1:]), " ")
	if name == "printf" || len(source.Words) > 1 && strings.HasPrefix(source.Words[1].text, "-") {
		return ansi(strings.ReplaceAll(text, `\n`, "\n")), true
	}
	return strings.ReplaceAll(text, `\n`, "\n"), true
}

// runs judges text that a command is given to run.
func (i *inspector) runs(part Part, text string, depth int) {
	if isDatabase(part.name()) {
		i.database(part, []Word{{text: text}})
		return
	}
	i.line(text, depth+1)
}

// files looks at process substitutions: bash <(curl …) runs what curl brings.
func (i *inspector) files(call *syntax.CallExpr, depth int) {
	part := i.part(call)
	switch part.name() {
	case "bash", "sh", "zsh", "dash", "ksh", "ash", "source", ".", "python", "python3", "perl", "ruby", "node", "php":
	default:
		return
	}
	for _, arg := range call.Args[1:] {
		for _, piece := range arg.Parts {
			if from, ok := piece.(*syntax.ProcSubst); ok && from.Op == syntax.CmdIn {
				i.fed(part, from, depth)
			}
		}
	}
}

// redirects looks at where output goes and what a shell is fed.
func (i *inspector) redirects(stmt *syntax.Stmt, depth int) {
	for _, redirect := range stmt.Redirs {
		if target := i.word(redirect.Word); strings.HasPrefix(target.text, "/dev/tcp/") || strings.HasPrefix(target.text, "/dev/udp/") {
			i.danger(Part{Words: []Word{{text: redirect.Op.String()}, target}}, "speaks with another machine through the shell itself", target.text)
		}
		switch redirect.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.AppClob, syntax.RdrAll, syntax.AppAll, syntax.RdrInOut, syntax.RdrAllClob, syntax.AppAllClob:
			target := i.word(redirect.Word)
			if target.text != "/dev/null" {
				i.opaque("it writes to a file")
			}
			i.written(target)
		case syntax.RdrIn:
			i.input(stmt, redirect, depth)
		case syntax.Hdoc, syntax.DashHdoc, syntax.WordHdoc:
			i.opaque("it is fed text")
			i.document(stmt, redirect, depth)
		}
	}
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

// document is text in the line itself that a command reads.
func (i *inspector) document(stmt *syntax.Stmt, redirect *syntax.Redirect, depth int) {
	call, ok := stmt.Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 {
		return
	}
	part := i.part(call)
	text := redirect.Hdoc
	if redirect.Op == syntax.WordHdoc {
		text = redirect.Word
	}
	if text == nil || !i.readsScript(part) && !isDatabase(part.name()) {
		return
	}
	if script := i.word(text); script.unknown() {
		i.generated(part, script)
		i.runs(part, strings.ReplaceAll(script.text, hole, unknownValue), depth)
	} else {
		i.runs(part, script.text, depth)
	}
}

// fetches names a program below a node that brings text from elsewhere or decodes it.
func (i *inspector) fetches(node syntax.Node) (name string) {
	syntax.Walk(node, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			switch found := i.part(call).name(); found {
			case "curl", "wget", "fetch", "aria2c", "nc", "ncat", "socat", "base64", "base32", "xxd", "openssl", "gpg", "uudecode", "rev", "tr":
				name = found
			}
		}
		return name == "" && !i.tired()
	})
	return name
}
