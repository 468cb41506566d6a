package settings

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/agnivade/levenshtein"
	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"marvin/persistence/internal/yamltext"
)

// decodeConfig decodes the content of config.yaml. It skips unknown settings and reports them in
// its first result. An error from [structure] or [leaveOut] becomes a [GuardsError].
func decodeConfig(path string, data []byte, file *configFile) (unknown, err error) {
	document, err := structure(path, data)
	if err != nil {
		return nil, &GuardsError{err}
	}
	if unknown, err = leaveOut(path, document, mentionsGuards(data)); err != nil {
		return nil, &GuardsError{err}
	}
	if document == nil {
		return nil, nil
	}
	if err := yaml.NodeToValue(document, file, yaml.Strict()); err != nil {
		return nil, configError(path, err)
	}
	return unknown, nil
}

// structure returns the only document of the file, or nil if the file is empty. It returns an error
// for a second document and for a key such as 1 or true. The YAML library would silently ignore
// such parts, even if they contain restrictions.
func structure(path string, data []byte) (ast.Node, error) {
	if err := yamltext.CheckText(data); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return nil, configError(path, err)
	}
	if line := yamltext.DoubleStart(string(data)); line > 0 {
		return nil, fmt.Errorf("%s:%d: a second document begins here, after an empty one, and would be ignored; remove this line ---", path, line)
	}
	var documents []ast.Node
	for _, document := range parsed.Docs {
		if document.Body != nil && document.Body.Type() != ast.CommentType && document.Body.Type() != ast.CommentGroupType {
			documents = append(documents, document.Body)
		}
	}
	switch len(documents) {
	case 0:
		return nil, nil
	case 1:
	default:
		return nil, fmt.Errorf("%s:%d: a second document begins here, and would be ignored; remove the separator line (--- or ...) before it", path, documents[1].GetToken().Position.Line)
	}
	keys := textKeys{}
	ast.Walk(&keys, documents[0])
	if keys.wrong != nil {
		return nil, fmt.Errorf("%s:%d: %s is not a name; put it in quotes or remove this line", path, keys.wrong.GetToken().Position.Line, keys.wrong)
	}
	return documents[0], nil
}

// leaveOut removes unknown settings from the document and reports them in the first error. If
// guarded is true or [meansGuard] returns true for an unknown setting, leaveOut does not remove the
// setting and reports it in the second error. The second error also reports a "private" setting
// without a value.
func leaveOut(path string, document ast.Node, guarded bool) (unknown, err error) {
	mapping, ok := document.(*ast.MappingNode)
	if !ok {
		return nil, nil
	}
	mapping.Values = slices.DeleteFunc(mapping.Values, func(entry *ast.MappingValueNode) bool {
		token := entry.Key.GetToken()
		// The YAML library ignores null.
		if token.Value == "private" && entry.Value.Type() == ast.NullType {
			err = errors.Join(err, fmt.Errorf("%s:%d: \"private:\" lists no directory; list some, or remove this line", path, token.Position.Line))
		}
		if entry.Key.Type() == ast.MergeKeyType || slices.Contains(settings, token.Value) {
			return false
		}
		problem := fmt.Errorf("%s:%d: there is no setting %q%s; correct or remove this line", path, token.Position.Line, token.Value, yamltext.SuggestKey(token.Value, settings))
		if guarded || meansGuard(token.Value) {
			err = errors.Join(err, problem)
			return false
		}
		unknown = errors.Join(unknown, problem)
		return true
	})
	return unknown, err
}

// guardKeys lists the settings that restrict Marvin.
var guardKeys = []string{"permissions", "sandbox", "sandbox_read", "approve", "hooks", "pass_env", "private"}

func mentionsGuards(data []byte) bool {
	return slices.ContainsFunc(guardKeys, func(key string) bool { return bytes.Contains(data, []byte(key)) })
}

// meansGuard reports whether an unknown key resembles a key in [guardKeys] or a key that belongs
// below "permissions".
func meansGuard(key string) bool {
	plain := func(name string) string {
		return strings.NewReplacer("_", "", "-", "", " ", "", ".", "").Replace(strings.ToLower(name))
	}
	key = plain(key)
	for _, name := range []string{"allow", "allowed", "ask", "deny", "denied", "rules", "readonly"} {
		if key == name || len(name) > 3 && levenshtein.ComputeDistance(key, name) <= 1 {
			return true
		}
	}
	return slices.ContainsFunc(guardKeys, func(guard string) bool {
		guard = plain(guard)
		return levenshtein.ComputeDistance(key, guard) <= min(3, len(guard)-4) || strings.HasPrefix(key, guard[:4])
	})
}

// textKeys finds the first key that is not text.
type textKeys struct{ wrong ast.Node }

// Visit implements ast.Visitor.
func (k *textKeys) Visit(node ast.Node) ast.Visitor {
	if entry, ok := node.(*ast.MappingValueNode); ok && k.wrong == nil && entry.Key.Type() != ast.StringType && entry.Key.Type() != ast.MergeKeyType {
		k.wrong = entry.Key
	}
	return k
}
