package settings

import (
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"marvin/persistence/internal/yamltext"
)

// Private is a directory that only some providers may see.
type Private struct {
	Dir string // absolute, or ~/…
	// Only the providers in To are allowed to see the directory. The entry [Local] means all
	// providers on this machine. If To is empty, no provider is allowed.
	To []string
}

// Local is the entry of [Private.To] that means all providers on this machine.
const Local = "local"

// privateFile is decoded strictly, because a misread entry could expose private files to a
// provider.
type privateFile []Private

// UnmarshalYAML accepts a mapping from directories to providers. It also accepts a list of
// directories that only providers on this machine may see.
func (p *privateFile) UnmarshalYAML(node ast.Node) error {
	const form = "\"private\" must map directories to providers, such as {~/taxes: [ollama]}, or list directories that only models on this machine may see"
	*p = nil
	if list, ok := node.(*ast.SequenceNode); ok {
		for _, one := range list.Values {
			if err := p.add(one, []string{Local}, form); err != nil {
				return err
			}
		}
		return nil
	}
	if _, ok := node.(ast.MapNode); !ok {
		return yamltext.ErrorAt(node, "%s", form)
	}
	return eachOf(node, form, func(key, value ast.Node) error {
		nodes := []ast.Node{value}
		if list, ok := value.(*ast.SequenceNode); ok {
			nodes = list.Values
		}
		to := []string{}
		for _, one := range nodes {
			name, ok := wordIn(one)
			if name = strings.TrimSpace(name); !ok || name == "" || strings.ContainsAny(name, "/ :") {
				return yamltext.ErrorAt(one, "%s; [] means no model at all", form)
			}
			to = append(to, strings.ToLower(name))
		}
		return p.add(key, to, form)
	})
}

func (p *privateFile) add(node ast.Node, to []string, form string) error {
	dir, ok := wordIn(node)
	if !ok || strings.HasPrefix(dir, "$") || !isPlace(dir) {
		return yamltext.ErrorAt(node, "%s; a directory begins with / or ~/", form)
	}
	if slices.ContainsFunc(*p, func(other Private) bool { return other.Dir == dir }) {
		return yamltext.ErrorAt(node, "%s is listed twice", dir)
	}
	*p = append(*p, Private{Dir: dir, To: to})
	return nil
}
