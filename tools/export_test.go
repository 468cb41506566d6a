package tools

import (
	"errors"

	"marvin/tools/internal/params"
)

// Uninferred returns a tool that calls inferred if its schema is inferred.
func Uninferred(tool Tool, inferred func()) Tool {
	tool.params = func() (*params.Parameters, error) {
		inferred()
		return nil, errors.New("inferred")
	}
	return tool
}
