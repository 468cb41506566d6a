package main

import (
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"

	"marvin/tools"
)

const toolsPreface = "# Tools\n\n" +
	"What Marvin can do, made from the program itself (`marvin tools --markdown`). A model calls these tools when they fit; " +
	"without a model the built-in assistant does, for requests like the examples; and `marvin tool NAME key=value…` runs one directly.\n\n" +
	"Keys are environment variables. *coding* tools are there in coding mode only (always with `--non-interactive`), " +
	"*writes* tools are off with `MARVIN_READONLY=1`, and *asks* means that a person is asked before it runs.\n"

// documentTools writes docs/tools.md.
func documentTools(to io.Writer, registry *tools.Registry) error {
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
		fmt.Fprintf(text, "\nAsks: %s.\n", tool.Service)
	case tool.Sends && tool.Pool != tools.Local:
		text.WriteString("\nAsks: whom its arguments name; see [data that leaves](safety.md#data-that-leaves).\n")
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
		fmt.Fprintf(text, "- %s\n", spoken(example))
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
			about += ", needed"
		case len(property.Default) > 0 && string(property.Default) != `""`:
			about += ", else `" + string(property.Default) + "`"
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

// spoken is an example request as a person would say it: without the marks of its
// slots, and without the values that its words imply.
func spoken(example string) string {
	implied := regexp.MustCompile(`\s*\{(=[^|{}]*|true|false)\|[^{}]*\}`).ReplaceAllString(example, "")
	return strings.TrimSpace(regexp.MustCompile(`\{([^|{}]*)\|[^{}]*\}`).ReplaceAllString(implied, "$1"))
}
