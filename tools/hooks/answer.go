package hooks

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"marvin/tools/internal/text"
)

// Decision is a hook's decision about an event.
type Decision string

// [Pass] means that the hook made no decision and does not stop the event. [Yes] does not override
// a rule, the command check or the user.
const (
	Pass Decision = ""
	Yes  Decision = "allow"
	Ask  Decision = "ask"
	No   Decision = "deny"
)

// ending describes how a hook ended.
type ending struct {
	err    error // a timeout, a signal, an HTTP error or another failure without an exit code
	code   int
	stdout []byte
	stderr string
}

// answer is the parsed answer of one hook.
type answer struct {
	Decision Decision
	Reason   string
	Args     json.RawMessage
	Result   *string
	Context  string
}

// refusalCode is the exit code with which a program refuses.
const refusalCode = 2

// decide returns the answer of a finished hook, or an error if the hook failed. At a gate, a failed
// hook also counts as a refusal.
func decide(read answerParser, event Event, end ending) (answer, error) {
	said, err := meant(read, event, end)
	if err == nil && said.Decision == No && said.Reason == "" {
		said.Reason = "it gave no reason"
	}
	if err == nil || !event.Gate() {
		return said, err
	}
	return answer{Decision: No, Reason: "the hook failed, and a failed hook for this event stops the action: " + err.Error()}, err
}

type answerParser func(event Event, text []byte) (answer, error)

func meant(read answerParser, event Event, end ending) (answer, error) {
	switch {
	case end.err != nil:
		return answer{}, end.err
	case end.code == refusalCode && end.stderr != "":
		return answer{Decision: No, Reason: end.stderr}, nil
	case end.code == refusalCode:
		said, _ := read(event, end.stdout)
		return answer{Decision: No, Reason: said.Reason}, nil
	case end.code != 0:
		return answer{}, fmt.Errorf("exit code %d%s", end.code, appended(": ", end.stderr))
	}
	return read(event, end.stdout)
}

func appended(before, text string) string {
	if text == "" {
		return ""
	}
	return before + text
}

// read parses a hook's answer. It rejects unknown keys and decisions, because the hook might have
// meant "deny".
func read(event Event, text []byte) (said answer, err error) {
	if text = bytes.TrimSpace(text); len(text) == 0 {
		return answer{}, nil
	}
	members, err := membersOf(text)
	if err != nil {
		return answer{}, err
	}
	for name, value := range members {
		switch name {
		case "decision":
			said.Decision, err = decision(event, value)
		case "reason":
			err = word(value, &said.Reason)
		case "context":
			err = word(value, &said.Context)
		case "args":
			if _, err = membersOf(value); err == nil && event != ToolBefore {
				err = errors.New("a hook can change arguments only before a call")
			}
			said.Args = value
		case "result":
			said.Result, err = result(event, value)
		default:
			err = errors.New("the answer has an unknown key; the keys are decision, reason, args, result and context")
		}
		if err != nil {
			return answer{}, fmt.Errorf("its answer: %q: %w", clip(name), err)
		}
	}
	return said, nil
}

func decision(event Event, value json.RawMessage) (Decision, error) {
	var said string
	err := word(value, &said)
	switch is := Decision(said); {
	case err != nil:
		return Pass, err
	case is == Ask && event != ToolBefore:
		return Pass, fmt.Errorf("\"ask\" is allowed only before a call, not at %s", event)
	case is == Yes, is == No, is == Ask:
		return is, nil
	}
	return Pass, fmt.Errorf("must be allow, deny or ask, not %q", clip(said))
}

// result converts the tool result in a hook's answer to text. It decodes a JSON string, and returns
// any other JSON value unchanged.
func result(event Event, value json.RawMessage) (*string, error) {
	if event != ToolAfter {
		return nil, errors.New("a hook can change a result only after a call")
	}
	text := string(value)
	if value[0] != '"' {
		return &text, nil
	}
	return &text, word(value, &text)
}

func word(value json.RawMessage, to *string) error {
	if value[0] != '"' {
		return errors.New("it is not text")
	}
	return json.Unmarshal(value, to)
}

// membersOf parses one JSON object. It refuses an object with duplicate names, because the two
// values could be contradictory decisions.
func membersOf(text []byte) (map[string]json.RawMessage, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("its answer is not text in UTF-8")
	}
	decoder := json.NewDecoder(bytes.NewReader(text))
	start, err := decoder.Token()
	if err != nil || start != json.Delim('{') {
		return nil, fmt.Errorf("its answer is not a JSON object: %s", clip(string(text)))
	}
	members := map[string]json.RawMessage{}
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			return nil, fmt.Errorf("its answer is not JSON: %w", err)
		}
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return nil, fmt.Errorf("its answer is not JSON: %w", err)
		}
		if _, twice := members[name.(string)]; twice {
			return nil, fmt.Errorf("its answer says %q twice", clip(name.(string)))
		}
		members[name.(string)] = value
	}
	if _, err := decoder.Token(); err != nil {
		return nil, fmt.Errorf("its answer is not JSON: %w", err)
	}
	if _, err := decoder.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("there is text after its answer")
	}
	return members, nil
}

func clip(said string) string { return text.ClipBytes(strings.ToValidUTF8(said, "�"), 200) }
