package host

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"marvin/tools"
)

// Languages implements [command.Host].
func (h additions) Languages(ctx context.Context, words string) (string, error) {
	fields := strings.Fields(words)
	states := h.parts.System.LanguageServers(ctx)
	if len(fields) == 2 {
		switch strings.ToLower(fields[0]) {
		case "restart":
			h.parts.System.RestartLanguage(fields[1])
			return tools.Visible(fields[1]) + " is stopped. Marvin starts it again when the model next uses a file in its language.", nil
		case "log":
			for _, state := range states {
				if state.Name == fields[1] {
					return tools.Visible(strings.TrimSpace(state.Log)), nil
				}
			}
			return "", fmt.Errorf("%s did not run in this conversation", tools.Visible(fields[1]))
		}
	}
	if len(fields) > 0 {
		return "", errors.New("type /lsp to list the language servers, /lsp restart NAME to restart one, or /lsp log NAME to see its log")
	}
	if len(states) == 0 {
		return "No language server is running. Marvin starts a server when the model first uses a file in its language; to see the installed servers, run marvin lsp list.", nil
	}
	var lines []string
	for _, state := range states {
		line := fmt.Sprintf("%s: %s, for %s", state.Name, state.State, state.Root)
		if state.PID > 0 {
			line += fmt.Sprintf(", pid %d", state.PID)
		}
		if state.Err != "" {
			line += "\n  " + state.Err
		}
		lines = append(lines, line)
	}
	return tools.Visible(strings.Join(lines, "\n")), nil
}
