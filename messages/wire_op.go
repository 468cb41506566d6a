package messages

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
)

// Request is one op from a front end in another process. The sender chooses the ID, and any error
// carries it. Request is an op itself. The session reports every failure of a Request with
// [Refused], even if a user in front of a screen would need no message.
type Request struct {
	ID string
	Op Op
}

func (Request) op() {}

type wireRequest struct {
	Version int             `json:"v,omitempty"` // absent: the sender knows only this version
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Op      json.RawMessage `json:"op,omitempty"`
}

// opType is a type of op: its JSON name, and the function that reads and checks its body.
type opType struct {
	name string
	is   reflect.Type
	read func(body json.RawMessage) (Op, error)
}

// opTypes are all ops that another process may send. The table is made on first use.
var opTypes = sync.OnceValue(func() []opType {
	return []opType{
		checkedOp("prompt", func(op Prompt, _ json.RawMessage) error { return given("text", op.Text) }),
		plainOp[Cancel]("cancel"),
		checkedOp("answer", func(op Answer, _ json.RawMessage) error { return errors.Join(given("ask", op.Ask), op.check()) }),
		checkedOp("attend", func(op Attend, _ json.RawMessage) error { return given("ask", op.Ask) }),
		plainOp[ListGrants]("list_grants"),
		checkedOp("revoke", func(op Revoke, _ json.RawMessage) error {
			if op.Grant < 1 {
				return errors.New("grant is missing: its number in grants")
			}
			return nil
		}),
		plainOp[ShowContext]("show_context"),
		plainOp[ShowNeeds]("show_needs"),
		plainOp[ListSent]("list_sent"),
		checkedOp("set_dir", func(op SetDir, _ json.RawMessage) error {
			if !filepath.IsAbs(op.Path) {
				return fmt.Errorf("path %q is not absolute", op.Path)
			}
			return nil
		}),
		checkedOp("set_mode", func(_ SetMode, body json.RawMessage) error { return has(body, "coding") }),
		checkedOp("set_approval", func(op SetApproval, _ json.RawMessage) error { return op.Mode.check() }),
		checkedOp("set_model", func(op SetModel, _ json.RawMessage) error {
			return given("provider, model or effort", op.Provider+op.Model+op.Effort)
		}),
		checkedOp("set_profile", func(op SetProfile, _ json.RawMessage) error { return given("name", op.Name) }),
		plainOp[Compact]("compact"),
		plainOp[Clear]("clear"),
		checkedOp("rename", func(op Rename, _ json.RawMessage) error { return given("title", op.Title) }),
		plainOp[Undo]("undo"),
		plainOp[ListChanges]("list_changes"),
		checkedOp("take_back", func(op TakeBack, _ json.RawMessage) error {
			if op.Hunk < 1 {
				return errors.New("hunk is missing: the number of the part in changes, from 1")
			}
			return errors.Join(given("path", op.Path), given("seen", op.Seen))
		}),
		checkedOp("resume", func(op Resume, _ json.RawMessage) error { return given("id", op.ID) }),
		plainOp[Fork]("fork"),
		plainOp[ListTree]("list_tree"),
		plainOp[ListArtifacts]("list_artifacts"),
		plainOp[Background]("background"),
		checkedOp("visit_agent", func(op VisitAgent, _ json.RawMessage) error {
			if op.Agent < 1 {
				return errors.New("agent is missing: its number in the call, from 1")
			}
			return given("call", op.Call)
		}),
		checkedOp("branch", func(op Branch, _ json.RawMessage) error {
			if op.Entry < 1 {
				return errors.New("entry is missing: the name of the turn in the tree")
			}
			return nil
		}),
		checkedOp("label", func(_ Label, body json.RawMessage) error { return has(body, "text") }),
		checkedOp("rewind", func(op Rewind, _ json.RawMessage) error {
			if op.Prompts < 0 {
				return errors.New("prompts counts back from the last one, which is 1")
			}
			return nil
		}),
		checkedOp("aside", func(op Aside, _ json.RawMessage) error { return given("text", op.Text) }),
		plainOp[Handoff]("handoff"),
		plainOp[Quit]("quit"),
	}
})

// plainOp is an op with any values.
func plainOp[O Op](name string) opType {
	return checkedOp(name, func(O, json.RawMessage) error { return nil })
}

func checkedOp[O Op](name string, check func(O, json.RawMessage) error) opType {
	return opType{name, reflect.TypeFor[O](), func(body json.RawMessage) (Op, error) { return decode(name, body, check) }}
}

// OpNames lists the JSON names of all ops.
func OpNames() []string {
	names := make([]string, 0, len(opTypes()))
	for _, one := range opTypes() {
		names = append(names, one.name)
	}
	return names
}

// OpName returns the JSON name of an op's type.
func OpName(op Op) string {
	at := slices.IndexFunc(opTypes(), func(one opType) bool { return one.is == reflect.TypeOf(op) })
	if at < 0 {
		panic(fmt.Sprintf("messages: op %T has no wire name", op))
	}
	return opTypes()[at].name
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
// fields are errors, because a misspelt field would change the meaning. If the ID can be read, it
// is set even if there is an error.
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
	if name == "" {
		return nil, errors.New(`"type" is missing; it is one of ` + strings.Join(OpNames(), ", "))
	}
	at := slices.IndexFunc(opTypes(), func(one opType) bool { return one.name == name })
	if at < 0 {
		return nil, fmt.Errorf("type %q is unknown; it is one of %s", name, strings.Join(OpNames(), ", "))
	}
	return opTypes()[at].read(body)
}

// decode reads the body of an op; an absent body is the same as {}.
func decode[O Op](name string, body json.RawMessage, check func(O, json.RawMessage) error) (Op, error) {
	var op O
	if len(body) > 0 {
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&op); err != nil {
			return nil, fmt.Errorf("op of %s: %w", name, Misread(err))
		}
	}
	if err := check(op, body); err != nil {
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

// has returns an error if the field is missing from the body. It is for fields whose zero value has
// a meaning.
func has(body json.RawMessage, field string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || string(cmp.Or(string(fields[field]), "null")) == "null" {
		return fmt.Errorf("%s is missing", field)
	}
	return nil
}

// check returns an error if the answer has a field that its choice would ignore.
func (a Answer) check() error {
	if a.Text != "" && a.Choice != No {
		return fmt.Errorf("text says what to do instead, and needs the choice %s", No)
	}
	if a.Mode != "" {
		if err := a.Mode.check(); err != nil {
			return err
		}
	}
	return a.Choice.check()
}

// check returns an error for an unknown choice: only a plain yes may let a tool run.
func (c Choice) check() error {
	if choices := []Choice{Yes, Always, No}; !slices.Contains(choices, c) {
		return fmt.Errorf("choice %q is unknown; it is one of %s, %s, %s", c, Yes, Always, No)
	}
	return nil
}
