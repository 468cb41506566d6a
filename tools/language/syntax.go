package language

import (
	"bytes"
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"

	"marvin/messages"
	"marvin/persistence"
	"marvin/tools"
)

// largestSyntax is the maximum size in bytes of a file whose syntax is checked.
const largestSyntax = 256 << 10

// syntax returns the syntax errors in files whose formats Marvin can parse without a language
// server.
func syntax(files []File, top string) (problems []messages.CodeProblem) {
	for _, file := range files {
		if len(file.Content) > largestSyntax || file.Content == nil {
			continue
		}
		line, text := 0, ""
		source := strings.TrimPrefix(filepath.Ext(file.Path), ".")
		switch source {
		case "json":
			line, text = jsonMistake(filepath.Base(file.Path), file.Content)
		case "yaml", "yml":
			if !bytes.Contains(file.Content, []byte("{{")) { // a template is not valid YAML yet
				line, text = persistence.YAMLMistake(file.Content)
			}
		}
		if text == "" {
			continue
		}
		name, err := filepath.Rel(top, file.Path)
		if err != nil {
			name = file.Path
		}
		problems = append(problems, messages.CodeProblem{
			Path: filepath.ToSlash(name), Line: max(line, 1), Severity: messages.SeverityError, Source: source, Text: tools.Visible(text),
		})
	}
	return problems
}

// syntaxKnown reports whether Marvin can check the syntax of a file without a language server.
func syntaxKnown(path string) bool {
	switch filepath.Ext(path) {
	case ".json", ".yaml", ".yml":
		return true
	}
	return false
}

// jsonMistake returns the first syntax error in a JSON file. Files that might contain comments are
// not checked.
func jsonMistake(name string, content []byte) (line int, text string) {
	if strings.HasPrefix(name, "tsconfig") || strings.HasPrefix(name, "jsconfig") || strings.Contains(string(content), "//") || strings.Contains(string(content), "/*") || len(bytes.TrimSpace(content)) == 0 {
		return 0, ""
	}
	err := json.Unmarshal(content, new(json.RawMessage))
	var wrong *json.SyntaxError
	if !errors.As(err, &wrong) {
		return 0, ""
	}
	at := min(int(wrong.Offset), len(content))
	return bytes.Count(content[:at], []byte("\n")) + 1, err.Error()
}
