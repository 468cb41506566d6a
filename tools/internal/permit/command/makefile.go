package command

import (
	"regexp"
	"strings"
	"sync"
)

var makeAssigns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:export\s+|override\s+)*([\w.-]+)\s*(:::?=|::?=|\?=|\+=|!=|=)\s*(.*)$`)
})

type makeReader struct {
	*inspector
	values map[string]string // the values of variables
	depth  int
}

// makefile inspects the recipes and the $(shell …) calls of a makefile. If later assignments change
// a recipe, makefile inspects the recipe again, because make reads the whole file first.
func (i *inspector) makefile(text string, depth int) {
	m := makeReader{inspector: i, values: map[string]string{}, depth: depth}
	m.rules(text)
}

func (m makeReader) rules(text string) {
	type judged struct{ line, as string }
	var recipes []judged
	judge := func(line string) {
		recipes = append(recipes, judged{line, expandVariables(line, m.values)})
		m.recipe(line)
	}
	defining := false // whether the current line is between "define" and "endef"
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m.looked += 1 + len(line)/8; m.tired() {
			return
		}
		m.functions(line)
		if word, _, _ := strings.Cut(strings.TrimSpace(line), " "); word == "define" || word == "endef" {
			defining = word == "define"
			continue
		}
		if recipe, ok := strings.CutPrefix(line, "\t"); ok || defining {
			judge(recipe)
			continue
		}
		if found := makeAssigns().FindStringSubmatch(strings.TrimSpace(line)); found != nil {
			m.assigns(found[1], found[2], found[3])
			continue
		}
		if _, recipe, ok := strings.Cut(line, ";"); ok && strings.Contains(line, ":") {
			judge(recipe)
		}
	}
	for _, recipe := range recipes {
		if m.looked++; expandVariables(recipe.line, m.values) != recipe.as && !m.tired() {
			m.recipe(recipe.line)
		}
	}
}

func (m makeReader) assigns(name, how, text string) {
	value := expandVariables(text, m.values)
	switch before, known := m.values[name]; {
	case how == "!=":
		m.values[name] = Hole
		m.recipe(text)
		return
	case how == "?=" && known:
		return
	case how == "+=" && known:
		value = before + " " + value
	case how == "+=":
		value = Hole + " " + value
	}
	if len(value) > MaxLine {
		value = Hole
	}
	m.values[name] = value
	if name == "SHELL" || name == ".SHELLFLAGS" {
		m.recipe(value)
	}
}

// recipe inspects a command line that "make" passes to a shell.
func (m makeReader) recipe(line string) {
	line = strings.TrimLeft(line, "@+- \t")
	m.inProgram(func() {
		m.withoutSyntaxErrors(func() { m.script(strings.ReplaceAll(expandVariables(line, m.values), Hole, unknownValue), m.depth) })
	})
}

// functions invokes m.recipe for the command in each $(shell …) call of a makefile line.
func (m makeReader) functions(line string) {
	for range 50 {
		_, rest, found := strings.Cut(line, "$(shell ")
		if !found {
			return
		}
		m.recipe(rest[:closingParen(rest)])
		line = rest
	}
	m.unclear("it has more than 50 $(shell …) calls on one line")
}

// closingParen returns the index of the first unmatched closing parenthesis, or len(text).
func closingParen(text string) int {
	depth := 0
	for n := range len(text) {
		switch text[n] {
		case '(':
			depth++
		case ')':
			if depth--; depth < 0 {
				return n
			}
		}
	}
	return len(text)
}

// expandVariables replaces known variables in makefile text with their values, and all other
// variables with holes.
func expandVariables(text string, values map[string]string) string {
	var out strings.Builder
	for n := 0; n < len(text) && out.Len() < MaxLine; n++ {
		if text[n] != '$' || n+1 == len(text) {
			out.WriteByte(text[n])
			continue
		}
		n++
		name := text[n : n+1]
		switch name {
		case "$":
			out.WriteByte('$')
			continue
		case "(":
			end := closingParen(text[n+1:])
			name = text[n+1 : n+1+end]
			n += 1 + end
		case "{":
			inside, _, _ := strings.Cut(text[n+1:], "}")
			name = inside
			n += 1 + len(inside)
		}
		if value, known := values[name]; known {
			out.WriteString(value)
		} else {
			out.WriteString(Hole)
		}
	}
	return out.String()
}
