package tools

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"marvin/tools/internal/params"
)

// mostShown is the longest change that is shown as a diff, in bytes. For a longer one the arguments
// are shown: the subject of an approval is never cut.
const mostShown = 100_000

// Showing has a tool say what a call would do to files, before a person agrees to it: change
// makes a unified diff, or "" where nothing would be done or that cannot be known.
func Showing[In any](tool Tool, change func(Env, In) (diff string)) Tool {
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
			return change(env.distrusting(), in)
		}
		return call, nil
	}
	return tool
}

// Titled gives a tool a one-line description of its calls, for calls whose first arguments are not
// enough: title follows the tool's name; "" means the default.
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

// mostCommand is how much of a command people are shown, in bytes.
const mostCommand = 16 << 10

// Whole is the command of a call for people, where its title cuts that short; else "".
func (c Call) Whole() string {
	if c.Command == nil {
		return ""
	}
	command := Visible(strings.TrimSpace(*c.Command))
	if strings.Contains(c.Title, command) {
		return ""
	}
	return params.Clip(command, mostCommand)
}

// Change is what the call would do to files, as a unified diff for people; "" where that is
// not known, or too long to be read.
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

// ShowArgs is the arguments of a call for a person who decides about it: all of them, a
// line each, texts of several lines at the end and as they are. What is no object is
// shown as it was written.
func ShowArgs(args json.RawMessage) string {
	var fields map[string]json.RawMessage
	if json.Unmarshal(args, &fields) != nil || len(fields) == 0 {
		return Visible(string(args))
	}
	var short, long []string
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		var text string
		if json.Unmarshal(fields[name], &text) != nil || strings.TrimSpace(text) != text && !strings.Contains(text, "\n") {
			text = string(fields[name]) // in quotes, so that blanks at its ends are seen
		}
		if !strings.Contains(text, "\n") {
			short = append(short, name+": "+text)
			continue
		}
		long = append(long, name+":\n  "+strings.ReplaceAll(strings.TrimSuffix(text, "\n"), "\n", "\n  "))
	}
	return Visible(strings.Join(append(short, long...), "\n"))
}
