package language

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// longestMessage is the maximum size of a message in bytes. A longer message is skipped, because it
// would list too many problems for a model.
const longestMessage = 8 << 20

// longestHeader is the maximum number of bytes before a message's body, including any stray output.
const longestHeader = 64 << 10

var errTooLong = errors.New("the message is too long")

// message is a JSON-RPC message of any kind.
type message struct {
	Version string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id,omitempty"`
	Method  string          `json:"method,omitempty"`
	Params  json.RawMessage `json:"params,omitempty"`
	Result  json.RawMessage `json:"result,omitempty"`
	Error   *rpcError       `json:"error,omitempty"`
}

type rpcError struct {
	Code    int    `json:"code"`
	Message string `json:"message"`
}

func (e *rpcError) Error() string { return fmt.Sprintf("%s (%d)", e.Message, e.Code) }

// Marvin sends codeNoMethod. After any of the other codes, Session.pull repeats its request.
const (
	codeNoMethod        = -32601
	codeContentModified = -32801
	codeCancelled       = -32800
	codeServerCancelled = -32802
)

// readMessage reads one message. After [errTooLong], the next call reads the next message.
func readMessage(from *bufio.Reader) (message, error) {
	length, read := -1, 0
	for {
		line, err := from.ReadSlice('\n')
		read += len(line)
		switch {
		case read > longestHeader:
			return message{}, errors.New("its output is not the Language Server Protocol")
		case errors.Is(err, bufio.ErrBufferFull):
			continue // not a header
		case err != nil:
			return message{}, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" && length >= 0 {
			break
		}
		if name, value, found := strings.Cut(text, ":"); found && strings.EqualFold(strings.TrimSpace(name), "Content-Length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 {
				return message{}, fmt.Errorf("it sent an invalid message length: %.40q", value)
			}
		}
	}
	if length > longestMessage {
		if _, err := io.CopyN(io.Discard, from, int64(length)); err != nil {
			return message{}, err
		}
		return message{}, errTooLong
	}
	body := make([]byte, length)
	if _, err := io.ReadFull(from, body); err != nil {
		return message{}, err
	}
	var one message
	if err := json.Unmarshal(body, &one); err != nil {
		return message{}, fmt.Errorf("a message is not JSON: %w", err)
	}
	return one, nil
}

// frame encodes a message with its header.
func frame(one message) ([]byte, error) {
	one.Version = "2.0"
	body, err := json.Marshal(one)
	if err != nil {
		return nil, err
	}
	return append([]byte("Content-Length: "+strconv.Itoa(len(body))+"\r\n\r\n"), body...), nil
}
