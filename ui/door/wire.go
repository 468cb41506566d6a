package door

import (
	"encoding/json"
	"errors"
	"fmt"

	"marvin/messages"
)

// The values of request.Type.
const (
	statusType = "status"
	stopType   = "stop"
	enterType  = "enter"
	// completeType requests the completions of the last word of the text.
	completeType = "complete"
)

// request is the first line of a connection.
type request struct {
	Type string `json:"type"`
	Op   struct {
		Role   messages.WindowRole `json:"role,omitempty"`
		Name   string              `json:"name,omitempty"`
		Images bool                `json:"images,omitempty"` // send pictures, too
		Text   string              `json:"text,omitempty"`   // text to complete
	} `json:"op,omitzero"`
}

// Completions contains the last word of the text and the completions of that word.
type Completions struct {
	Word  string       `json:"word"`
	Items []Completion `json:"items"`
}

// Completion is a completed text with a description.
type Completion struct {
	Item string `json:"item"`
	Note string `json:"note,omitempty"`
}

// typed represents a "line" request, which docs/rpc.md describes.
type typed struct {
	Version int    `json:"v"`
	ID      string `json:"id,omitempty"`
	Type    string `json:"type"`
	Op      struct {
		Text string `json:"text"`
	} `json:"op"`
}

// reply is a line that a client receives. It has the fields of every kind of line.
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
