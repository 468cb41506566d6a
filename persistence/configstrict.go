package persistence

import (
	"fmt"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
)

// decodeConfig is strict where the library passes things over in silence, and with them
// what the file forbids: a second document, and a whole mapping with one key that is no
// text, such as 1 or true.
func decodeConfig(path string, data []byte, file *configFile) error {
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return configError(path, err)
	}
	var documents []ast.Node
	for _, document := range parsed.Docs {
		if document.Body != nil && document.Body.Type() != ast.CommentType && document.Body.Type() != ast.CommentGroupType {
			documents = append(documents, document.Body)
		}
	}
	switch len(documents) {
	case 0:
		return nil
	case 1:
	default:
		return fmt.Errorf("%s:%d: here begins a second document, which would not be read; remove the line --- or ... before it", path, documents[1].GetToken().Position.Line)
	}
	keys := textKeys{}
	ast.Walk(&keys, documents[0])
	if keys.wrong != nil {
		return fmt.Errorf("%s:%d: %s is no name; put it in quotes or remove this line", path, keys.wrong.GetToken().Position.Line, keys.wrong)
	}
	if err := yaml.NodeToValue(documents[0], file, yaml.Strict()); err != nil {
		return configError(path, err)
	}
	return nil
}

// textKeys looks for a key that is no text.
type textKeys struct{ wrong ast.Node }

// Visit implements ast.Visitor.
func (k *textKeys) Visit(node ast.Node) ast.Visitor {
	if entry, ok := node.(*ast.MappingValueNode); ok && k.wrong == nil && entry.Key.Type() != ast.StringType && entry.Key.Type() != ast.MergeKeyType {
		k.wrong = entry.Key
	}
	return k
}
