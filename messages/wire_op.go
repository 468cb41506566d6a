package messages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// Request is one op from a front end in another process. ID is chosen by the sender and comes back
// with any error. Request is an op itself: the session answers it with [Refused] where it would say
// nothing to a user, who sees what happened.
type Request struct {
	ID string
	Op Op
}

func (Request) op() {}

type wireRequest struct {
	Version int             `json:"v,omitempty"` // absent: the sender knows of no other than ours
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Op      json.RawMessage `json:"op,omitempty"`
}

// OpNames lists the JSON names of all ops.
func OpNames() []string {
	return []string{"prompt", "cancel", "answer", "attend", "list_grants", "revoke", "show_context", "show_needs", "list_sent", "set_dir", "set_mode", "set_approval", "set_model", "set_profile", "compact", "clear", "rename", "undo", "list_changes", "take_back", "resume", "fork", "list_tree", "list_artifacts", "background", "visit_agent", "branch", "label", "rewind", "aside", "handoff", "quit"}
}

// OpName is the JSON name of an op's type.
func OpName(op Op) string {
	switch op.(type) {
	case Prompt:
		return "prompt"
	case Cancel:
		return "cancel"
	case Answer:
		return "answer"
	case Attend:
		return "attend"
	case ListGrants:
		return "list_grants"
	case Revoke:
		return "revoke"
	case ShowContext:
		return "show_context"
	case ShowNeeds:
		return "show_needs"
	case ListSent:
		return "list_sent"
	case SetDir:
		return "set_dir"
	case SetMode:
		return "set_mode"
	case SetApproval:
		return "set_approval"
	case SetModel:
		return "set_model"
	case SetProfile:
		return "set_profile"
	case Compact:
		return "compact"
	case Clear:
		return "clear"
	case Rename:
		return "rename"
	case Undo:
		return "undo"
	case ListChanges:
		return "list_changes"
	case TakeBack:
		return "take_back"
	case Resume:
		return "resume"
	case Fork:
		return "fork"
	case ListTree:
		return "list_tree"
	case ListArtifacts:
		return "list_artifacts"
	case Background:
		return "background"
	case VisitAgent:
		return "visit_agent"
	case Branch:
		return "branch"
	case Label:
		return "label"
	case Rewind:
		return "rewind"
	case Aside:
		return "aside"
	case Handoff:
		return "handoff"
	case Quit:
		return "quit"
	case Request: // the envelope of an op, which has the name
	}
	panic(fmt.Sprintf("messages: op %T has no wire name", op))
}

// MarshalJSON writes the request as one object without line breaks.
func (r Request) MarshalJSON() ([]byte, error) {
	body, err := encode(r.Op)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", OpName(r.Op), err)
	}
	return encode(wireRequest{Version: WireVersion, ID: r.ID, Type: OpName(r.Op), Op: body})
}

// UnmarshalJSON reads and checks a request: without an error it may be sent to a session. Unknown
// fields are errors, because a misspelt field would change the meaning. ID is set even then, if it
// can be read.
func (r *Request) UnmarshalJSON(data []byte) error {
	var wire wireRequest
	if err := json.Unmarshal(data, &wire); err != nil {
		return err
	}
	r.ID = wire.ID
	if wire.Version > WireVersion {
		return fmt.Errorf("version %d is unknown; this Marvin speaks %d", wire.Version, WireVersion)
	}
	op, err := decodeOp(wire.Type, wire.Op)
	if err != nil {
		return err
	}
	r.Op = op
	return nil
}

