package acp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"marvin/messages"
)

// Error codes of JSON-RPC and of the protocol.
const (
	codeParse      = -32700
	codeRequest    = -32600
	codeMethod     = -32601
	codeParams     = -32602
	codeInternal   = -32603
	codeAuth       = -32000
	codeNotFound   = -32002
	jsonRPCVersion = "2.0"
)

// fault is an error as the client reads it.
type fault struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    any    `json:"data,omitempty"`
}

func (f *fault) Error() string { return f.Message }

func faultf(code int, format string, values ...any) *fault {
	return &fault{Code: code, Message: fmt.Sprintf(format, values...)}
}

// frame is one message that came in: a request has a method and an ID, a notification only a
// method, a response only an ID.
type frame struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Method  *string         `json:"method"`
	Params  json.RawMessage `json:"params"`
	Result  json.RawMessage `json:"result"`
	Error   *fault          `json:"error"`
}

func (f frame) notifies() bool { return len(f.ID) == 0 }

// decode reads a message. With a fault the frame has the ID that the answer needs, which is
// null where the message has none that can be read.
func decode(line []byte) (frame, *fault) {
	nobody := frame{ID: json.RawMessage("null")}
	if !json.Valid(line) {
		var syntax any
		return nobody, faultf(codeParse, "the line is not JSON: %v", messages.Misread(json.Unmarshal(line, &syntax)))
	}
	if line[0] == '[' {
		return nobody, faultf(codeRequest, "batches are not a part of this protocol; send one message a line")
	}
	var got frame
	if err := json.Unmarshal(line, &got); err != nil {
		return nobody, faultf(codeRequest, "the line is not a JSON-RPC message: %v", messages.Misread(err))
	}
	if !validID(got.ID) {
		return nobody, faultf(codeRequest, "the id is a text, an integer or null")
	}
	responds := got.Method == nil && (len(got.Result) > 0 || got.Error != nil)
	switch {
	case got.Version == jsonRPCVersion && (responds || got.Method != nil):
		return got, nil
	case len(got.ID) == 0:
		got.ID = nobody.ID
	}
	return got, faultf(codeRequest, `a message has "jsonrpc":"2.0" and a method, a result or an error`)
}

// headID is the ID in the first bytes of a message that is too long, null if it is not there: a
// client waits for the answer to its request.
func headID(head []byte) json.RawMessage {
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

// validID says whether an ID is one that can be sent back.
func validID(id json.RawMessage) bool {
	if len(id) == 0 || id[0] == '"' || bytes.Equal(id, []byte("null")) {
		return true
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil
}

// params reads the parameters of a method.
func params[P any](from json.RawMessage) (into P, wrong *fault) {
	if len(from) == 0 || bytes.Equal(from, []byte("null")) {
		return into, nil
	}
	if err := json.Unmarshal(from, &into); err != nil {
		return into, faultf(codeParams, "invalid params: %v", messages.Misread(err))
	}
	return into, nil
}

// What goes out.
type (
	outResult struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  any             `json:"result"`
	}
	outError struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   *fault          `json:"error"`
	}
	outCall struct {
		Version string `json:"jsonrpc"`
		ID      *int64 `json:"id,omitempty"` // nil for a notification
		Method  string `json:"method"`
		Params  any    `json:"params"`
	}
)

// Errors that a [Host] returns and that have a code of their own.
var (
	// ErrNoModel means that no model can be asked, and that the user may log in to one.
	ErrNoModel = errors.New("no model provider is set up")
	// ErrNoSession means that no session has the ID.
	ErrNoSession = errors.New("there is no such session")
	// ErrWrong marks what is wrong with the parameters of a request.
	ErrWrong = errors.New("invalid params")
)

// faultOf is an error of the host as the client reads it.
func faultOf(err error) *fault {
	var known *fault
	switch {
	case errors.As(err, &known):
		return known
	case errors.Is(err, ErrNoModel):
		return faultf(codeAuth, "%v", err)
	case errors.Is(err, ErrNoSession):
		return faultf(codeNotFound, "%v", err)
	case errors.Is(err, ErrWrong):
		return faultf(codeParams, "%v", err)
	}
	return faultf(codeInternal, "%v", err)
}
