package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
)

// This file converts hook input to Claude Code's format, and converts answers from that format.

// foreignInput is the input that Claude Code defines for hooks.
type foreignInput struct {
	Session    string          `json:"session_id"`
	Transcript string          `json:"transcript_path"` // always empty, because Marvin's transcripts have a different format
	Dir        string          `json:"cwd"`
	Mode       string          `json:"permission_mode"`
	Event      string          `json:"hook_event_name"`
	Tool       string          `json:"tool_name,omitempty"`
	Args       json.RawMessage `json:"tool_input,omitempty"`
	Result     *string         `json:"tool_response,omitempty"`
	Prompt     string          `json:"prompt,omitempty"`
	Message    string          `json:"message,omitempty"`
	Source     string          `json:"source,omitempty"`
	Reason     string          `json:"reason,omitempty"`
	Stopped    *bool           `json:"stop_hook_active,omitempty"`
}

func (h Hook) toldForeign(said HookInput) ([]byte, error) {
	theirs := foreignInput{
		Session: said.Session, Dir: said.Dir, Mode: "default", Event: h.foreign, Result: said.Result,
		Prompt: said.Prompt, Message: said.Asked,
	}
	if said.Tool != "" {
		theirs.Tool, theirs.Args = said.Tool, withForeignPath(said.Args, said.Dir)
		if names := foreignNames[said.Tool]; len(names) > 0 {
			theirs.Tool = names[0]
		}
	}
	switch said.Event {
	case SessionStart:
		theirs.Source = "startup"
	case SessionResume:
		theirs.Source = "resume"
	case SessionClear:
		theirs.Source = "clear"
	case AgentEnd:
		theirs.Reason = "other"
	case AgentStop:
		again := said.Stops != nil && *said.Stops > 0
		theirs.Stopped = &again
	}
	return encoded(theirs)
}

// withForeignPath copies the argument "path" to "file_path", the argument's name in Claude Code. It
// prepends dir to a relative path in the copy.
func withForeignPath(args json.RawMessage, dir string) json.RawMessage {
	var values map[string]any
	if json.Unmarshal(args, &values) != nil {
		return args
	}
	path, named := values["path"].(string)
	if _, taken := values["file_path"]; !named || taken {
		return args
	}
	if !filepath.IsAbs(path) && dir != "" {
		path = filepath.Join(dir, path)
	}
	values["file_path"] = path
	with, err := encoded(values)
	if err != nil {
		return args
	}
	return bytes.TrimSpace(with)
}

// withMarvinPath renames the argument "file_path" to "path".
func withMarvinPath(args json.RawMessage) json.RawMessage {
	var values map[string]any
	if json.Unmarshal(args, &values) != nil {
		return args
	}
	if path, given := values["file_path"].(string); given {
		values["path"] = path
		delete(values, "file_path")
	}
	without, err := encoded(values)
	if err != nil {
		return args
	}
	return bytes.TrimSpace(without)
}

// foreignAnswer is a hook's answer in Claude Code's format. Unknown fields are ignored, as in
// Claude Code.
type foreignAnswer struct {
	Continue *bool  `json:"continue"`
	Why      string `json:"stopReason"`
	Decision string `json:"decision"`
	Reason   string `json:"reason"`
	Specific struct {
		Decision string          `json:"permissionDecision"`
		Reason   string          `json:"permissionDecisionReason"`
		Context  string          `json:"additionalContext"`
		Input    json.RawMessage `json:"updatedInput"`
	} `json:"hookSpecificOutput"`
}

// readForeign parses an answer in Claude Code's format. At the start of a prompt or a conversation,
// a plain-text answer goes to the model. At other events, plain text is ignored.
func readForeign(event Event, text []byte) (said answer, err error) {
	text = bytes.TrimSpace(text)
	if len(text) == 0 || text[0] != '{' {
		if event == AgentStart || event == SessionStart || event == SessionResume || event == SessionClear {
			said.Context = string(text)
		}
		return said, nil
	}
	var theirs foreignAnswer
	if err := json.Unmarshal(text, &theirs); err != nil {
		return answer{}, fmt.Errorf("its answer is not JSON: %w", err)
	}
	said.Context = theirs.Specific.Context
	switch {
	case theirs.Continue != nil && !*theirs.Continue:
		said.Decision, said.Reason = No, theirs.Why
	case theirs.Decision == "block":
		said.Decision, said.Reason = No, theirs.Reason
	case theirs.Specific.Decision == "deny":
		said.Decision, said.Reason = No, theirs.Specific.Reason
	case theirs.Specific.Decision == "ask" && event == ToolBefore:
		said.Decision, said.Reason = Ask, theirs.Specific.Reason
	case theirs.Decision != "" && theirs.Decision != "approve" && theirs.Decision != "allow":
		return answer{}, fmt.Errorf("%q is neither \"block\" nor \"approve\"", clip(theirs.Decision))
	case theirs.Specific.Decision != "" && theirs.Specific.Decision != "allow" && theirs.Specific.Decision != "defer":
		return answer{}, fmt.Errorf("permissionDecision must be \"allow\", \"deny\" or, only before a call, \"ask\"; it is %q", clip(theirs.Specific.Decision))
	}
	if event == ToolBefore && said.Decision != No && len(theirs.Specific.Input) > 0 {
		if theirs.Specific.Input[0] != '{' {
			return answer{}, errors.New("its answer: updatedInput is not an object")
		}
		said.Args = withMarvinPath(theirs.Specific.Input)
	}
	return said, nil
}
