package customtools

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/yamltext"
)

// Tool is a custom tool: a folder with tool.yaml and a program.
type Tool struct {
	Name        string
	Description string
	Parameters  json.RawMessage // a JSON schema of an object
	Effect      string          // "read", "write", "irreversible" or "outside"; "" means "outside"
	Command     []string        // words that begin with "./" are relative to Dir
	Timeout     time.Duration   // 0 means the default
	Examples    []string        // example requests
	Dir         string          // the folder
}

// Manifest is the name of the file that describes a tool.
const Manifest = "tool.yaml"

const maxTimeout = 30 * time.Minute

const mostTools = 200

type toolFile struct {
	Name        toolWord          `yaml:"name"`
	Description string            `yaml:"description"`
	Parameters  map[string]any    `yaml:"parameters"`
	Effect      effect            `yaml:"effect"`
	Command     yamltext.WordList `yaml:"command"`
	Timeout     span              `yaml:"timeout"`
	Examples    []string          `yaml:"examples"`
}

type (
	toolWord string
	effect   string
	span     time.Duration
)

// Dir returns the directory of the user's own tools, or "" if there is no home directory.
func Dir(h *store.Home) string { return h.Path("tools") }

// List returns the valid tools in a directory, sorted by folder name. It returns an error for each
// invalid tool.
func List(dir string) (tools []Tool, problems []error) {
	if dir == "" {
		return nil, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, []error{fmt.Errorf("tools: %w", err)}
	}
	for i, entry := range entries {
		if i == mostTools {
			return tools, append(problems, fmt.Errorf("%s has more than %d folders; the rest is left out", dir, mostTools))
		}
		folder := filepath.Join(dir, entry.Name())
		if info, err := os.Stat(folder); err != nil || !info.IsDir() || strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		tool, err := Read(folder)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		tools = append(tools, tool)
	}
	return tools, problems
}

// Read reads the manifest in a tool's folder. The error names the file and the line, and says what
// to do next.
func Read(folder string) (Tool, error) {
	path := filepath.Join(folder, Manifest)
	data, err := store.ReadWritten(path, 256<<10)
	if err != nil {
		return Tool{}, fmt.Errorf("%s: %w", path, err)
	}
	return parseTool(folder, data)
}

func parseTool(folder string, data []byte) (Tool, error) {
	path := filepath.Join(folder, Manifest)
	if data == nil {
		return Tool{}, fmt.Errorf("%s does not exist; to create a folder with such a file, run: marvin tool new NAME", path)
	}
	var file toolFile
	if err := decodeTool(path, data, &file); err != nil {
		return Tool{}, err
	}
	tool := Tool{
		Name: string(file.Name), Description: strings.TrimSpace(file.Description), Effect: string(file.Effect),
		Command: file.Command, Timeout: time.Duration(file.Timeout), Examples: file.Examples, Dir: folder,
	}
	tool.Name = cmp.Or(tool.Name, strings.ReplaceAll(filepath.Base(folder), "-", "_"))
	switch {
	case !isToolName(tool.Name):
		return tool, fmt.Errorf("%s: %q is not a tool name (3 to 48 characters from a-z, 0-9 and _, starting with a letter); add \"name:\" to the file", path, tool.Name)
	case tool.Description == "":
		return tool, fmt.Errorf("%s: there is no description, so a model cannot know when to call the tool; add \"description:\" to the file", path)
	case len(tool.Command) == 0 || tool.Command[0] == "":
		return tool, fmt.Errorf("%s: there is no command; add \"command: [./run]\" to the file, and put the program into the same folder", path)
	case file.Parameters == nil:
		file.Parameters = map[string]any{"type": "object", "properties": map[string]any{}}
	}
	var err error
	if tool.Parameters, err = json.Marshal(file.Parameters); err != nil {
		return tool, fmt.Errorf("%s: parameters: %w", path, err)
	}
	return tool, nil
}

func decodeTool(path string, data []byte, file *toolFile) error {
	if err := yamltext.CheckText(data); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	parsed, err := parser.ParseBytes(data, 0)
	if err != nil {
		return toolError(path, err)
	}
	switch {
	case len(parsed.Docs) == 0, len(parsed.Docs) == 1 && parsed.Docs[0].Body == nil:
		return nil
	case len(parsed.Docs) > 1:
		return fmt.Errorf("%s contains %d YAML documents, but a tool needs exactly one; remove the others and the lines with ---", path, len(parsed.Docs))
	}
	if err := yaml.NodeToValue(parsed.Docs[0].Body, file, yaml.Strict()); err != nil {
		return toolError(path, err)
	}
	return nil
}

var toolKeys = []string{"name", "description", "parameters", "effect", "command", "timeout", "examples"}

// toolError shortens a YAML error to one line and adds advice for the user.
func toolError(path string, err error) error {
	var located yaml.Error
	if !errors.As(err, &located) || located.GetToken() == nil {
		return fmt.Errorf("%s: %w; correct the file", path, err)
	}
	where := fmt.Sprintf("%s:%d", path, located.GetToken().Position.Line)
	var unknown *yaml.UnknownFieldError
	if errors.As(err, &unknown) {
		return fmt.Errorf("%s: a tool has no field %q%s; correct or remove this line", where, located.GetToken().Value, yamltext.SuggestKey(located.GetToken().Value, toolKeys))
	}
	return fmt.Errorf("%s: %s; correct this line", where, located.GetMessage())
}

// UnmarshalYAML accepts only a name that every provider accepts.
func (n *toolWord) UnmarshalYAML(node ast.Node) error {
	*n = toolWord(node.GetToken().Value)
	if !isToolName(string(*n)) {
		return yamltext.ErrorAt(node, "%q is not a tool name (3 to 48 characters from a-z, 0-9 and _, starting with a letter)", *n)
	}
	return nil
}

// CheckName returns an error if name is not a valid tool name.
func CheckName(name string) error {
	if isToolName(name) {
		return nil
	}
	return fmt.Errorf("%q is not a tool name (3 to 48 characters from a-z, 0-9 and _, starting with a letter)", name)
}

func isToolName(name string) bool {
	return len(name) >= 3 && len(name) <= 48 && name[0] >= 'a' && name[0] <= 'z' &&
		!strings.ContainsFunc(name, func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') && r != '_' })
}

// UnmarshalYAML accepts only a known effect.
func (e *effect) UnmarshalYAML(node ast.Node) error {
	return yamltext.OneOf(node, (*string)(e), "read", "write", "outside", "irreversible")
}

// UnmarshalYAML accepts only a duration of at most maxTimeout.
func (s *span) UnmarshalYAML(node ast.Node) error {
	text := node.GetToken().Value
	length, err := time.ParseDuration(text)
	if err != nil || length <= 0 || length > maxTimeout {
		return yamltext.ErrorAt(node, "%q is not a duration of at most %s; give one such as 30s", text, maxTimeout)
	}
	*s = span(length)
	return nil
}

// Make creates a new folder with the given files. Files whose names are in programs become
// executable.
func Make(folder string, files map[string]string, programs ...string) error {
	if err := os.MkdirAll(filepath.Dir(folder), 0o700); err != nil {
		return err
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		mode := fs.FileMode(0o600)
		if slices.Contains(programs, name) {
			mode = 0o700
		}
		if err := os.WriteFile(filepath.Join(folder, name), bytes.TrimLeft([]byte(files[name]), "\n"), mode); err != nil {
			return err
		}
	}
	return nil
}
