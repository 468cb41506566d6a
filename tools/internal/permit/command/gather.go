package command

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// gatherer reads the assignments of a line before its commands are judged.
type gatherer struct {
	*findings
	*wordReader
}

// gather collects the line's assignments and directory changes.
func (g gatherer) gather(file *syntax.File) {
	spans := map[*syntax.Assign]uint{}
	recordSpans(file.Stmts, file.End().Offset(), spans)
	g.walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Block:
			recordSpans(node.Stmts, node.End().Offset(), spans)
		case *syntax.Subshell:
			recordSpans(node.Stmts, node.End().Offset(), spans)
		case *syntax.CmdSubst:
			recordSpans(node.Stmts, node.End().Offset(), spans)
		case *syntax.ProcSubst:
			recordSpans(node.Stmts, node.End().Offset(), spans)
		case *syntax.IfClause:
			recordSpans(node.Then, node.End().Offset(), spans)
		case *syntax.WhileClause:
			recordSpans(node.Do, node.End().Offset(), spans)
		case *syntax.ForClause:
			recordSpans(node.Do, node.End().Offset(), spans)
			if each, ok := node.Loop.(*syntax.WordIter); ok && !g.recordList(each) {
				g.changing[each.Name.Value] = true
			}
		case *syntax.CaseItem:
			recordSpans(node.Stmts, node.End().Offset(), spans)
		case *syntax.DeclClause:
			g.declares(node)
		case *syntax.Assign:
			g.assign(node, spans[node])
		case *syntax.CStyleLoop:
			g.opaque("it counts")
		case *syntax.CallExpr:
			g.builtin(node)
		}
		return true
	})
}

// recordSpans records, for each assignment in a list, the position up to which the assignment is
// valid. It skips assignments that are not always executed when the list runs.
func recordSpans(list []*syntax.Stmt, until uint, spans map[*syntax.Assign]uint) {
	for _, stmt := range list {
		if !stmt.Background && !stmt.Coprocess {
			recordStatementSpans(stmt, until, 0, spans)
		}
	}
}

// recordStatementSpans does the work of recordSpans for one statement. Assignments after && are
// valid until the end of the && chain.
func recordStatementSpans(stmt *syntax.Stmt, until, through uint, spans map[*syntax.Assign]uint) {
	switch command := stmt.Cmd.(type) {
	case *syntax.CallExpr:
		if len(command.Args) == 0 {
			for _, assign := range command.Assigns {
				spans[assign] = until
			}
		}
	case *syntax.DeclClause:
		for _, assign := range command.Args {
			spans[assign] = until
		}
	case *syntax.BinaryCmd:
		switch end := stmt.End().Offset(); command.Op {
		case syntax.AndStmt:
			end = max(end, through)
			recordStatementSpans(command.X, until, end, spans)
			recordStatementSpans(command.Y, end, end, spans)
		case syntax.OrStmt:
			recordStatementSpans(command.X, until, 0, spans)
			recordStatementSpans(command.Y, end, 0, spans)
		}
	}
}

// declares interprets a declaration of variables. After export, a variable is visible to other
// shells. Any other declaration without a value, such as local NAME, may hide the known value of a
// variable. The value is then uncertain.
func (g gatherer) declares(clause *syntax.DeclClause) {
	for _, assign := range clause.Args {
		if assign.Name == nil {
			continue
		}
		name := assign.Name.Value
		_, known := g.values[name]
		switch {
		case clause.Variant.Value == "export":
			g.exported[name] = true
		case known && assign.Naked:
			g.changing[name] = true
		}
	}
}

// builtin interprets the shell builtins that change the meaning of later words.
func (g gatherer) builtin(call *syntax.CallExpr) {
	if len(call.Args) == 0 {
		return
	}
	part := g.part(call)
	args := part.Words[1:]
	switch part.Name() {
	case "read", "mapfile", "readarray", "getopts", "unset", "printf", "let":
		for _, arg := range args {
			g.changing[arg.Text] = true
		}
	case "cd", "pushd":
		g.goTo(args)
	case "popd":
		g.lost = true
	}
}

// assign remembers the value of a variable, and the offset at which the value stops being valid. If
// that offset is 0, the value is uncertain everywhere.
func (g gatherer) assign(assign *syntax.Assign, end uint) {
	if assign.Name == nil {
		return
	}
	name := assign.Name.Value
	if name == "CDPATH" {
		g.lost = true
	}
	value := g.word(assign.Value)
	if value.Text == Hole && g.makesDirectory(value.runs) {
		value.Text = fresh
	}
	g.leadsTo(name, value)
	if assign.Value != nil && !value.unknown() && len(g.assigned[name]) < 16 {
		g.assigned[name] = append(g.assigned[name], value.Text)
	}
	if assign.Naked { // a declaration without a value, such as "export NAME"
		return
	}
	_, again := g.values[name]
	if end == 0 && name == "IFS" { // the value applies to one command only, as in "IFS= read"
		return
	}
	if again || end == 0 || assign.Append || assign.Index != nil || assign.Array != nil || value.unknown() || value.Glob || value.tilde {
		g.changing[name] = true
		return
	}
	if name == "IFS" {
		g.ifs += value.Text
	}
	g.values[name] = variable{value: value.Text, from: assign.End().Offset(), until: end}
}

// recordList records a loop variable if all its values are known. Otherwise it returns false.
func (g gatherer) recordList(each *syntax.WordIter) bool {
	const most = 32
	if _, again := g.values[each.Name.Value]; again || len(each.Items) == 0 || len(each.Items) > most {
		return false
	}
	for _, item := range each.Items {
		if word := g.expand(item); word.unknown() || word.tilde || strings.Contains(word.Text, parting) {
			return false
		}
	}
	g.values[each.Name.Value] = variable{until: 0, from: 1} // the value is valid only in the loop
	return true
}
