package command

import (
	"maps"
	"math"
)

// script invokes i.line for text that a child shell runs. The child shell sees only exported
// variables.
func (i *inspector) script(text string, depth int) {
	values, changing, ifs := i.values, i.changing, i.ifs
	i.looked += len(values)/8 + len(changing)/8
	i.ifs = ""
	i.values, i.changing = i.inherited()
	i.line(text, depth+1)
	i.values, i.changing, i.ifs = values, changing, ifs
}

// judgeSharedScript judges text that runs in the current shell, as with eval. If the text changes a
// variable, the variable's value is unknown afterward.
func (i *inspector) judgeSharedScript(text string, depth int) {
	values := i.values
	i.values = maps.Clone(values)
	for name, variable := range i.values {
		variable.from, variable.until = 0, math.MaxUint
		i.values[name] = variable
	}
	i.line(text, depth+1)
	for name, variable := range i.values {
		if variable.value != values[name].value {
			i.changing[name] = true
		}
	}
	i.values = values
}

// inProgram sets [Part.Inner] in every command that is reported while the given function runs.
func (i *inspector) inProgram(judge func()) {
	i.embedded++
	judge()
	i.embedded--
}

// withoutSyntaxErrors ignores syntax errors while the given function runs. The inspected text might
// not be shell code.
func (i *inspector) withoutSyntaxErrors(judge func()) {
	i.quiet++
	judge()
	i.quiet--
}
