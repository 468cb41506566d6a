package command

import (
	"slices"
	"strings"
)

// A certainty says whether a function runs commands.
type certainty uint8

const (
	cannot certainty = iota
	perhaps
	surely
)

// runs decides by a function's name whether the function runs commands. For ambiguous names, the
// result is [perhaps]: "exec" can match a regular expression, and "run" can do anything.
func runs(name string) certainty {
	switch name {
	case "system", "popen", "execSync", "shell_exec", "passthru", "getoutput", "getstatusoutput", "create_subprocess_shell", "qx", "popen2", "popen2e", "popen3", "capture2", "capture2e", "capture3":
		return surely
	case "exec", "run", "call", "check_call", "check_output", "Popen", "spawn", "spawnSync", "execFile", "execFileSync", "execa", "execaSync", "execaCommand", "execaCommandSync", "execute", "system2", "proc_open", "pcntl_exec",
		"execv", "execve", "execvp", "execvpe", "execl", "execle", "execlp", "execlpe", "spawnl", "spawnlp", "spawnv", "spawnvp", "posix_spawn", "posix_spawnp", "create_subprocess_exec",
		"Command", "sh", "bash", "shelljs", "command", "pipeline", "startfile", "doShellScript", "script", "open", "open2", "open3":
		return perhaps
	}
	return cannot
}

// evaluates returns true for functions that run their argument as code in the same language.
func evaluates(name string) bool {
	switch name {
	case "eval", "exec", "Function", "instance_eval", "class_eval", "loadstring", "load", "runInNewContext", "runInThisContext":
		return true
	}
	return false
}

// runsCommand judges the command that a call runs. The arguments are either a shell line, or a
// program and its words.
func (r *codeReader) runsCommand(call call, certain bool) {
	given := sortArguments(call.arguments)
	if len(given.words) == 0 {
		return
	}
	if first := given.words[0]; first[0].kind != sign { // not a list
		if line := joinedText(first); strings.Trim(line, Hole+" ") != "" && call.name != "open" {
			r.script(line, certain)
		}
	}
	r.opensPipes(given.words)
	var words []Word
	for _, argument := range given.words {
		words = append(words, listedWords(argument)...)
	}
	if mode := slices.IndexFunc(words, func(w Word) bool { return w.Text == "-|" || w.Text == "|-" }); mode >= 0 {
		words = words[mode+1:] // Perl's open
	}
	if len(words) > 0 && len(given.instead) > 0 {
		words[0] = Word{Text: joinedText(given.instead)}
	}
	if len(words) > 1 && strings.Trim(words[0].Text, Hole) != "" {
		if words[0].Text == words[1].Text && strings.HasPrefix(call.name[strings.LastIndexByte(call.name, '.')+1:], "exec") {
			words = words[1:] // execlp("rm", "rm", …)
		}
		r.inProgram(func() { r.withoutSyntaxErrors(func() { r.command(Part{Words: words}, r.depth+1) }) })
	}
}

// opensPipes judges arguments that Perl and Ruby run as commands, as in open(F, "ls |").
func (r *codeReader) opensPipes(arguments [][]token) {
	for _, argument := range arguments {
		line := joinedText(argument)
		if pipe, found := strings.CutPrefix(line, "|"); (found || strings.HasSuffix(line, "|")) && strings.Trim(line, "|-") != "" {
			r.script(strings.TrimSuffix(pipe, "|"), false)
		}
	}
}

// joinedText returns the text of an argument, with a hole for each value that is not a literal.
func joinedText(argument []token) string {
	var text strings.Builder
	filled := slices.ContainsFunc(argument, func(t token) bool { return t.text == "%" || strings.HasSuffix(t.text, "format") })
	for n, t := range argument {
		switch {
		case t.kind == literal && filled && n == 0:
			text.WriteString(placeholders.Replace(t.text))
		case t.kind == literal:
			text.WriteString(t.text)
		case t.kind == nameToken && isValue(argument, n):
			text.WriteString(Hole)
		}
	}
	return text.String()
}

// isValue reports whether the name at index n is a variable whose value becomes part of the
// argument's text, and not a function or a method. PHP and Perl join strings with a dot.
func isValue(argument []token, n int) bool {
	sign := func(at int) string {
		if at < 0 || at >= len(argument) {
			return ""
		}
		return argument[at].text
	}
	before, behind := sign(n-1), sign(n+1)
	return len(argument) == 1 || before == "+" || behind == "+" || behind != "(" && (before == "." || behind == ".")
}

var placeholders = strings.NewReplacer("%s", Hole, "%d", Hole, "%r", Hole, "{}", Hole, "{0}", Hole, "{1}", Hole)

// listedWords returns the words in a list, or one word if the argument is a single value.
func listedWords(argument []token) (words []Word) {
	if argument[0].kind == sign && strings.Contains("[(", argument[0].text) {
		argument = argument[1:]
	}
	begin, depth := 0, 0
	flush := func(end int) {
		if item := argument[begin:end]; !named(item) {
			word := Word{Text: joinedText(item)}
			if !slices.ContainsFunc(item, func(t token) bool { return t.kind == literal }) {
				word.Text = Hole
			}
			word.tilde = strings.HasPrefix(word.Text, "~")
			words = append(words, word)
		}
	}
	for n, t := range argument {
		if t.kind != sign {
			continue
		}
		switch {
		case t.text == "," && depth == 0:
			flush(n)
			begin = n + 1
		case strings.Contains("([{", t.text):
			depth++
		case strings.Contains(")]}", t.text):
			if depth--; depth < 0 {
				flush(n)
				return words
			}
		}
	}
	flush(len(argument))
	return words
}

func (r *codeReader) runsCode(call call) {
	if len(call.arguments) == 0 {
		return
	}
	for _, t := range call.arguments[0] { // the first argument contains the code
		switch {
		case t.kind == literal:
			r.code(r.part, r.language, t.text, r.depth+1)
		case brings(t.last()):
			r.danger(r.part, "runs what "+t.last()+" brings", t.last())
			return
		}
	}
}

// brings returns true for functions that fetch or decode text.
func brings(name string) bool {
	switch name {
	case "b64decode", "b32decode", "b16decode", "a85decode", "unhexlify", "fromhex", "decompress", "urlopen", "atob", "fetch", "decode64", "decode_base64", "base64_decode", "gzinflate", "str_rot13":
		return true
	}
	return false
}
