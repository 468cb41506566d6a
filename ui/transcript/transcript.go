package transcript

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"time"

	"marvin/messages"
	"marvin/ui/termsafe"
)

// Step is one step of a conversation as it is exported. Role is you, assistant, tool,
// shell or system.
type Step struct {
	Role   string    `json:"role"`
	Name   string    `json:"name,omitempty"` // of the tool, or the command of the shell
	Title  string    `json:"title,omitempty"`
	Status string    `json:"status,omitempty"`
	Text   string    `json:"text"`
	At     time.Time `json:"time"`
}

// Recalled are the steps of a turn of a conversation that was kept, and why it ended, if
// it failed.
func Recalled(event messages.Recalled) []Step {
	var steps []Step
	if event.Prompt != "" {
		steps = append(steps, Step{At: event.At, Role: "you", Text: event.Prompt})
	}
	for _, step := range event.Steps {
		if step.Tool == "" {
			role := "assistant"
			if step.Said {
				role = "you"
			}
			steps = append(steps, Step{At: event.At, Role: role, Text: step.Text})
			continue
		}
		steps = append(steps, Step{At: event.At, Role: "tool", Name: step.Tool, Title: step.Title, Status: string(step.Status), Text: step.Text})
	}
	if event.Err != "" {
		steps = append(steps, Step{At: event.At, Role: "system", Text: event.Err})
	}
	return steps
}

// Forms are the ends of the names of files that can be written.
const Forms = "FILE.md, FILE.json or FILE.html"

// Writes says whether a file of this name can be written.
func Writes(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".json", ".html":
		return true
	}
	return false
}

// Write is the content of a file, in the form that its name ends with.
func Write(path, title string, steps []Step) ([]byte, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md":
		return markdown(steps), nil
	case ".json":
		return inJSON(steps)
	case ".html":
		return page(title, steps), nil
	}
	return nil, fmt.Errorf("%q has no form that is known; name %s", path, Forms)
}

func inJSON(steps []Step) ([]byte, error) {
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(steps)
	return termsafe.JSON(content.Bytes()), err
}

// speakers are the names above the steps.
var speakers = map[string]string{"you": "You", "assistant": "Marvin", "tool": "Marvin", "shell": "You", "system": "System"}

func markdown(steps []Step) []byte {
	var text strings.Builder
	speaker := ""
	for _, step := range steps {
		name := speakers[step.Role]
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
