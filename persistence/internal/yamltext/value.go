package yamltext

import (
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
)

// ErrorAt returns a formatted error that includes the node's position.
func ErrorAt(node ast.Node, format string, args ...any) error {
	return &yaml.SyntaxError{Message: fmt.Sprintf(format, args...), Token: node.GetToken()}
}

// OneOf stores the lower-case text of a node in *to. It returns an error if the text is not one of
// the allowed words.
func OneOf(node ast.Node, to *string, allowed ...string) error {
	*to = strings.ToLower(node.GetToken().Value)
	if !slices.Contains(allowed, *to) {
		return ErrorAt(node, "%q is not one of %s", *to, strings.Join(allowed, ", "))
	}
	return nil
}

// WordList is a program with its arguments, or a program alone.
type WordList []string

// UnmarshalYAML accepts a scalar or a list of strings.
func (w *WordList) UnmarshalYAML(node ast.Node) error {
	if one, ok := node.(ast.ScalarNode); ok {
		*w = WordList{one.GetToken().Value}
		return nil
	}
	var list []string
	if err := yaml.NodeToValue(node, &list); err != nil {
		return ErrorAt(node, "a program with arguments must be a list such as [./check.sh, --strict]")
	}
	*w = list
	return nil
}

// SuggestKey names the setting that was probably meant, or lists all settings.
func SuggestKey(key string, known []string) string {
	distance := func(name string) int { return levenshtein.ComputeDistance(strings.ToLower(key), name) }
	nearest := slices.MinFunc(known, func(a, b string) int { return distance(a) - distance(b) })
	if distance(nearest) <= 2 {
		return fmt.Sprintf(" (did you mean %q?)", nearest)
	}
	return fmt.Sprintf(" (there are %s)", strings.Join(known, ", "))
}
