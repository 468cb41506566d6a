package persistence

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// atNode is an error at the place of a node.
func atNode(node ast.Node, format string, args ...any) error {
	return &yaml.SyntaxError{Message: fmt.Sprintf(format, args...), Token: node.GetToken()}
}

// wordOf reads one of the allowed words.
func wordOf(node ast.Node, to *string, allowed ...string) error {
	*to = strings.ToLower(node.GetToken().Value)
	if !slices.Contains(allowed, *to) {
		return atNode(node, "%q is not one of %s", *to, strings.Join(allowed, ", "))
	}
	return nil
}

// wordList is a program with its arguments, or a program alone.
type wordList []string

// UnmarshalYAML accepts a program, or a list that begins with one.
func (w *wordList) UnmarshalYAML(node ast.Node) error {
	if one, ok := node.(ast.ScalarNode); ok {
		*w = wordList{one.GetToken().Value}
		return nil
	}
	var list []string
	if err := yaml.NodeToValue(node, &list); err != nil {
		return atNode(node, "a program with its arguments is a list such as [./check.sh, --strict]")
	}
	*w = list
	return nil
}

// suggestKey names the setting that was probably meant, or else all there are.
func suggestKey(key string, known []string) string {
	distance := func(name string) int { return levenshtein.ComputeDistance(strings.ToLower(key), name) }
	nearest := slices.MinFunc(known, func(a, b string) int { return distance(a) - distance(b) })
	if distance(nearest) <= 2 {
		return fmt.Sprintf(" (did you mean %q?)", nearest)
	}
	return fmt.Sprintf(" (there are %s)", strings.Join(known, ", "))
}
