package permit

import (
	"regexp"
	"strings"
	"sync"
)

var makeAssigns = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:export\s+|override\s+)*([\w.-]+)\s*(:::?=|::?=|\?=|\+=|!=|=)\s*(.*)$`)
})

// makefile judges what make is given as rules: each recipe, and what $(shell …) runs. Make
// reads all of it before it runs a recipe, so that a value given further down counts too.
func (i *inspector) makefile(text string, depth int) {
	values := map[string]string{}
	type judged struct{ line, as string }
	var recipes []judged
	judge := func(line string) {
		recipes = append(recipes, judged{line, expanded(line, values)})
		i.recipe(line, values, depth)
	}
	text = strings.ReplaceAll(text, "\\\n", " ")
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if i.looked += 1 + len(line)/8; i.tired() {
			return
		}
		i.makeFunctions(line, values, depth)
		if recipe, ok := strings.CutPrefix(line, "\t"); ok {
			judge(recipe)
			continue
		}
		if found := makeAssigns().FindStringSubmatch(strings.TrimSpace(line)); found != nil {
			i.makeAssigns(found[1], found[2], found[3], values, depth)
			continue
		}
		if _, recipe, ok := strings.Cut(line, ";"); ok && strings.Contains(line, ":") {
			judge(recipe)
		}
	}
	for _, recipe := range recipes {
		if i.looked++; expanded(recipe.line, values) != recipe.as && !i.tired() {
			i.recipe(recipe.line, values, depth)
		}
	}
}

// makeAssigns takes an assignment into the values, and judges what it runs.
func (i *inspector) makeAssigns(name, how, text string, values map[string]string, depth int) {
	value := expanded(text, values)
	switch before, known := values[name]; {
	case how == "!=":
		values[name] = hole
		i.recipe(text, values, depth)
		return
	case how == "?=" && known:
		return
	case how == "+=" && known:
		value = before + " " + value
	case how == "+=":
		value = hole + " " + value
	}
	if len(value) > longest {
		value = hole
	}
	values[name] = value
	if name == "SHELL" || name == ".SHELLFLAGS" {
		i.recipe(value, values, depth)
	}
}

// recipe judges a line that make gives to a shell.
func (i *inspector) recipe(line string, values map[string]string, depth int) {
	line = strings.TrimLeft(line, "@+- \t")
	i.inProgram(func() {
		i.quietly(func() { i.script(strings.ReplaceAll(expanded(line, values), hole, unknownValue), depth) })
	})
}

// makeFunctions judges what $(shell …) runs.
func (i *inspector) makeFunctions(line string, values map[string]string, depth int) {
	for range 50 {
		_, rest, found := strings.Cut(line, "$(shell ")
		if !found {
			return
		}
		i.recipe(rest[:closing(rest)], values, depth)
		line = rest
	}
	i.unclear("it has more than 50 $(shell …) in a line")
}

// closing is where the parenthesis ends that a text stands in.
func closing(text string) int {
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

// expanded is a text in which make has replaced what it knows; the rest are holes.
func expanded(text string, values map[string]string) string {
	var out strings.Builder
	for n := 0; n < len(text) && out.Len() < longest; n++ {
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
			end := closing(text[n+1:])
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
			out.WriteString(hole)
		}
	}
	return out.String()
}
