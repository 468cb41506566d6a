package permit

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// gather reads what a line assigns, and where it goes.
func (i *inspector) gather(file *syntax.File) {
	spans := map[*syntax.Assign]uint{}
	holds(file.Stmts, file.End().Offset(), spans)
	i.walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Block:
			holds(node.Stmts, node.End().Offset(), spans)
		case *syntax.Subshell:
			holds(node.Stmts, node.End().Offset(), spans)
		case *syntax.CmdSubst:
			holds(node.Stmts, node.End().Offset(), spans)
		case *syntax.ProcSubst:
			holds(node.Stmts, node.End().Offset(), spans)
		case *syntax.IfClause:
			holds(node.Then, node.End().Offset(), spans)
		case *syntax.WhileClause:
			holds(node.Do, node.End().Offset(), spans)
		case *syntax.ForClause:
			holds(node.Do, node.End().Offset(), spans)
			if each, ok := node.Loop.(*syntax.WordIter); ok && !i.listed(each) {
				i.changing[each.Name.Value] = true
			}
		case *syntax.CaseItem:
			holds(node.Stmts, node.End().Offset(), spans)
		case *syntax.DeclClause:
			i.declares(node)
		case *syntax.Assign:
			i.assign(node, spans[node])
		case *syntax.CStyleLoop:
			i.opaque("it counts")
		case *syntax.CallExpr:
			i.builtin(node)
		}
		return true
	})
}

// holds notes up to where the assignments of a list hold that surely happen if the list
// does.
func holds(list []*syntax.Stmt, until uint, spans map[*syntax.Assign]uint) {
	for _, stmt := range list {
		if !stmt.Background && !stmt.Coprocess {
			happens(stmt, until, spans)
		}
	}
}

func happens(stmt *syntax.Stmt, until uint, spans map[*syntax.Assign]uint) {
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
		if command.Op == syntax.AndStmt || command.Op == syntax.OrStmt {
			happens(command.X, until, spans)
			happens(command.Y, stmt.End().Offset(), spans)
		}
	}
}

// declares notes the variables that other shells see, and those that are another one in
// a function.
func (i *inspector) declares(clause *syntax.DeclClause) {
	for _, assign := range clause.Args {
		if assign.Name == nil {
			continue
		}
		name := assign.Name.Value
		_, known := i.values[name]
		switch {
		case clause.Variant.Value == "export":
			i.exported[name] = true
		case known && assign.Naked:
			i.changing[name] = true
		}
	}
}

// builtin follows the commands of the shell that change what later words mean.
func (i *inspector) builtin(call *syntax.CallExpr) {
	if len(call.Args) == 0 {
		return
	}
	part := i.part(call)
	args := part.Words[1:]
	switch part.name() {
	case "read", "mapfile", "readarray", "getopts", "unset", "printf", "let":
		for _, arg := range args {
			i.changing[arg.text] = true
		}
	case "cd", "pushd":
		i.goTo(args)
	case "popd":
		i.lost = true
	}
}

// goTo follows a cd. Every place where the line has been counts, as subshells come back.
func (i *inspector) goTo(args []Word) {
	for len(args) > 0 && strings.HasPrefix(args[0].text, "-") && args[0].text != "-" {
		args = args[1:]
	}
	if len(args) == 0 || args[0].unknown() || args[0].glob || args[0].text == "-" || i.place.Dir == "" {
		i.lost = true
		return
	}
	for _, dir := range i.dirs {
		to := i.absolute(args[0], dir)
		if !i.inside(to) {
			i.lost = true
			return
		}
		i.dirs = append(i.dirs, to)
		if len(i.dirs) > 64 {
			i.lost = true
			return
		}
	}
}