func decodeOp(name string, body json.RawMessage) (Op, error) {
	switch name {
	case "prompt":
		return decode(name, body, func(op Prompt) error { return given("text", op.Text) })
	case "cancel":
		return decode(name, body, func(Cancel) error { return nil })
	case "answer":
		return decode(name, body, func(op Answer) error { return errors.Join(given("ask", op.Ask), op.check()) })
	case "attend":
		return decode(name, body, func(op Attend) error { return given("ask", op.Ask) })
	case "list_grants":
		return decode(name, body, func(ListGrants) error { return nil })
	case "list_sent":
		return decode(name, body, func(ListSent) error { return nil })
	case "show_context":
		return decode(name, body, func(ShowContext) error { return nil })
	case "show_needs":
		return decode(name, body, func(ShowNeeds) error { return nil })
	case "revoke":
		return decode(name, body, func(op Revoke) error {
			if op.Grant < 1 {
				return errors.New("grant is missing: its number in grants")
			}
			return nil
		})
	case "set_dir":
		return decode(name, body, func(op SetDir) error {
			if !filepath.IsAbs(op.Path) {
				return fmt.Errorf("path %q is not absolute", op.Path)
			}
			return nil
		})
	case "set_mode":
		return decode(name, body, func(SetMode) error { return has(body, "coding") })
	case "set_approval":
		return decode(name, body, func(op SetApproval) error { return op.Mode.check() })
	case "set_model":
		return decode(name, body, func(op SetModel) error { return given("provider, model or effort", op.Provider+op.Model+op.Effort) })
	case "set_profile":
		return decode(name, body, func(op SetProfile) error { return given("name", op.Name) })
	case "compact":
		return decode(name, body, func(Compact) error { return nil })
	case "clear":
		return decode(name, body, func(Clear) error { return nil })
	case "rename":
		return decode(name, body, func(op Rename) error { return given("title", op.Title) })
	case "undo":
		return decode(name, body, func(Undo) error { return nil })
	case "list_changes":
		return decode(name, body, func(ListChanges) error { return nil })
	case "take_back":
		return decode(name, body, func(op TakeBack) error {
			if op.Hunk < 1 {
				return errors.New("hunk is missing: the number of the part in changes, from 1")
			}
			return errors.Join(given("path", op.Path), given("seen", op.Seen))
		})
	case "quit":
		return decode(name, body, func(Quit) error { return nil })
	case "":
		return nil, errors.New(`"type" is missing; it is one of ` + strings.Join(OpNames(), ", "))
	}
	return decodeTreeOp(name, body)
}

// decodeTreeOp reads the ops that choose a conversation or a branch.
func decodeTreeOp(name string, body json.RawMessage) (Op, error) {
	switch name {
	case "resume":
		return decode(name, body, func(op Resume) error { return given("id", op.ID) })
	case "fork":
		return decode(name, body, func(Fork) error { return nil })
	case "list_tree":
		return decode(name, body, func(ListTree) error { return nil })
	case "list_artifacts":
		return decode(name, body, func(ListArtifacts) error { return nil })
	case "background":
		return decode(name, body, func(Background) error { return nil })
	case "visit_agent":
		return decode(name, body, func(op VisitAgent) error {
			if op.Agent < 1 {
				return errors.New("agent is missing: its number in the call, from 1")
			}
			return given("call", op.Call)
		})
	case "branch":
		return decode(name, body, func(op Branch) error {
			if op.Entry < 1 {
				return errors.New("entry is missing: the name of the turn in the tree")
			}
			return nil
		})
	case "label":
		return decode(name, body, func(Label) error { return has(body, "text") })
	case "rewind":
		return decode(name, body, func(op Rewind) error {
			if op.Prompts < 0 {
				return errors.New("prompts counts back from the last one, which is 1")
			}
			return nil
		})
	case "aside":
		return decode(name, body, func(op Aside) error { return given("text", op.Text) })
	case "handoff":
		return decode(name, body, func(Handoff) error { return nil })
	}
	return nil, fmt.Errorf("type %q is unknown; it is one of %s", name, strings.Join(OpNames(), ", "))
}

// decode reads the body of an op; an absent one is {}.
func decode[O Op](name string, body json.RawMessage, check func(O) error) (Op, error) {
	var op O
	if len(body) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&op); err != nil {
			return nil, fmt.Errorf("op of %s: %w", name, Misread(err))
		}
	}
	if err := check(op); err != nil {
		return nil, fmt.Errorf("op of %s: %w", name, err)
	}
	return op, nil
}

func given(field, value string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%s is missing", field)
	}
	return nil
}

// has refuses a body in which a field is missing whose zero value would mean something.
func has(body json.RawMessage, field string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || string(cmp.Or(string(fields[field]), "null")) == "null" {
		return fmt.Errorf("%s is missing", field)
	}
	return nil
}

// check refuses words that would be lost.
func (a Answer) check() error {
	if a.Text != "" && a.Choice != No {
		return fmt.Errorf("text says what to do instead, and goes with the choice %s", No)
	}
	if a.Mode != "" {
		if err := a.Mode.check(); err != nil {
			return err
		}
	}
	return a.Choice.check()
}

// check refuses an unknown choice: only a plain yes may let a tool run.
func (c Choice) check() error {
	if choices := []Choice{Yes, Always, No}; !slices.Contains(choices, c) {
		return fmt.Errorf("choice %q is unknown; it is one of %s, %s, %s", c, Yes, Always, No)
	}
	return nil
}
