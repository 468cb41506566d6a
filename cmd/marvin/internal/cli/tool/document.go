package tool

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"marvin/tools"
	"marvin/tools/toolbox"
)

const toolsPreface = "# Tools\n\n" +
	"This page lists every tool, with its parameters and example requests. `marvin tools --markdown` generates it. " +
	"A model calls a tool when it needs one. Without a model, the built-in assistant runs a tool for requests like the examples. You can run a tool directly:\n\n" +
	"```console\n$ marvin tool convert_units value=12 from_unit=km to_unit=miles\n```\n\n" +
	"*coding* tools need coding mode, which is always on with `--non-interactive`. `MARVIN_READONLY=1` removes *writes* tools. " +
	"*asks* tools ask you before they run. Keys are environment variables.\n"

// documentTools writes docs/tools.md.
func documentTools(to io.Writer, registry *toolbox.Registry) error {
	var text strings.Builder
	text.WriteString(toolsPreface)
	section := ""
	for _, tool := range registry.All() {
		if tool.Section != section {
			section = tool.Section
			fmt.Fprintf(&text, "\n## %s\n", section)
		}
		if err := documentTool(&text, tool); err != nil {
			return err
		}
	}
	_, err := io.WriteString(to, text.String())
	return err
}

func documentTool(text *strings.Builder, tool tools.Tool) error {
	fmt.Fprintf(text, "\n### %s\n\n%s\n", tool.Name, strings.TrimSpace(tool.Doc))
	if list := modes(tool); list != "-" {
		fmt.Fprintf(text, "\n*%s*\n", strings.ReplaceAll(strings.ReplaceAll(list, ",", ", "), "confirm", "asks"))
	}
	if tool.Keys != "" {
		fmt.Fprintf(text, "\nKey: %s.\n", tool.Keys)
	}
	switch {
	case tool.Service != "":
		fmt.Fprintf(text, "\nContacts: %s.\n", tool.Service)
	case tool.Sends && tool.Pool != tools.Local:
		text.WriteString("\nContacts: the hosts in its arguments; see [data that leaves](safety.md#data-that-leaves).\n")
	}
	rows, err := parameterRows(tool)
	if err != nil {
		return err
	}
	if len(rows) > 0 {
		text.WriteString("\n| parameter | | |\n|---|---|---|\n" + strings.Join(rows, ""))
	}
	for i, example := range tool.Examples {
		if i == 0 {
			text.WriteString("\nFor example:\n\n")
		}
		fmt.Fprintf(text, "- %s\n", PlainExample(example))
	}
	return nil
}

// parameterRows are the parameters in the order of their declaration.
func parameterRows(tool tools.Tool) ([]string, error) {
	encoded, err := tool.Schema()
	if err != nil {
		return nil, err
	}
	var schema struct {
		Properties map[string]struct {
			Type        string          `json:"type"`
			Description string          `json:"description"`
			Default     json.RawMessage `json:"default"`
			Enum        []string        `json:"enum"`
			Minimum     *float64        `json:"minimum"`
			Maximum     *float64        `json:"maximum"`
		} `json:"properties"`
	}
	if err := json.Unmarshal(encoded, &schema); err != nil {
		return nil, fmt.Errorf("tool %s: %w", tool.Name, err)
	}
	var rows []string
	for _, entry := range tool.Signature() {
		name, _, _ := strings.Cut(strings.Trim(entry, "[]"), ":")
		property := schema.Properties[name]
		about := property.Type
		switch {
		case entry[0] != '[':
			about += ", required"
		case len(property.Default) > 0 && string(property.Default) != `""`:
			about += ", default `" + string(property.Default) + "`"
		}
		if property.Minimum != nil && property.Maximum != nil {
			about += fmt.Sprintf(", %v to %v", *property.Minimum, *property.Maximum)
		}
		description := property.Description
		if len(property.Enum) > 0 {
			description += " (" + strings.Join(property.Enum, ", ") + ")"
		}
		rows = append(rows, fmt.Sprintf("| `%s` | %s | %s |\n", name, about, strings.ReplaceAll(description, "|", "\\|")))
	}
	return rows, nil
}

// PlainExample is an example request as a person would say it: without the marks of its
// slots, and without the values that its words imply.
func PlainExample(example string) string {
	implied := regexp.MustCompile(`\s*\{(=[^|{}]*|true|false)\|[^{}]*\}`).ReplaceAllString(example, "")
	return strings.TrimSpace(regexp.MustCompile(`\{([^|{}]*)\|[^{}]*\}`).ReplaceAllString(implied, "$1"))
}
