package command

import (
	"slices"
	"strings"
)

// removes assesses calls that can delete directory trees or end processes.
func (r *codeReader) removes(call call) {
	last := call.name[strings.LastIndexByte(call.name, '.')+1:]
	switch last {
	case "rmtree", "rmSync", "rm_rf", "rm_r", "rmtree_r", "remove_tree", "remove_dir", "rimraf", "rimrafSync", "removeSync", "emptyDirSync", "emptyDir", "remove_entry", "remove_entry_secure", "removedirs", "remove_dir_all", "deltree", "RemoveAll", "unlink_recursive", "secure_erase":
	case "rm", "remove":
		if before := strings.TrimSuffix(call.name, last); !slices.Contains([]string{"fs.", "fsp.", "fse.", "promises.", "fs.promises.", "FileUtils.", "fsPromises.", "shell."}, before) {
			return
		}
	case "unlink":
		if !slices.ContainsFunc(call.arguments, func(a []token) bool { return len(a) > 0 && a[0].text == "glob" }) {
			return
		}
	case "kill":
		r.reportKill(call)
		return
	default:
		return
	}
	for _, path := range r.paths(call) {
		if at := r.locate(path); at > inside {
			r.report.Dangers = append(r.report.Dangers, Danger{
				Part: r.part, Why: "deletes everything (" + last + ") " + at.String(), Marks: []string{last, path.Text},
				Try: "Give the literal path, in the working directory, of each file to delete.",
			})
			return
		}
	}
}

// reportKill reports a call such as kill(-1), which ends all processes of the user or the system.
func (r *codeReader) reportKill(call call) {
	if len(call.arguments) == 0 {
		return
	}
	var number strings.Builder
	for _, t := range call.arguments[0] {
		number.WriteString(t.text)
	}
	if number.String() == "-1" || number.String() == "1" {
		r.danger(r.part, "ends all of the user's processes, or shuts the system down", call.name, number.String())
	}
}

// paths determines the possible values of a call's first argument.
func (r *codeReader) paths(call call) []Word {
	if len(call.arguments) == 0 {
		return nil // perhaps a method call on an object that is not a file
	}
	argument := call.arguments[0]
	if len(argument) > 0 && argument[0].kind == sign && argument[0].text == "[" {
		return listedWords(argument)
	}
	return r.possiblePaths(argument, 0)
}

// possiblePaths returns the paths that an expression could evaluate to. Unknown parts are holes. If
// the expression creates a temporary directory, possiblePaths returns nil.
func (r *codeReader) possiblePaths(expression []token, depth int) []Word {
	if len(expression) == 1 && expression[0].kind == nameToken && !strings.Contains(expression[0].text, ".") && depth < 4 {
		return r.assignedValues(expression[0].text, depth)
	}
	path, home, known, temporary := "", false, false, false
	for n, t := range expression {
		switch {
		case t.kind == literal && known && expression[n-1].text == "+": // a continuation of the path
			path += t.text
		case t.kind == literal:
			known = true
			path = join(path, t.text)
		case t.kind != nameToken:
		case names(t, "mkdtemp", "mkdtempSync", "TemporaryDirectory", "mktmpdir", "tempdir"):
			temporary = true
		case names(t, "expanduser", "homedir", "home", "HOME"):
			home = true
		case names(t, "cwd", "getcwd", "pwd", "__dirname", "__file__", "__DIR__"):
			known = true
			path = join(path, ".")
		case names(t, "gettempdir", "tmpdir"):
			known = true
			path = join(path, "/tmp")
		case n+1 < len(expression) && expression[n+1].text == "(": // a function: Path(…)
		default:
			path = join(path, Hole)
		}
	}
	switch {
	case temporary:
		return nil
	case home:
		path = strings.TrimPrefix(path, "HOME")
		return []Word{{Text: "~" + strings.TrimSuffix("/"+strings.TrimLeft(path, "~/"), "/"), tilde: true}}
	case !known && path == "":
		path = Hole
	}
	return []Word{{Text: path, tilde: strings.HasPrefix(path, "~"), Glob: strings.ContainsAny(path, "*?[")}}
}

func names(t token, any ...string) bool { return slices.Contains(any, t.last()) }

// join appends a piece to a path. An absolute piece replaces the path.
func join(before, piece string) string {
	if before == "" || strings.HasPrefix(piece, "/") && len(piece) > 1 && !strings.HasSuffix(before, Hole) {
		return piece
	}
	return strings.TrimSuffix(before, "/") + "/" + strings.TrimPrefix(piece, "/")
}

