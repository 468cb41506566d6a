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
)

// Request is an op from a front end in another process. The sender chooses the ID. If a request is
// not carried out, the session sends a [Refused], but not always a [Notice].
type Request struct {
	ID string
	Op Op
}

func (Request) opName() string { return "" }

type wireRequest struct {
	Version int             `json:"v,omitempty"` // 0 if the sender gave no version
	ID      string          `json:"id,omitempty"`
	Type    string          `json:"type"`
	Op      json.RawMessage `json:"op,omitempty"`
}

// everyOp lists the ops that other processes can send.
var everyOp = append([]Op(nil),
	Prompt{}, Cancel{}, Answer{}, Attend{}, ListGrants{}, Revoke{}, ShowContext{}, ShowNeeds{},
	ListSent{}, SetDir{}, SetMode{}, SetApproval{}, SetModel{}, SetProfile{}, Compact{}, Clear{},
	Rename{}, Undo{}, ListChanges{}, TakeBack{}, Resume{}, Fork{}, ListTree{}, ListArtifacts{},
	Background{}, VisitAgent{}, Branch{}, Label{}, Rewind{}, SideQuestion{}, Handoff{}, Quit{},
)

// OpNames lists the JSON names of all ops.
func OpNames() []string {
	names := make([]string, 0, len(everyOp))
	for _, one := range everyOp {
		names = append(names, one.opName())
	}
	return names
}

// OpName returns the JSON name of an op's type.
func OpName(op Op) string { return op.opName() }

// MarshalJSON writes the request as one object without line breaks.
func (r Request) MarshalJSON() ([]byte, error) {
	body, err := encode(r.Op)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", OpName(r.Op), err)
	}
	return encode(wireRequest{Version: WireVersion, ID: r.ID, Type: OpName(r.Op), Op: body})
}

// UnmarshalJSON reads and checks a request. It rejects unknown fields of the op, because ignoring a
// misspelled field could change the op's meaning. It sets the ID even if the version or the op is
// invalid.
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
	at := slices.IndexFunc(everyOp, func(one Op) bool { return one.opName() == name })
	if at < 0 {
		return nil, fmt.Errorf("type %q is unknown; it must be one of %s", name, strings.Join(OpNames(), ", "))
	}
	into := reflect.New(reflect.TypeOf(everyOp[at]))
	if len(body) > 0 { // an absent body is the same as {}
		decoder := json.NewDecoder(bytes.NewReader(body))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(into.Interface()); err != nil {
			return nil, fmt.Errorf("the field \"op\" of %s: %w", name, Misread(err))
		}
	}
	op := into.Elem().Interface().(Op)
	if err := checkOp(op, body); err != nil {
		return nil, fmt.Errorf("the field \"op\" of %s: %w", name, err)
	}
	return op, nil
}

// checkOp returns an error if a value is missing or invalid.
func checkOp(op Op, body json.RawMessage) error {
	switch op := op.(type) {
	case Prompt:
		return required("text", op.Text)
	case Answer:
		return errors.Join(required("ask", op.Ask), op.check())
	case Attend:
		return required("ask", op.Ask)
	case Revoke:
		if op.Grant < 1 {
			return errors.New(`"grant" is missing; give the number that "grants" lists for the grant`)
		}
	case SetDir:
		if !filepath.IsAbs(op.Path) {
			return fmt.Errorf("path %q is not absolute", op.Path)
		}
	case SetMode:
		return requireField(body, "coding")
	case SetApproval:
		return op.Mode.check()
	case SetModel:
		return required("provider, model or effort", op.Provider+op.Model+op.Effort)
	case SetProfile:
		return required("name", op.Name)
	case Rename:
		return required("title", op.Title)
	case TakeBack:
		if op.Hunk < 1 {
			return errors.New(`"hunk" is missing; give the number of the part in "changes", from 1`)
		}
		return errors.Join(required("path", op.Path), required("seen", op.Seen))
	case Resume:
		return required("id", op.ID)
	case VisitAgent:
		if op.Agent < 1 {
			return errors.New(`"agent" is missing; give the number of the sub-agent in the call, from 1`)
		}
		return required("call", op.Call)
	case Branch:
		if op.Entry < 1 {
			return errors.New(`"entry" is missing; give the name that "tree" lists for the turn`)
		}
	case Label:
		return requireField(body, "text")
	case Rewind:
		if op.Prompts < 0 {
			return errors.New(`"prompts" must be at least 1: it counts back from the last prompt, which is 1`)
		}
	case SideQuestion:
		return required("text", op.Text)
	default: // the other ops have no invalid values
	}
	return nil
}

func required(field, value string) error {
	if strings.TrimSpace(value) == "" {
		return fmt.Errorf("%s is missing", field)
	}
	return nil
}

// requireField returns an error if the body lacks the field. It is for fields whose zero value has
// a meaning.
func requireField(body json.RawMessage, field string) error {
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(body, &fields); err != nil || string(cmp.Or(string(fields[field]), "null")) == "null" {
		return fmt.Errorf("%s is missing", field)
	}
	return nil
}

// check validates the choice and the mode. Only an answer with the choice [No] can have text.
func (a Answer) check() error {
	if a.Text != "" && a.Choice != No {
		return fmt.Errorf("if an answer has \"text\" (what to do instead), its choice must be %s", No)
	}
	if a.Mode != "" {
		if err := a.Mode.check(); err != nil {
			return err
		}
	}
	return a.Choice.check()
}

// check returns an error for an unknown choice, so that only an explicit yes lets a tool run.
func (c Choice) check() error {
	if choices := []Choice{Yes, Always, No}; !slices.Contains(choices, c) {
		return fmt.Errorf("choice %q is unknown; it must be one of %s, %s, %s", c, Yes, Always, No)
	}
	return nil
}
