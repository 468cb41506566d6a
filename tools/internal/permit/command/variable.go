package command

import (
	"maps"
	"math"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// variable is a shell variable whose value is known from the line.
type variable struct {
	value       string
	glob        bool // the value contains a file pattern
	from, until uint // the offsets between which the value is valid
}

type variables struct {
	values   map[string]variable // the variables with a literal value
	changing map[string]bool     // variables whose value is uncertain
	assigned map[string][]string // all literal values assigned anywhere
	exported map[string]bool     // variables that child shells see
	ifs      string              // the characters that the line assigns to IFS
	end      uint                // the offset of the end of the line
}

func newVariables() variables {
	return variables{values: map[string]variable{}, changing: map[string]bool{}, assigned: map[string][]string{}, exported: map[string]bool{}}
}

// parameter returns the value of a shell variable if the line assigns the variable, or if the
// [Place] determines its value. For any other variable it returns [Hole].
func (r *wordReader) parameter(parameter *syntax.ParamExp) (value string, glob bool) {
	plain := !parameter.Excl && !parameter.Length && !parameter.Width && parameter.Index == nil &&
		parameter.Slice == nil && parameter.Repl == nil && parameter.Names == 0 && parameter.Param != nil
	// ${x:?} expands to the value of x, or makes the shell exit if x is empty.
	guarded := parameter.Exp != nil && (parameter.Exp.Op == syntax.ErrorUnset || parameter.Exp.Op == syntax.ErrorUnsetOrNull)
	if !plain || parameter.Exp != nil && !guarded {
		return Hole, false
	}
	name := parameter.Param.Value
	if r.changing[name] {
		return Hole, false
	}
	if known, ok := r.values[name]; ok {
		if at := parameter.Pos().Offset(); at < known.from || at >= known.until {
			return Hole, false
		}
		return known.value, known.glob
	}
	switch {
	case name == "HOME" && r.place.Home != "":
		return r.place.Home, false
	case name == "PWD" && len(r.dirs) == 1 && !r.lost:
		return r.place.Dir, false
	case name == "TMPDIR" && r.place.Temp:
		return "/tmp", false
	case name == "PPID": // the process ID of the shell's parent
		return "$PPID", false
	case name == "IFS":
		return parting, false
	}
	return Hole, false
}

// split replaces each separator in an unquoted value with a mark; see parting.
func (v *variables) split(value string) string {
	if v.changing["IFS"] && value != parting {
		return Hole // the positions are unknown
	}
	if value == "" {
		return parting
	}
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '\t' || r == '\n' || strings.ContainsRune(v.ifs, r) {
			return rune(parting[0])
		}
		return r
	}, value)
}

// makesDirectory reports whether a substitution runs mktemp -d to create a private directory.
func (r *wordReader) makesDirectory(runs *syntax.CmdSubst) bool {
	if runs == nil || len(runs.Stmts) != 1 {
		return false
	}
	call, ok := runs.Stmts[0].Cmd.(*syntax.CallExpr)
	if !ok || len(call.Assigns) > 0 {
		return false
	}
	part := r.part(call)
	if part.Name() != "mktemp" || oneOf(part.Words, "-d", "--directory", "-td", "-qd") == "" {
		return false
	}
	return !slices.ContainsFunc(part.Words[1:], func(w Word) bool {
		return w.unknown() || strings.Contains(w.Text, "/") || strings.HasPrefix(w.Text, "-p") || strings.HasPrefix(w.Text, "--tmpdir")
	})
}

// eachTime inspects a loop's body once for each value of the loop's variable. It returns false if
// these values are unknown.
func (i *inspector) eachTime(loop *syntax.ForClause, depth int) bool {
	each, ok := loop.Loop.(*syntax.WordIter)
	if !ok {
		return false
	}
	name := each.Name.Value
	before, known := i.values[name]
	if !known || i.changing[name] || before.from <= before.until {
		return false
	}
	for _, item := range each.Items {
		word := i.word(item)
		i.values[name] = variable{value: word.Text, glob: word.Glob, until: loop.End().Offset()}
		for _, stmt := range loop.Do {
			i.inspect(stmt, depth)
		}
	}
	i.values[name] = before
	return true
}

// inherited returns the variables that a child shell sees, and the names of the variables with
// uncertain values. A value is uncertain if a branch or a subshell could have changed it.
func (v *variables) inherited() (values map[string]variable, changing map[string]bool) {
	values, changing = map[string]variable{}, maps.Clone(v.changing)
	for name, known := range v.values {
		switch seen := v.exported[name] || name == "HOME" || name == "PWD" || name == "TMPDIR"; {
		case seen && known.until < v.end:
			changing[name] = true
		case seen:
			values[name] = variable{value: known.value, until: math.MaxUint}
		}
	}
	return values, changing
}

// candidates inspects a command whose name contains a variable of uncertain value. It tries each
// value that the line assigns to the variable.
func (i *inspector) candidates(call *syntax.CallExpr, depth int) {
	for _, piece := range call.Args[0].Parts {
		parameter, ok := piece.(*syntax.ParamExp)
		if !ok || parameter.Param == nil {
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
			i.withoutSyntaxErrors(func() { i.command(Part{Words: words}, depth) })
		}
		i.values[name], i.changing[name] = before, changing
	}
}

// coprocess inspects a coprocess that seems to have a name. In "coproc rm -rf x | cat", the parser
// mistakes "rm" for the name.
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