// assignedValues returns all values that are assigned to a name anywhere in the program.
func (r *codeReader) assignedValues(name string, depth int) (values []Word) {
	if known, ok := r.known[name]; ok {
		return known
	}
	r.known[name] = []Word{{Text: Hole}} // in case the name depends on itself
	if r.looked += len(r.list) / 16; r.tired() {
		return r.known[name]
	}
	defer func() { r.known[name] = values }()
	found := false
	for n := range r.list {
		if r.list[n].kind != nameToken || r.list[n].text != name || len(values) > 100 {
			continue
		}
		r.looked++
		switch {
		case r.is(n+1, "=") && !r.is(n+2, "="):
			found = true
			values = append(values, r.possiblePaths(r.expression(n+2), depth+1)...)
		case r.name(n+1) == "in" || r.name(n+1) == "of":
			found = true
			expression := r.expression(n + 2)
			if len(expression) > 0 && expression[0].kind == sign && strings.Contains("[(", expression[0].text) {
				values = append(values, listedWords(expression)...)
				continue
			}
			for _, value := range r.possiblePaths(expression, depth+1) {
				value.Text, value.Glob = anyPathBelow(strings.TrimSuffix(value.Text, "*"), "found"), false
				values = append(values, value)
			}
		case r.name(n-1) == "as": // "with TemporaryDirectory() as name"
			for back := n - 2; back >= 0 && r.list[back].line == r.list[n].line; back-- {
				found = found || names(r.list[back], "TemporaryDirectory")
			}
		}
	}
	if !found || len(values) > 100 || r.tired() {
		return []Word{{Text: Hole}}
	}
	return values
}

// expression returns the tokens from a position to the end of the expression or line.
func (r *codeReader) expression(from int) []token {
	depth, end := 0, from
	for ; end < len(r.list) && end < from+60; end++ {
		t := r.list[end]
		if t.kind == sign && strings.Contains("([{", t.text) {
			depth++
		}
		if t.kind == sign && strings.Contains(")]}", t.text) {
			depth--
		}
		if depth < 0 || depth == 0 && end > from && (t.line > r.list[end-1].line || t.text == ";" || t.text == "," || t.text == ":") {
			break
		}
	}
	r.looked += (end - from) / 4
	return r.list[min(from, len(r.list)):min(end, len(r.list))]
}

// writes inspects the paths in a call that writes, moves or deletes files.
func (r *codeReader) writes(call call) {
	switch last := call.name[strings.LastIndexByte(call.name, '.')+1:]; last {
	case "open":
		if !r.forWriting(call) {
			return
		}
	case "writeFile", "writeFileSync", "appendFile", "appendFileSync", "createWriteStream", "truncateSync", "file_put_contents", "write", "copy", "copyfile", "copy2", "copyFileSync", "cp", "move", "mv", "rename", "replace", "symlink", "symlinkSync",
		"unlink", "unlinkSync", "remove", "removeSync", "truncate", "chmod", "outfile":
	case "write_text", "write_bytes", "touch":
		r.methodWrites(call)
		return
	default:
		return
	}
	for _, argument := range call.arguments {
		r.judgePath(argument)
	}
}

func (r *codeReader) judgePath(argument []token) {
	if len(argument) > 40 {
		return
	}
	for _, path := range r.possiblePaths(argument, 0) {
		path.Text = strings.TrimLeft(path.Text, "+> ") // open(F, ">>/etc/profile")
		if path.Text != "" && !strings.ContainsAny(path.Text, "\n ") {
			r.checkWrite(path)
		}
	}
}

func (r *codeReader) forWriting(call call) bool {
	for n, argument := range call.arguments {
		for k, t := range argument {
			mode := n > 0 && len(t.text) < 12 && strings.ContainsAny(t.text, "wax+>")
			before := k == 0 && strings.HasPrefix(t.text, ">") // the path follows
			if t.kind == literal && (mode || before) {
				return true
			}
		}
	}
	return false
}

// methodWrites judges a method call on a path: Path("…").write_text(…).
func (r *codeReader) methodWrites(call call) {
	begin := call.at - 1
	for begin > 0 && begin > call.at-30 && r.list[begin].line == r.list[call.at].line && !r.is(begin, "=") && !r.is(begin, ";") {
		begin--
	}
	if begin >= 0 && call.at-1 > begin {
		r.judgePath(r.list[begin:call.at])
	} else if name, _, ok := strings.Cut(call.name, "."); ok {
		for _, path := range r.assignedValues(name, 0) {
			if !path.unknown() {
				r.checkWrite(path)
			}
		}
	}
}
