package tools

import "errors"

// Uninferred is a tool whose schema must not be inferred.
func Uninferred(tool Tool, inferred func()) Tool {
	tool.params = func() (*parameters, error) {
		inferred()
		return nil, errors.New("inferred")
	}
	return tool
}
