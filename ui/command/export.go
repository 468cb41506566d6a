package command

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"marvin/ui/termsafe"
)

// export writes the conversation to a new file, as Markdown or JSON.
func (e *Engine) export(path string) {
	form := strings.ToLower(filepath.Ext(path))
	if form != ".md" && form != ".json" {
		e.warn("Usage: /export FILE.md or /export FILE.json writes this conversation to a new file.")
		return
	}
	if len(e.state.transcript) == 0 {
		e.warn("There is nothing to export yet.")
		return
	}
	steps, dir := slices.Clone(e.state.transcript), e.state.dir
	e.beside("export", func(context.Context) func() {
		content, err := asJSON(steps)
		if form == ".md" {
			content = asMarkdown(steps)
		}
		if err == nil {
			path, err = e.Host.Write(path, dir, content)
		}
		return func() {
			if err != nil {
				e.fail(err)
				return
			}
			e.say(fmt.Sprintf("Exported %d steps to %s", len(steps), path))
		}
	})
}

func asJSON(steps []entry) ([]byte, error) {
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(steps)
	return termsafe.JSON(content.Bytes()), err
}

func asMarkdown(steps []entry) []byte {
	var text strings.Builder
	speaker := ""
	for _, step := range steps {
		name := map[string]string{"you": "You", "assistant": "Marvin", "tool": "Marvin", "shell": "You", "system": "System"}[step.Role]
		if name != speaker || step.Role == "you" {
			fmt.Fprintf(&text, "## %s, %s\n\n", name, step.At.Format("2006-01-02 15:04"))
		}
		speaker = name
		switch step.Role {
		case "tool":
			fmt.Fprintf(&text, "🔧 %s (%s)\n\n%s\n", step.Title, step.Status, fenced(step.Text))
		case "shell":
			fmt.Fprintf(&text, "%s\n", fenced("$ "+step.Name+"\n"+step.Text))
		default:
			fmt.Fprintf(&text, "%s\n\n", strings.TrimSpace(step.Text))
		}
	}
	return []byte(termsafe.String(text.String())) // it is looked at with cat
}

// fenced puts a text into a code block whose fence it does not contain.
func fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence + "\n"
}
