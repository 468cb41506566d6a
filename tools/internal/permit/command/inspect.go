// Package command analyzes a shell line: its commands, changed files, destinations of data,
// dangers, and parts that cannot be judged.
package command

import (
	"fmt"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// Limits of the analysis. A line that exceeds them needs approval.
const (
	MaxLine     = 64 << 10  // the maximum length of a line, in bytes
	MaxShells   = 12        // the maximum depth of nested shells
	MaxCommands = 2_000     // the maximum number of commands in a line
	mostWord    = 200_000   // the maximum number of examined words; examining so many takes 0.2 s
	mostDanger  = 100       // the maximum number of dangers that are reported separately
	mostNode    = 2_000_000 // the maximum number of visited syntax nodes; visiting so many takes 0.1 s
)

// Inspect analyzes a line for bash.
func Inspect(line string, place Place) Report {
	i := newInspector(place)
	i.inspectLine(line)
	i.endsSought()
	i.laterRun()
	if i.aliases && i.expands {
		i.unclear("it uses \"alias\" to give programs other names")
	}
	if i.counts && i.wordReader.subscripts {
		i.unclear("the subscript of a variable in arithmetic can run commands")
	}
	if i.parts > MaxCommands && i.report.Unclear == "" {
		i.report.Unclear = fmt.Sprintf("it has more than %d commands", MaxCommands)
	}
	if i.tired() && i.report.Unclear == "" {
		i.report.Unclear = "it would take too long"
	}
	i.report.Dangers = withoutRepeats(i.report.Dangers)
	i.report.ReadOnly = i.onlyReads()
	return i.report
}

// inspector examines the commands of a line, including nested commands.
type inspector struct {
	*findings
	*effort
	*whereabouts
	*wordReader
	*assessor
	*unwrapper
	unjudged
	embedded int // nesting depth in programs in other languages
	quiet    int // the number of active calls of withoutSyntaxErrors
}

// unjudged tracks how a line could run text that this package does not examine.
type unjudged struct {
	defines    bool // the line defines a function, which could replace a program
	aliases    bool // the line defines an alias, which could replace a program
	expands    bool // aliases are expanded
	counts     bool // the line contains arithmetic, in which a subscript can run commands
	ran, wrote []string
}

func newInspector(place Place) *inspector {
	var all struct { // a single struct saves allocations
		inspector
		found findings
		spent effort
		at    whereabouts
		words wordReader
		notes assessor
		runs  unwrapper
	}
	all.at = whereabouts{place: place, dirs: []string{place.Dir}}
	all.words = wordReader{effort: &all.spent, whereabouts: &all.at, variables: newVariables()}
	all.notes = assessor{findings: &all.found, effort: &all.spent, whereabouts: &all.at}
	all.runs = unwrapper{effort: &all.spent, whereabouts: &all.at}
	all.inspector = inspector{
		findings: &all.found, effort: &all.spent, whereabouts: &all.at,
		wordReader: &all.words, assessor: &all.notes, unwrapper: &all.runs,
	}
	return &all.inspector
}

// inspectLine inspects a line. If the inspection panics, inspectLine reports the line as
// unclear.
func (i *inspector) inspectLine(line string) {
	defer func() {
		if broken := recover(); broken != nil {
			i.unclear("reading it failed: %v", broken)
		}
	}()
	i.line(line, 0)
}

// line parses and inspects one shell line, including nested commands.
func (i *inspector) line(line string, depth int) {
	switch {
	case len(line) > MaxLine:
		i.unclear("it is longer than %d bytes", MaxLine)
		return
	case depth > MaxShells:
		i.unclear("it nests shells more than %d levels deep", MaxShells)
		return
	case strings.ContainsRune(line, 0):
		i.unclear("it contains a NUL byte")
		return
	}
	line = strings.ReplaceAll(line, parting, "\x02") // the marker must not occur in the input
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		if i.quiet == 0 {
			i.unclear("the command has a syntax error at %s", strings.TrimPrefix(err.Error(), ":"))
		}
		return
	}
	end := i.end
	i.end = file.End().Offset()
	gatherer{i.findings, i.wordReader}.gather(file)
	i.inspect(file, depth)
	i.end = end
}

func (i *inspector) inspect(node syntax.Node, depth int) {
	i.walk(node, func(node syntax.Node) bool {
		i.obscure(node)
		switch node := node.(type) {
		case *syntax.ForClause:
			return !i.eachTime(node, depth)
		case *syntax.Stmt:
			i.redirects(node, depth)
		case *syntax.BinaryCmd:
			i.pipe(node, depth)
		case *syntax.FuncDecl:
			i.defines = true
			i.function(node)
		case *syntax.CoprocClause:
			i.coprocess(node, depth)
		case *syntax.DeclClause:
			i.opaque("it sets variables")
			i.runsLater(node.Args, depth)
		case *syntax.CallExpr:
			i.call(node, depth)
		}
		return true
	})
}

func (i *inspector) call(call *syntax.CallExpr, depth int) {
	if len(call.Assigns) > 0 {
		i.opaque("it sets variables")
		i.runsLater(call.Assigns, depth)
	}
	if len(call.Args) == 0 {
		return
	}
	i.files(call, depth)
	i.command(Part{Words: i.words(call.Args)}, depth)
	i.candidates(call, depth)
}

func (r *wordReader) part(call *syntax.CallExpr) Part { return Part{Words: r.words(call.Args)} }

// command inspects one [Part] and the commands that this part runs.
func (i *inspector) command(part Part, depth int) {
	if len(part.Words) == 0 || i.tired() {
		return
	}
	if depth > MaxShells {
		i.unclear("it nests commands more than %d levels deep", MaxShells)
		return
	}
	part.Inner = i.embedded > 0
	i.parts++
	i.report.Parts = append(i.report.Parts, part)
	i.dangers(part)
	i.hides(part)
	i.noteRun(part)
	i.writesFiles(part)
	i.programs(part, depth)
	i.runsAssigned(part, depth)
	within := append(i.unwrap(part), i.options(part)...)
	if len(within) == 0 {
		i.findBuried(part)
	}
	for _, inner := range within {
		switch {
		case inner.script != nil && inner.script.unknown():
			i.opaque("it runs text that is known only at run time")
			i.generated(part, *inner.script)
			if inner.script.runs == nil && strings.HasPrefix(strings.TrimLeft(inner.script.Text, " \t\n("), Hole) {
				i.unclear("it runs the content of a variable, or its standard input, as a command")
			}
			i.script(strings.ReplaceAll(inner.script.Text, Hole, unknownValue), depth)
		case inner.script != nil && inner.shared:
			i.judgeSharedScript(inner.script.Text, depth)
		case inner.script != nil:
			i.script(inner.script.Text, depth)
		default:
			i.command(Part{Words: inner.words, Root: part.Root || inner.root}, depth+1)
		}
	}
}
