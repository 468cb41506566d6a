package budget

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"marvin/messages"
	"marvin/messages/lists"
)

// [Plan.SummaryWithoutModel] lists at most this many of the newest items of each kind.
const (
	mostRequests = 20
	mostAnswers  = 10
	mostErrors   = 8
)

// SummaryWithoutModel makes a summary without asking a model. It shortens the earlier summary and
// lists the dropped requests, answers, calls and errors.
func (p Plan) SummaryWithoutModel() string {
	var requests, answers, failures []string
	calls := map[string]int{}
	for _, message := range p.dropped {
		switch {
		case message.Role == messages.User:
			requests = append(requests, oneLine(message.Text))
		case message.Role == messages.Assistant && len(message.Calls) == 0:
			answers = append(answers, oneLine(message.Text))
		case message.Role == messages.Tool && failed(message.Result):
			failures = append(failures, fmt.Sprintf("%s (%s): %s", message.Result.Name, message.Result.Status, oneLine(message.Result.Text)))
		}
		for _, call := range message.Calls {
			calls[oneLine(call.Name)]++
		}
	}
	called := lists.Map(slices.Sorted(maps.Keys(calls)), func(name string) string { return fmt.Sprintf("%s: %d", name, calls[name]) })
	var sections []string
	add := func(title string, items []string) {
		if lines := bullets(items); len(lines) > 0 {
			sections = append(sections, title+":\n"+strings.Join(lines, "\n"))
		}
	}
	if p.old.text != "" {
		sections = append(sections, "Before that:\n"+p.cut(p.old.text, p.summary/2))
	}
	add("Requests", newest(requests, mostRequests))
	add("Answers", newest(answers, mostAnswers))
	add("Tools called", called)
	add("Errors", newest(failures, mostErrors))
	return p.cut(strings.Join(sections, "\n\n"), p.summary)
}

func failed(result messages.ToolResult) bool {
	return result.Status != messages.OK && result.Status != ""
}

// pathArguments are the names of arguments that contain a path.
var pathArguments = []string{"path", "file", "filename", "file_path", "filepath"}

// patchPaths captures the path in each file header of a patch. It matches both formats that
// apply_patch accepts.
var patchPaths = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?m)^(?:\*\*\* (?:Add|Update|Delete) File: |\+\+\+ (?:b/)?)(\S.*)$`)
})

// files returns the earlier list, extended by the files in the dropped calls. Each item names a
// file and the tools that used the file. The most recently used file comes last.
func (p Plan) files(earlier []string) []string {
	var order []string
	by := map[string][]string{}
	touch := func(path, tool string) {
		if path = oneLine(path); path == "" {
			return
		}
		if at := slices.Index(order, path); at >= 0 {
			order = slices.Delete(order, at, at+1)
		}
		order = append(order, path)
		if tool != "" && !slices.Contains(by[path], tool) {
			by[path] = append(by[path], tool)
		}
	}
	for _, item := range earlier {
		path, used := item, ""
		if at := strings.LastIndex(item, fileSeparator); at >= 0 {
			path, used = item[:at], item[at+len(fileSeparator):]
		}
		touch(path, "")
		for tool := range strings.SplitSeq(used, ", ") {
			touch(path, tool)
		}
	}
	for i, message := range p.dropped {
		for j, call := range message.Calls {
			// Message i+1+j is the result of call j.
			if at := i + 1 + j; at < len(p.dropped) && failed(p.dropped[at].Result) {
				continue
			}
			for _, path := range paths(call.Args) {
				touch(path, oneLine(call.Name))
			}
		}
	}
	for i, path := range order {
		if len(by[path]) > 0 {
			order[i] = path + fileSeparator + strings.Join(by[path], ", ")
		}
	}
	return order
}

const fileSeparator = " — "

func paths(raw json.RawMessage) []string {
	var args map[string]any
	if json.Unmarshal(raw, &args) != nil {
		return nil
	}
	var found []string
	for _, name := range slices.Sorted(maps.Keys(args)) {
		text, ok := args[name].(string)
		if !ok {
			continue
		}
		if slices.Contains(pathArguments, name) {
			found = append(found, text)
			continue
		}
		for _, match := range patchPaths().FindAllStringSubmatch(text, -1) {
			if path := strings.TrimSpace(match[1]); path != "/dev/null" {
				found = append(found, path)
			}
		}
	}
	return found
}
