package acp

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"marvin/messages"
	"marvin/messages/acp"
	"marvin/ui/transcript"
)

// The statuses of a call.
const (
	statusPending   = "pending"
	statusRunning   = "in_progress"
	statusCompleted = "completed"
	statusFailed    = "failed"
)

// Sizes in bytes.
const (
	mostOutput = 8 << 10  // limit on a running call's output
	mostResult = 64 << 10 // limit on the shown result of a finished call
)

// outputEvery is the minimum time between two updates of a running call.
const outputEvery = 200 * time.Millisecond

// call is a tool call that was sent to the client.
type call struct {
	told   time.Time // the time of the last update
	output string
	agents map[int]string // a status line for each sub-agent
	places []acp.Location
	alone  bool // the call ends with an answer, not with a tool event
}

// kinds is a map from tool names to kinds. It contains the tools whose names do not indicate the
// kind.
var kinds = map[string]string{
	"tree": "read", "clock": "read", "get_working_dir": "read", "set_working_dir": "other", "code_check": "execute",
	"run_command": "execute", "install_packages": "execute", "job_input": "execute", "launch_agent": "think", "review_codebase": "think",
	"propose_plan": "switch_mode", "update_plan": "think", "ask_user": "think", "browse_web": "fetch", "scrape_page": "fetch", "download_file": "fetch",
	"create_file": "edit", "append_file": "edit", "apply_patch": "edit", "file_apply_patch": "edit", "code_rename": "edit", "write_note": "edit",
	"find_files": "search", "code_references": "search", "code_definition": "search", "code_symbols": "search", "find_tools": "search",
	"move_note": "move", "git_status": "read", "git_diff": "read", "git_log": "read", "git_blame": "read", "git_commit": "execute", "git_checkout": "execute",
}

// kindOf returns the protocol's kind for a tool.
func kindOf(tool string) string {
	if kind := kinds[tool]; kind != "" {
		return kind
	}
	for _, part := range []struct{ word, kind string }{
		{"search", "search"}, {"grep", "search"}, {"remove", "delete"}, {"delete", "delete"}, {"read", "read"}, {"_view", "read"}, {"_list", "read"}, {"list_", "read"},
	} {
		if strings.Contains(tool, part.word) {
			return part.kind
		}
	}
	return "other"
}

// tellCall sends the client an update for a tool call event.
func (s *session) tellCall(event messages.Event, at time.Time) {
	switch event := event.(type) {
	case messages.ToolStarted:
		one := s.calls[event.Call]
		kind := "tool_call_update"
		if one == nil {
			one, kind = s.addCall(event.Call), "tool_call"
		}
		for _, path := range event.Paths {
			one.places = append(one.places, acp.Location{Path: path})
		}
		s.update(acp.CallUpdate{
			Kind: kind, ID: event.Call, Title: titleOf(event.Name, event.Title), Name: event.Name, What: kindOf(event.Name),
			Status: statusRunning, Locations: one.places, Input: inputOf(event.Command),
		})
	case messages.ToolOutput:
		if one := s.calls[event.Call]; one != nil {
			one.output = tail(one.output + event.Chunk)
			s.progress(event.Call, one, one.output, at)
		}
	case messages.AgentChanged:
		if one := s.calls[event.Call]; one != nil {
			s.progress(event.Call, one, one.agent(event), at)
		}
	case messages.ToolEnded:
		s.endCall(event)
	default: // session.tell handles the other events
	}
}

func (s *session) addCall(id string) *call {
	one := &call{}
	s.calls[id] = one
	return one
}

// progress sends the client the output of a running call, at most once per outputEvery.
func (s *session) progress(id string, one *call, text string, at time.Time) {
	if at.Sub(one.told) < outputEvery {
		return
	}
	one.told = at
	s.update(acp.CallUpdate{Kind: "tool_call_update", ID: id, Status: statusRunning, Content: []acp.CallContent{textContent(transcript.Fenced(text))}})
}

// agent updates a sub-agent's status line, and returns the status lines of all sub-agents.
func (c *call) agent(event messages.AgentChanged) string {
	if c.agents == nil {
		c.agents = map[int]string{}
	}
	line := fmt.Sprintf("%s: %s", event.Name, event.State)
	if event.Doing != "" && event.State == messages.AgentWorking {
		line += ", " + event.Doing
	}
	c.agents[event.Agent] = line
	lines := make([]string, 0, len(c.agents))
	for _, number := range slices.Sorted(maps.Keys(c.agents)) {
		lines = append(lines, c.agents[number])
	}
	return tail(strings.Join(lines, "\n"))
}

func (s *session) endCall(event messages.ToolEnded) {
	one, kind := s.calls[event.Call], "tool_call_update"
	if one == nil { // the call never began
		one, kind = s.addCall(event.Call), "tool_call"
	}
	told := acp.CallUpdate{Kind: kind, ID: event.Call, Status: endStatus(event.Status == messages.OK), Locations: one.places}
	if kind == "tool_call" || event.Title != "" { // a question can change the title
		told.Title, told.Name, told.What = titleOf(event.Name, event.Title), event.Name, kindOf(event.Name)
	}
	if event.View != nil && event.View.Kind == messages.Diff {
		var places []acp.Location
		told.Content, places = diffsOf(event.View.Text, s.talk.Dir)
		if len(places) > 0 {
			told.Locations = places
		}
	}
	if len(told.Content) == 0 {
		told.Content = resultOf(event.Text)
	}
	s.update(told)
	delete(s.calls, event.Call)
}

// sweep closes all open calls. The outcome of the turn determines the status of the calls.
func (s *session) sweep(outcome messages.Outcome) {
	for _, id := range slices.Sorted(maps.Keys(s.calls)) {
		s.update(acp.CallUpdate{Kind: "tool_call_update", ID: id, Status: endStatus(outcome == messages.Completed)})
	}
	clear(s.calls)
}

func titleOf(tool, title string) string {
	if title = firstLine(title); title != "" {
		return title
	}
	return tool
}

func inputOf(command string) any {
	if command == "" {
		return nil
	}
	return map[string]string{"command": command}
}

func resultOf(text string) []acp.CallContent {
	if strings.TrimSpace(text) == "" {
		return nil
	}
	if len(text) > mostResult {
		text = strings.ToValidUTF8(text[:mostResult], "") + "\n[… cut]"
	}
	return []acp.CallContent{textContent(transcript.Fenced(text))}
}

func textContent(text string) acp.CallContent {
	one := textBlock(text)
	return acp.CallContent{Type: "content", Content: &one}
}

// tail returns the last lines of text, at most mostOutput bytes.
func tail(text string) string {
	if len(text) <= mostOutput {
		return text
	}
	text = text[len(text)-mostOutput:]
	if _, rest, found := strings.Cut(text, "\n"); found {
		return rest
	}
	return strings.ToValidUTF8(text, "")
}

func endStatus(completed bool) string {
	if completed {
		return statusCompleted
	}
	return statusFailed
}
