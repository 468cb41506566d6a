package permit

import (
	"fmt"
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// The limits of what is judged; beyond them a command is asked about.
const (
	longest  = 64 << 10 // bytes of a line
	deepest  = 12       // shells in shells
	mostPart = 2_000    // commands in a line
	mostWord = 200_000  // words looked at, long ones and repeated ones as several: 0.2 s
)

// Report is what a line of shell would do, as far as its text says.
type Report struct {
	Parts   []Part
	Dangers []Danger
	Unclear string // why it could not be read; "" if it could
	Opaque  string // what no rule may allow, although it can be read: redirections, assignments
}

// Part is one simple command.
type Part struct {
	Words []Word
	Root  bool // behind sudo or its like
}

func (p Part) text() string { return strings.Join(texts(p.Words), " ") }

func (p Part) literal() bool {
	return !slices.ContainsFunc(p.Words, func(w Word) bool { return w.unknown() || w.glob })
}

// String is the part for people.
func (p Part) String() string { return strings.ReplaceAll(p.text(), hole, "…") }

// harmless says that a part only steers the others.
func (p Part) harmless() bool {
	switch p.text() {
	case "true", "false", ":":
		return true
	}
	return false
}

func texts(words []Word) []string {
	list := make([]string, len(words))
	for i, word := range words {
		list[i] = word.text
	}
	return list
}

// Danger is a part that always needs a person, or a rule that spells it out.
type Danger struct {
	Part  Part
	Why   string
	Marks []string // the words that make it one
	Try   string   // what to do instead; "" for the usual
}

func (d Danger) String() string { return fmt.Sprintf("%s: %s", d.Why, clip(d.Part.String())) }

func (d Danger) instead() string {
	if d.Try != "" {
		return d.Try
	}
	return "Find a way that can be undone."
}

// Inspect reads a line for bash.
func Inspect(line string, place Place) Report {
	i := &inspector{place: place, dirs: []string{place.Dir}, values: map[string]string{}, changing: map[string]bool{}}
	i.whole(line)
	if len(i.report.Parts) > mostPart && i.report.Unclear == "" {
		i.report.Unclear = fmt.Sprintf("it has more than %d commands", mostPart)
	}
	if i.looked > mostWord && i.report.Unclear == "" {
		i.report.Unclear = "it would take too long"
	}
	return i.report
}

// tired says that a line is beyond the limits, so that nothing more of it is looked at.
func (i *inspector) tired() bool { return len(i.report.Parts) > mostPart || i.looked > mostWord }

// inspector gathers the report of one line.
type inspector struct {
	place    Place
	report   Report
	dirs     []string          // where the line may be, by its cd
	lost     bool              // it may be elsewhere, too
	values   map[string]string // variables with one literal value
	changing map[string]bool   // variables with more, or another
	looked   int               // words, so far
}

// whole reads the line. A panic of the parser must neither end Marvin nor let the
// line pass.
func (i *inspector) whole(line string) {
	defer func() {
		if broken := recover(); broken != nil {
			i.unclear("reading it failed: %v", broken)
		}
	}()
	i.line(line, 0)
}

// line reads a line and the lines within it, depth shells down.
func (i *inspector) line(line string, depth int) {
	switch {
	case len(line) > longest:
		i.unclear("it is longer than %d bytes", longest)
		return
	case depth > deepest:
		i.unclear("it has shells in shells, more than %d deep", deepest)
		return
	case strings.ContainsRune(line, 0):
		i.unclear("it contains a NUL byte")
		return
	}
	file, err := syntax.NewParser(syntax.Variant(syntax.LangBash)).Parse(strings.NewReader(line), "")
	if err != nil {
		i.unclear("the shell's grammar is broken at %s", strings.TrimPrefix(err.Error(), ":"))
		return
	}
	i.gather(file)
	syntax.Walk(file, func(node syntax.Node) bool {
		switch node := node.(type) {
		case *syntax.Stmt:
			i.redirects(node, depth)
		case *syntax.BinaryCmd:
			i.pipe(node, depth)
		case *syntax.FuncDecl:
			i.function(node)
		case *syntax.DeclClause:
			i.opaque("it sets variables")
			i.programs(node.Args, depth)
		case *syntax.CallExpr:
			i.call(node, depth)
		}
		return !i.tired()
	})
}

func (i *inspector) unclear(format string, args ...any) {
	if i.report.Unclear == "" {
		i.report.Unclear = fmt.Sprintf(format, args...)
	}
}

func (i *inspector) opaque(why string) {
	if i.report.Opaque == "" {
		i.report.Opaque = why
	}
}

func (i *inspector) call(call *syntax.CallExpr, depth int) {
	if len(call.Assigns) > 0 {
		i.opaque("it sets variables")
		i.programs(call.Assigns, depth)
	}
	if len(call.Args) == 0 {
		return
	}
	i.files(call, depth)
	i.command(Part{Words: i.words(call.Args)}, depth)
}

func (i *inspector) part(call *syntax.CallExpr) Part { return Part{Words: i.words(call.Args)} }

// command judges one simple command, and what it runs in turn.
func (i *inspector) command(part Part, depth int) {
	if len(part.Words) == 0 || depth > deepest || i.tired() {
		return
	}
	i.report.Parts = append(i.report.Parts, part)
	i.dangers(part)
	within := append(i.unwrap(part), i.options(part)...)
	if len(within) == 0 {
		i.buried(part)
	}
	for _, inner := range within {
		switch {
		case inner.script != nil && inner.script.unknown():
			i.opaque("it runs text that is only known then")
			i.generated(part, *inner.script)
			i.line(strings.ReplaceAll(inner.script.text, hole, unknownValue), depth+1) // what is known of it
		case inner.script != nil:
			i.line(inner.script.text, depth+1)
		default:
			i.command(Part{Words: inner.words, Root: part.Root || inner.root}, depth+1)
		}
	}
}

// danger notes one.
func (i *inspector) danger(part Part, why string, marks ...string) {
	i.report.Dangers = append(i.report.Dangers, Danger{Part: part, Why: why, Marks: marks})
}

// function finds the bomb: a function that starts itself twice.
func (i *inspector) function(function *syntax.FuncDecl) {
	if function.Name == nil {
		return
	}
	name := function.Name.Value
	calls := func(node syntax.Node) bool {
		found := false
		syntax.Walk(node, func(node syntax.Node) bool {
			if call, ok := node.(*syntax.CallExpr); ok && len(call.Args) > 0 && call.Args[0].Lit() == name {
				found = true
			}
			return !found
		})
		return found
	}
	syntax.Walk(function.Body, func(node syntax.Node) bool {
		binary, ok := node.(*syntax.BinaryCmd)
		if ok && (binary.Op == syntax.Pipe || binary.Op == syntax.PipeAll) && calls(binary.X) && calls(binary.Y) {
			i.danger(Part{Words: []Word{{text: name}}}, "starts itself without end")
		}
		return true
	})
}
