package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"

	"marvin/tools/internal/permit/internal/spelling"
)

// Shells, interpreters and databases run the text that they read from a pipe, a here document or a
// process substitution.

// runs inspects text that a command reads as its input.
func (i *inspector) runs(part Part, text string, depth int) {
	kind, reader := i.reads(part)
	if strings.Contains(text, Hole) && (kind == shellLines || kind == recipes) {
		text = strings.ReplaceAll(text, Hole, unknownValue)
	}
	switch kind {
	case shellLines:
		i.script(text, depth)
	case words:
		i.wordsFor(reader, text, depth)
	case program:
		i.unreadProgram(reader, text)
		i.code(part, languageOf(reader.Name()), text, depth)
	case statements:
		i.database(part, []Word{{Text: text}})
		i.edits(part, text, depth)
	case edits:
		i.unread("%s reads commands that might start programs", reader.Name())
		i.edits(part, text, depth)
	case recipes:
		i.unread("make is fed rules")
		i.makefile(text, depth)
	case streamEdits:
		i.unread("sed is fed a script")
		i.streamEdits(part, text, depth)
	}
}

// wordsFor judges a command such as xargs, which turns its input into words of another command.
func (i *inspector) wordsFor(part Part, text string, depth int) {
	words, args := behindWrapper(part), part.Words[1:]
	fields := strings.Fields(text)
	if i.looked += len(fields) + len(text)/16; len(words) == 0 {
		if part.Name() == "parallel" {
			i.script(text, depth)
		}
		return
	}
	mark, found := placeholder(args), false
	filled := make([]Word, 0, len(words)+len(fields))
	for _, word := range words {
		found = found || strings.Contains(word.Text, mark)
		word.Text = strings.ReplaceAll(word.Text, mark, strings.TrimSpace(text))
		word.tilde = strings.HasPrefix(word.Text, "~")
		filled = append(filled, word)
	}
	if !found && isShell(Part{Words: words}.Name()) { // perhaps the input is a script
		i.withoutSyntaxErrors(func() { i.script(text, depth) })
	}
	if !found {
		for _, field := range fields {
			filled = append(filled, Word{Text: strings.Trim(field, `'"`), tilde: strings.HasPrefix(field, "~")})
		}
	}
	i.withoutSyntaxErrors(func() { i.command(Part{Words: filled}, depth+1) })
}

// pipe invokes i.judgeFed for each command that executes its input from a pipe.
func (i *inspector) pipe(pipe *syntax.BinaryCmd, depth int) {
	if pipe.Op != syntax.Pipe && pipe.Op != syntax.PipeAll {
		return
	}
	for _, part := range i.readers(pipe.Y) {
		i.judgeFed(part, pipe.X, depth)
	}
}

// readers returns the commands in stmt that execute their standard input. If a command runs the
// value of a variable, readers returns "sh" instead, because the value could come from the input.
func (i *inspector) readers(stmt *syntax.Stmt) (parts []Part) {
	i.walk(stmt, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst, *syntax.ProcSubst:
			return false // a substitution does not read from the pipe
		case *syntax.CallExpr:
			if len(node.Args) == 0 {
				break
			}
			part := i.part(node)
			if kind, _ := i.reads(part); kind != data {
				parts = append(parts, part)
			} else if i.runsUnknown(part) {
				parts = append(parts, Part{Words: []Word{{Text: "sh"}}})
			}
		}
		return true
	})
	return parts
}

// runsUnknown reports whether a command is a shell that runs the value of a variable.
func (u *unwrapper) runsUnknown(part Part) bool {
	name := part.Name()
	if name == "" {
		return strings.Trim(part.Words[0].Text, Hole) == ""
	}
	if name != "eval" && !isShell(name) {
		return false
	}
	for _, within := range u.unwrap(part) {
		if within.script != nil && within.script.runs == nil && strings.Trim(within.script.Text, Hole+" ") == "" {
			return true
		}
	}
	return false
}

// judgeFed judges a command that runs the output of another command.
func (i *inspector) judgeFed(part Part, source syntax.Node, depth int) {
	i.opaque(printedRun)
	if kind, _ := i.reads(part); kind != words && kind != data {
		if name := i.fetches(source); name != "" {
			i.danger(part, "runs what "+name+" brings")
		}
	}
	if kind, _ := i.reads(part); kind == shellLines && !i.printsKnown(source) {
		i.unclear("a shell runs what another command prints")
	}
	i.walk(source, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CallExpr:
			for _, text := range i.printedTexts(node) {
				i.runs(part, text, depth)
			}
		case *syntax.Redirect:
			if node.Hdoc != nil {
				i.runs(part, i.document(node).Text, depth)
			} else if node.Op == syntax.WordHdoc {
				i.runs(part, i.word(node.Word).Text, depth)
			}
		}
		return true
	})
}

// printsKnown reports whether every command in a node prints existing text, as echo and cat do.
func (i *inspector) printsKnown(source syntax.Node) bool {
	known := true
	i.walk(source, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.CmdSubst:
			return false
		case *syntax.CallExpr:
			if len(node.Args) == 0 {
				break
			}
			switch i.part(node).Name() {
			case "echo", "printf", "cat", "true", ":", "cd", "curl", "wget": // text from the network is reported separately
			default:
				known = false
			}
		}
		return known
	})
	return known
}

// printedTexts returns the possible outputs of an echo or printf command, or nil if the output is
// unknown. Two outputs are possible, because only some shells interpret escapes.
func (r *wordReader) printedTexts(call *syntax.CallExpr) []string {
	if len(call.Args) == 0 {
		return nil
	}
	source := r.part(call)
	args := source.Words[1:]
	switch source.Name() {
	case "printf":
		if len(args) > 0 && args[0].Text == "--" {
			args = args[1:]
		}
		if len(args) > 0 {
			return []string{formatted(spelling.Ansi(args[0].Text, spelling.Formats), args[1:])}
		}
	case "echo":
		for len(args) > 0 && len(args[0].Text) > 1 && strings.Trim(args[0].Text, "neE") == "-" {
			args = args[1:]
		}
		text := strings.Join(Texts(args), " ")
		if strings.ContainsRune(text, '\\') {
			return []string{text, spelling.Ansi(text, spelling.Echoes)}
		}
		return []string{text}
	}
	return nil
}

// formatted emulates the printf command.
func formatted(format string, args []Word) string {
	var out strings.Builder
	for range 1 + len(args) {
		took := 0
		for n := 0; n < len(format); n++ {
			if format[n] != '%' || n+1 == len(format) {
				out.WriteByte(format[n])
				continue
			}
			for n++; n+1 < len(format) && strings.IndexByte("-+ #0123456789.*", format[n]) >= 0; n++ {
			}
			switch {
			case format[n] == '%':
				out.WriteByte('%')
			case took < len(args) && format[n] == 'b':
				out.WriteString(spelling.Ansi(args[took].Text, spelling.Arguments))
				took++
			case took < len(args):
				out.WriteString(args[took].Text)
				took++
			}
		}
		if args = args[took:]; took == 0 || len(args) == 0 || out.Len() > MaxLine {
			break
		}
	}
	return out.String()
}

// fetches returns the name of the first program that fetches or decodes text, or "".
func (r *wordReader) fetches(node syntax.Node) (name string) {
	r.walk(node, func(node syntax.Node) bool {
		if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 {
			switch found := r.part(call).Name(); found {
			case "curl", "wget", "fetch", "aria2c", "nc", "ncat", "socat", "base64", "base32", "xxd", "openssl", "gpg", "uudecode", "rev", "tr":
				name = found
			}
		}
		return name == ""
	})
	return name
}
