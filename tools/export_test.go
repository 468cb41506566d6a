package tools

import (
	"errors"

	"marvin/tools/internal/params"
)

// Uninferred is a tool whose schema must not be inferred.
func Uninferred(tool Tool, inferred func()) Tool {
	tool.params = func() (*params.Parameters, error) {
		inferred()
		return nil, errors.New("inferred")
	}
	return tool
}
