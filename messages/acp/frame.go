package acp

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"

	"marvin/messages"
)

// The error codes of JSON-RPC and of the Agent Client Protocol. RPCVersion is the version of
// JSON-RPC.
const (
	CodeParse    = -32700
	CodeRequest  = -32600
	CodeMethod   = -32601
	CodeParams   = -32602
	CodeInternal = -32603
	CodeAuth     = -32000
	CodeNotFound = -32002
	RPCVersion   = "2.0"
)

// Fault is a JSON-RPC error.
type Fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *Fault) Error() string { return f.Message }

// Faultf returns a fault with a formatted message.
func Faultf(code int, format string, values ...any) *Fault {
	return &Fault{Code: code, Message: fmt.Sprintf(format, values...)}
}

// Frame is one incoming message. A request has a method and an ID. A notification has only a
// method, and a response has only an ID.
type Frame struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *Fault          `json:"error"`
}

// Notifies reports whether the message is a notification. Notifications need no answer.
func (f Frame) Notifies() bool { return len(f.ID) == 0 }

// Decode decodes one line. If the line is invalid, the returned frame contains the ID for the error
// response, or null if no valid ID could be read.
func Decode(line []byte) (Frame, *Fault) {
	nobody := Frame{ID: json.RawMessage("null")}
	if !json.Valid(line) {
		var syntax any
		return nobody, Faultf(CodeParse, "the line is not JSON: %v", messages.Misread(json.Unmarshal(line, &syntax)))
	}
	if line[0] == '[' {
		return nobody, Faultf(CodeRequest, "this protocol has no batches; send one message per line")
	}
	var got Frame
	if err := json.Unmarshal(line, &got); err != nil {
		return nobody, Faultf(CodeRequest, "the line is not a JSON-RPC message: %v", messages.Misread(err))
	}
	if !validID(got.ID) {
		return nobody, Faultf(CodeRequest, "the id must be a string, an integer or null")
	}
	responds := got.Method == nil && (len(got.Result) > 0 || got.Error != nil)
	switch {
	case got.Version == RPCVersion && (responds || got.Method != nil):
		return got, nil
	case len(got.ID) == 0:
		got.ID = nobody.ID
	}
	return got, Faultf(CodeRequest, `a message needs "jsonrpc":"2.0" and a method, a result or an error`)
}

// HeadID returns the ID found in head, the first bytes of an overlong message. If head contains no
// valid ID, HeadID returns null.
func HeadID(head []byte) json.RawMessage {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if _, err := decoder.Token(); err != nil {
		return json.RawMessage("null")
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			break
		}
		if key == "id" && validID(value) {
			return value
		}
	}
	return json.RawMessage("null")
}

// validID reports whether an ID has a type that the protocol allows.
func validID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || bytes.Equal(id, []byte("null")) {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

// Params decodes the parameters of a method.
func Params[P any](from json.RawMessage) (into P, wrong *Fault) {
	if len(from) == 0 || bytes.Equal(from, []byte("null")) {
		return into, nil
	}
	if err := json.Unmarshal(from, &into); err != nil {
		return into, Faultf(CodeParams, "invalid params: %v", messages.Misread(err))
	}
	return into, nil
}

// The outgoing messages.
type (
	// Result answers a request.
	Result struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}
	// Failure is the answer to a request that failed.
	Failure struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *Fault          `json:"error"`
	}
	// Call is a request or a notification.
	Call struct {
		Version string `json:"jsonrpc"`
		ID      *int64 `json:"id,omitempty"` // nil for a notification
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}
)
