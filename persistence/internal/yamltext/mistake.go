package yamltext

import (
	"errors"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/parser"
)

// Mistake returns the line number, from 1, and the description of the first YAML syntax error. For
// valid YAML it returns 0 and "".
func Mistake(content []byte) (line int, text string) {
	_, err := parser.ParseBytes(content, 0)
	var located yaml.Error
	if !errors.As(err, &located) || located.GetToken() == nil {
		return 0, ""
	}
	return located.GetToken().Position.Line, located.GetMessage()
}
