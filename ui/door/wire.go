package door

import (
	"encoding/json"
	"errors"
	"fmt"

	"marvin/messages"
)

// The types of a connection's first line.
const (
	statusType = "status"
	stopType   = "stop"
	enterType  = "enter"
	// completeType asks what the last word of a text may become.
	completeType = "complete"
)

// request is the first line of a connection.
type request struct {
	Type string `json:"type"`
	Op   struct {
		Role   messages.WindowRole `json:"role,omitempty"`
		Name   string              `json:"name,omitempty"`
		Images bool                `json:"images,omitempty"` // pictures come along
		Text   string              `json:"text,omitempty"`   // to complete
	} `json:"op,omitzero"`
}

// Completions are what the last word of a text may become.
type Completions struct {
	Word  string       `json:"word"`
	Items []Completion `json:"items"`
}

// Completion is one of them.
type Completion struct {
	Item string `json:"item"`
	Note string `json:"note,omitempty"`
}

// typed is a line that a user types, as docs/rpc.md has it.
type typed struct {
	Version int    `json:"v"`
	ID      string `json:"id,omitempty"`
	Type    string `json:"type"`
	Op      struct {
		Text string `json:"text"`
	} `json:"op"`
}

// reply is a line that is neither an event nor the hello of docs/rpc.md.
type reply struct {
	Version int             `json:"v"`
	Type    string          `json:"type"`
	Live    *messages.Live  `json:"live,omitempty"`
	Level   messages.Level  `json:"level,omitempty"`
	Text    string          `json:"text,omitempty"`
	ID      string          `json:"id,omitempty"`
	Error   string          `json:"error,omitempty"`
	Event   json.RawMessage `json:"event,omitempty"`

	Completions *Completions         `json:"completions,omitempty"`
	Images      [][]messages.Picture `json:"images,omitempty"`
}

func (r request) check() error {
	switch r.Type {
	case statusType, stopType, completeType:
		return nil
	case enterType:
		return r.Op.Role.Check()
	case "":
		return errors.New(`"type" is missing; the first line is {"type":"enter","op":{"role":"see","name":"…"}}, {"type":"status"} or {"type":"stop"}`)
	}
	return fmt.Errorf(`type %q is unknown here; the first line is {"type":"enter","op":{"role":"see","name":"…"}}, {"type":"status"} or {"type":"stop"}`, r.Type)
}
