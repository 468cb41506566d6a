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

// Step is a step of an exported conversation. Role is "you", "assistant", "tool", "shell" or
// "system".
type Step struct {
	Role    string    `json:"role"`
	Name    string    `json:"name,omitempty"` // the tool's name; for a shell step, the command
	Title   string    `json:"title,omitempty"`
	Command string    `json:"command,omitempty"` // the whole command, if the title shortens it
	Status  string    `json:"status,omitempty"`
	Text    string    `json:"text"`
	At      time.Time `json:"time"`

	Model    string              `json:"model,omitempty"`    // the model that spoke, as provider/model
	Thinking string              `json:"thinking,omitempty"` // the thinking that preceded the text
	Usage    *messages.RoundTrip `json:"usage,omitempty"`    // usage of the request that produced the step
	Pictures []string            `json:"pictures,omitempty"` // the pictures that belong to the step
	Source   messages.Source     `json:"source,omitempty"`   // origin of the tool's text
}

// Recalled converts a stored turn to steps. If the turn failed, the last step contains the error.
func Recalled(event messages.Recalled) []Step {
	var steps []Step
	if event.Prompt != "" {
		steps = append(steps, Step{At: event.At, Role: "you", Text: event.Prompt, Pictures: event.Shown})
	}
	for _, step := range event.Steps {
		steps = append(steps, recalledStep(event, step))
	}
	if event.Err != "" {
		steps = append(steps, Step{At: event.At, Role: "system", Text: event.Err})
	}
	return steps
}

func recalledStep(event messages.Recalled, recalled messages.RecalledStep) Step {
	step := Step{At: event.At, Role: "assistant", Text: recalled.Text, Model: recalled.Model, Thinking: recalled.Thinking, Pictures: recalled.Pictures, Source: recalled.Source}
	if !recalled.At.IsZero() {
		step.At = recalled.At
	}
	if recalled.Usage != (messages.RoundTrip{}) {
		step.Usage = &recalled.Usage
	}
	switch {
	case recalled.Tool != "":
		step.Role, step.Name, step.Title, step.Status = "tool", recalled.Tool, recalled.Title, recalled.Status.DescribeEnd(recalled.Exit, recalled.Job)
		step.Command = recalled.Command
		step.Text = messages.Summary(recalled.Status, recalled.Text)
	case recalled.Said:
		step.Role = "you"
	}
	return step
}

// speaker returns the name shown above a step. If a model spoke, the name includes the model.
func (s Step) speaker() string {
	if s.Role == "assistant" && s.Model != "" {
		return speakers[s.Role] + " (" + s.Model + ")"
	}
	return speakers[s.Role]
}

// textWithCommand returns the text of a step. If the title shortens the command, the text begins
// with the whole command.
func (s Step) textWithCommand() string {
	if s.Command == "" {
		return s.Text
	}
	return strings.TrimSuffix("$ "+s.Command+"\n"+s.Text, "\n")
}

// Forms is the message text that lists the supported file types.
const Forms = "FILE.md, FILE.json or FILE.html"

// Writes reports whether [Format] supports the extension of path.
func Writes(path string) bool {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md", ".json", ".html":
		return true
	}
	return false
}

// Format returns a conversation in the format that the extension of the path selects.
func Format(path, title string, steps []Step) ([]byte, error) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".md":
		return markdown(steps), nil
	case ".json":
		return inJSON(steps)
	case ".html":
		return page(title, steps), nil
	}
	return nil, fmt.Errorf("the file name %q has no known extension; use %s", path, Forms)
}

func inJSON(steps []Step) ([]byte, error) {
	var content bytes.Buffer
	encoder := json.NewEncoder(&content)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(steps)
	return termsafe.JSON(content.Bytes()), err
}

// speakers contains the displayed name for each role.
var speakers = map[string]string{"you": "You", "assistant": "Marvin", "tool": "Marvin", "shell": "You", "system": "System"}

func markdown(steps []Step) []byte {
	var text strings.Builder
	speaker := ""
	for _, step := range steps {
		name := step.speaker()
		if step.Role == "tool" && strings.HasPrefix(speaker, name) {
			name = speaker // the model that called the tool
		}
		if name != speaker || step.Role == "you" {
			fmt.Fprintf(&text, "## %s, %s\n\n", name, step.At.Format("2006-01-02 15:04"))
		}
		speaker = name
		if step.Thinking != "" {
			fmt.Fprintf(&text, "> %s\n\n", strings.ReplaceAll(strings.TrimSpace(step.Thinking), "\n", "\n> "))
		}
		for _, picture := range step.Pictures {
			fmt.Fprintf(&text, "🖼 %s\n\n", picture)
		}
		switch step.Role {
		case "tool":
			fmt.Fprintf(&text, "🔧 %s (%s)\n\n", step.Title, step.Status)
			if said := step.textWithCommand(); said != "" {
				fmt.Fprintf(&text, "%s\n\n", Fenced(said))
			}
		case "shell":
			fmt.Fprintf(&text, "%s\n\n", Fenced("$ "+step.Name+"\n"+step.Text))
		default:
			if said := strings.TrimSpace(step.Text); said != "" {
				fmt.Fprintf(&text, "%s\n\n", said)
			}
		}
	}
	return []byte(termsafe.String(text.String()))
}

// Fenced encloses text in a code fence that the text does not contain. The result has no final line
// break.
func Fenced(text string) string {
	fence := "```"
	for strings.Contains(text, fence) {
		fence += "`"
	}
	return fence + "\n" + strings.TrimRight(text, "\n") + "\n" + fence
}
