package browser

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
)

// marionette is a connection to Firefox that uses the Marionette protocol. A message consists of
// the length of a JSON array, a colon, and the array. The array is [0, id, command, parameters] in
// a request, and [1, id, error, result] in a response.
// https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
type marionette struct {
	connection net.Conn
	reader     *bufio.Reader
	last       int
}

// newMarionette reads the browser's greeting.
func newMarionette(connection net.Conn) (*marionette, error) {
	m := &marionette{connection: connection, reader: bufio.NewReader(connection)}
	var hello struct {
		Protocol int `json:"marionetteProtocol"`
	}
	if err := m.receive(&hello); err != nil {
		return nil, err
	}
	if hello.Protocol != 3 {
		return nil, fmt.Errorf("the browser speaks version %d of Marionette, not 3", hello.Protocol)
	}
	return m, nil
}

// call sends a command and returns its result, or "" if the result is not a string.
func (m *marionette) call(command string, parameters map[string]any) (string, error) {
	m.last++
	message, err := json.Marshal([]any{0, m.last, command, parameters})
	if err != nil {
		return "", err
	}
	if _, err = io.WriteString(m.connection, strconv.Itoa(len(message))+":"+string(message)); err != nil {
		return "", fmt.Errorf("tell the browser %s: %w", command, err)
	}
	var answer [4]json.RawMessage
	if err = m.receive(&answer); err != nil {
		return "", err
	}
	if id := string(answer[1]); id != strconv.Itoa(m.last) {
		return "", fmt.Errorf("the browser answered %.20s instead of %d", id, m.last)
	}
	var failed *struct{ Error, Message string }
	if err = json.Unmarshal(answer[2], &failed); err == nil && failed != nil {
		return "", &refusal{failed.Error, failed.Message}
	}
	var result struct{ Value any }
	_ = json.Unmarshal(answer[3], &result) // a result without a value is ""
	text, _ := result.Value.(string)
	return text, nil
}

// refusal is the browser's error for a failed command.
type refusal struct{ kind, message string }

func (r *refusal) Error() string {
	message, _, _ := strings.Cut(r.message, "\n")
	return fmt.Sprintf("the browser does not load the page: %s (%.300s)", r.kind, message)
}

func (m *marionette) receive(value any) error {
	length, err := m.reader.ReadString(':')
	if err != nil {
		return fmt.Errorf("read from the browser: %w", err)
	}
	size, err := strconv.Atoi(strings.TrimSuffix(length, ":"))
	if err != nil || size < 0 || size > 8*limit { // JSON escapes a byte as up to six bytes
		return errors.New("the document is too large")
	}
	message := make([]byte, size)
	if _, err = io.ReadFull(m.reader, message); err != nil {
		return fmt.Errorf("read from the browser: %w", err)
	}
	return json.Unmarshal(message, value)
}
