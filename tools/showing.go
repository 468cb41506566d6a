package tools

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"marvin/tools/internal/params"
)

// mostShown is the maximum length of a diff in an approval question, in bytes. A longer diff is not
// truncated; the question shows the call's arguments instead.
const mostShown = 100_000

// WithPreview returns the tool with approval questions that show file changes. preview returns a
// unified diff, or "" if nothing would change or the changes cannot be predicted.
func WithPreview[In any](tool Tool, preview func(Env, In) (diff string)) Tool {
	decode := tool.decode
	tool.decode = func(raw json.RawMessage) (Call, error) {
		call, err := decode(raw)
		if err != nil {
			return call, err
		}
		call.change = func(env Env) string {
			var in In
			data, err := call.args()
			if err != nil || json.Unmarshal(data, &in) != nil {
				return ""
			}
			return preview(env.distrusting(), in)
		}
		return call, nil
	}
	return tool
}

// Titled returns the tool with call titles of the form "NAME TEXT", where TEXT is the result of the
// title function. If TEXT is empty, the call keeps its default title.
func Titled[In any](tool Tool, title func(In) string) Tool {
	decode := tool.decode
	tool.decode = func(raw json.RawMessage) (Call, error) {
		call, err := decode(raw)
		if err != nil {
			return call, err
		}
		var in In
		data, err := call.args()
		if err != nil || json.Unmarshal(data, &in) != nil {
			return call, nil
		}
		if said := title(in); said != "" {
			call.Title = call.Tool.Name + " " + said
		}
		return call, nil
	}
	return tool
}

// mostCommand is the maximum length of a displayed command, in bytes.
const mostCommand = 16 << 10

// FullCommand returns the call's command for display. It returns "" if the call has no command, or
// if the title contains the whole command.
func (c Call) FullCommand() string {
	if c.Command == nil {
		return ""
	}
	command := Visible(strings.TrimSpace(*c.Command))
	if strings.Contains(c.Title, command) {
		return ""
	}
	return params.Clip(command, mostCommand)
}

// Change returns a unified diff of the changes that the call would make to files, or "" if the diff
// is unknown or too long to read.
func (c Call) Change(env Env) string {
	if c.change == nil {
		return ""
	}
	diff := c.change(env)
	if len(diff) > mostShown {
		return ""
	}
	return Visible(diff)
}

// ShowArgs formats a call's arguments for an approval question. Multi-line strings come last. If
// args is not a JSON object, ShowArgs returns args as text.
func ShowArgs(args json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil || len(fields) == 0 {
		return Visible(string(args))
	}
	var short, long []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var text string
		if json.Unmarshal(fields[name], &text) != nil || strings.TrimSpace(text) != text && !strings.Contains(text, "\n") {
			text = string(fields[name]) // in quotes, so that surrounding spaces are visible
		}
		if !strings.Contains(text, "\n") {
			short = append(short, name+": "+text)
			continue
		}
		long = append(long, name+":\n  "+strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  "))
	}
	return Visible(strings.Join(append(short, long...), "\n"))
}
