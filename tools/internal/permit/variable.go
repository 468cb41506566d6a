package permit

import (
	"math"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// variable is a variable whose value stands in the line.
type variable struct {
	value       string
	glob        bool // the value is a pattern of files
	from, until uint // the part of the line where it has this value
}

// parameter is the value of a variable if the line itself, or the place, says it.
func (i *inspector) parameter(parameter *syntax.ParamExp) (value string, glob bool) {
	plain := !parameter.Excl && !parameter.Length && !parameter.Width && parameter.Index == nil &&
		parameter.Slice == nil && parameter.Repl == nil && parameter.Names == 0 && parameter.Param != nil
	// ${x:?} only ends the line where x is empty.
	guarded := parameter.Exp != nil && (parameter.Exp.Op == syntax.ErrorUnset || parameter.Exp.Op == syntax.ErrorUnsetOrNull)
	if !plain || parameter.Exp != nil && !guarded {
		return hole, false
	}
	name := parameter.Param.Value
	if i.changing[name] {
		return hole, false
	}
	if known, ok := i.values[name]; ok {
		if at := parameter.Pos().Offset(); at < known.from || at > known.until {
			return hole, false
		}
		return known.value, known.glob
	}
	switch {
	case name == "HOME" && i.place.Home != "":
		return i.place.Home, false
	case name == "PWD" && len(i.dirs) == 1 && !i.lost:
		return i.place.Dir, false
	case name == "TMPDIR" && i.place.Temp:
		return "/tmp", false
	case name == "PPID": // of whoever runs the command
		return "$PPID", false
	case name == "IFS":
		return parting, false
	}
	return hole, false
}

// split marks where a value without quotes is parted into words.
func (i *inspector) split(value string) string {
	if i.changing["IFS"] && value != parting {
		return hole // by characters that are not known
	}
	if value == "" {
		return parting
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' || strings.ContainsRune(i.ifs, r) {
			return rune(parting[0])
		}
		return r
	}, value)
}

// assign notes the value of a variable up to where it holds, 0 for nowhere.
func (i *inspector) assign(assign *syntax.Assign, until uint) {
	if assign.Name == nil {
		return
	}
	name := assign.Name.Value
	if name == "CDPATH" {
		i.lost = true
	}
	value := i.word(assign.Value)
	if value.text == hole && i.makesDirectory(value.runs) {
		value.text = fresh
	}
	i.leadsTo(name, value)
	if assign.Value != nil && !value.unknown() && len(i.assigned[name]) < 16 {
		i.assigned[name] = append(i.assigned[name], value.text)
	}
	if assign.Naked { // export NAME, local NAME
		return
	}
	_, again := i.values[name]
	if until == 0 && name == "IFS" { // of one command: IFS= read
		return
	}
	if again || until == 0 || assign.Append || assign.Index != nil || assign.Array != nil || value.unknown() || value.glob || value.tilde {
		i.changing[name] = true
		return
	}
	if name == "IFS" {
		i.ifs += value.text
	}
	i.values[name] = variable{value: value.text, from: assign.End().Offset(), until: until}
}

// makesDirectory says whether a substitution is mktemp -d, which nobody else uses.
func (i *inspector) makesDirectory(runs *syntax.CmdSubst) bool {
	if runs == nil || len(runs.Stmts) != 1 {
		return false
	}
	call, ok := runs.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Args) == 0 || len(call.Assigns) > 0 {
		return false
	}
	part := i.part(call)
	if part.name() != "mktemp" || oneOf(part.Words, "-d", "--directory", "-td", "-qd") == "" {
		return false
	}
	return !slices.ContainsFunc(part.Words[1:], func(w Word) bool {
		return w.unknown() || strings.Contains(w.text, "/") || strings.HasPrefix(w.text, "-p") || strings.HasPrefix(w.text, "--tmpdir")
	})
}

// listed notes a variable that goes through words which all are known.
func (i *inspector) listed(each *syntax.WordIter) bool {
	const most = 32
	if _, again := i.values[each.Name.Value]; again || len(each.Items) == 0 || len(each.Items) > most {
		return false
	}
	for _, item := range each.Items {
		if word := i.parted(item); word.unknown() || word.tilde || strings.Contains(word.text, parting) {
			return false
		}
	}
	i.values[each.Name.Value] = variable{until: 0, from: 1} // nowhere, but in the loop
	return true
}

// eachTime judges a loop once for each word that its variable is.
func (i *inspector) eachTime(loop *syntax.ForClause, depth int) bool {
	each, ok := loop.Loop.(*syntax.WordIter)
	if !ok || len(each.Items) == 0 {
		return false
	}
	name := each.Name.Value
	before, known := i.values[name]
	if !known || i.changing[name] || before.from <= before.until {
		return false
	}
	for _, item := range each.Items {
		word := i.word(item)
		i.values[name] = variable{value: word.text, glob: word.glob, until: loop.End().Offset()}
		for _, stmt := range loop.Do {
			i.inspect(stmt, depth)
		}
	}
	i.values[name] = before
	return true
}

// inherited are the variables that another shell sees.
func (i *inspector) inherited() map[string]variable {
	values := map[string]variable{}
	for name, known := range i.values {
		switch {
		case i.exported[name], name == "HOME", name == "PWD", name == "TMPDIR":
			values[name] = variable{value: known.value, until: math.MaxUint}
		}
	}
	return values
}

// candidates judges a command whose program is in a variable of which it is not known
// when it has which value, with each value that it is given.
func (i *inspector) candidates(call *syntax.CallExpr, depth int) {
	for _, piece := range call.Args[0].Parts {
		parameter, ok := piece.(*syntax.ParamExp)
		if !ok || parameter.Param == nil || len(i.assigned[parameter.Param.Value]) == 0 {
			continue
		}
		name := parameter.Param.Value
		before, known := i.values[name]
		if known && !i.changing[name] {
			continue
		}
		changing := i.changing[name]
		for _, value := range i.assigned[name] {
			i.values[name], i.changing[name] = variable{value: value, until: math.MaxUint}, false
			words := i.words(call.Args)
			i.quietly(func() { i.command(Part{Words: words}, depth) })
		}
		if i.values[name], i.changing[name] = before, changing; !known {
			delete(i.values, name)
		}
	}
}

// coprocess judges coproc rm -rf x, whose first word is read as a name.
func (i *inspector) coprocess(clause *syntax.CoprocClause, depth int) {
	if clause.Name == nil {
		return
	}
	stmt := clause.Stmt
	for stmt != nil {
		switch command := stmt.Cmd.(type) {
		case *syntax.BinaryCmd:
			stmt = command.X
			continue
		case *syntax.CallExpr:
			i.command(Part{Words: append([]Word{i.word(clause.Name)}, i.words(command.Args)...)}, depth)
		}
		return
	}
}
