package audit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"syscall"
	"time"

	"marvin/persistence/internal/store"
)

// Log writes tool calls as JSON lines to the file that MARVIN_SUBAGENT_LOG names. The lines have
// the format of Marvin's Python version, because other programs read them. The zero value writes
// nothing.
type Log struct {
	Path string
	Now  func() time.Time
}

// Call describes a tool call for [Log.Begin] or [Log.Record].
type Call struct {
	Tool string
	Args json.RawMessage // the arguments, exactly as the model wrote them
	At   time.Time       // the time in the log line; zero means now

	Result string // the result for the model
	Failed bool
	Took   time.Duration
}

// Limits for arguments and results, in characters.
const (
	auditArgument = 200
	auditPreview  = 400
)

// Begin appends a line for a call that is about to run, so that the log shows the call even if this
// process dies. The line has the key "begun" instead of "tool", so programs that count the key
// "tool" skip the line.
func (a Log) Begin(call Call) error {
	if a.Path == "" {
		return nil
	}
	line, err := a.begin(call, "begun")
	line.WriteString("}\n")
	return a.append(line.Bytes(), err)
}

// Record appends a line for a finished tool call. An error from Record must not make the tool call
// fail.
func (a Log) Record(call Call) error {
	if a.Path == "" {
		return nil
	}
	line, err := a.line(call)
	return a.append(line, err)
}

// append adds a line to the file in a single write, so that lines from several processes do not
// interleave.
func (a Log) append(line []byte, err error) error {
	if err != nil {
		return fmt.Errorf("audit log: %w", err)
	}
	// With O_NONBLOCK, opening a named pipe does not wait for a reader.
	file, err := os.OpenFile(a.Path, os.O_WRONLY|os.O_APPEND|os.O_CREATE|syscall.O_NONBLOCK, 0o600)
	if err != nil {
		return fmt.Errorf("audit log (MARVIN_SUBAGENT_LOG): %w", err)
	}
	if halfLine(a.Path) {
		line = append([]byte("\n"), line...)
	}
	_, err = file.Write(line)
	return errors.Join(err, file.Close())
}

// halfLine reports whether a file ends with a partial line, for example after a power failure or on
// a full disk. It checks twice, because another process might be writing the line.
func halfLine(path string) bool {
	before, half := lastByte(path)
	if !half {
		return false
	}
	time.Sleep(2 * time.Millisecond)
	after, half := lastByte(path)
	return half && before == after
}

// lastByte returns the size of a file and reports whether the last line is incomplete.
func lastByte(path string) (size int64, half bool) {
	file, size, err := store.OpenRegular(os.OpenFile, path)
	if err != nil || file == nil {
		return 0, false
	}
	defer file.Close()
	last := make([]byte, 1)
	_, err = file.ReadAt(last, size-1)
	return size, err == nil && last[0] != '\n'
}

// line encodes a call as JSON. It puts a space after each colon and comma, as Python does, because
// some programs search for the text `"tool": "`.
func (a Log) line(call Call) ([]byte, error) {
	result := call.Result
	if call.Failed {
		result = "ERROR: " + result
	}
	out, err := a.begin(call, "tool")
	err = errors.Join(err, member(out, `, "result_preview": `, shorten(result, auditPreview)))
	fmt.Fprintf(out, `, "result_len": %d, "elapsed_s": %s}`+"\n", len([]rune(call.Result)), seconds(call.Took))
	return out.Bytes(), err
}

// begin returns the start of a line: the time, the tool's name and the arguments.
func (a Log) begin(call Call, key string) (*bytes.Buffer, error) {
	var out bytes.Buffer
	at := call.At
	if at.IsZero() {
		at = a.Now()
	}
	fmt.Fprintf(&out, `{"ts": %s`, seconds(time.Duration(at.UnixNano())))
	return &out, errors.Join(member(&out, `, "`+key+`": `, call.Tool), writeArguments(&out, call.Args))
}

func member(out *bytes.Buffer, before string, value any) error {
	encoded, err := store.EncodeValue(value)
	out.WriteString(before)
	out.Write(encoded)
	return err
}

// writeArguments writes each argument as a string. If the arguments are not a JSON object, they are
// written as one string under an empty name, so that every attempted call is logged.
func writeArguments(out *bytes.Buffer, raw json.RawMessage) error {
	var args map[string]json.RawMessage
	if json.Unmarshal(raw, &args) != nil {
		args = map[string]json.RawMessage{"": raw}
	}
	out.WriteString(`, "args": {`)
	separator := ""
	for _, name := range slices.Sorted(maps.Keys(args)) {
		text := string(args[name])
		var plain string
		if json.Unmarshal(args[name], &plain) == nil && text != "null" {
			text = plain
		}
		if err := errors.Join(member(out, separator, name), member(out, ": ", shorten(text, auditArgument))); err != nil {
			return err
		}
		separator = ", "
	}
	out.WriteString("}")
	return nil
}

func shorten(text string, limit int) string {
	runes := []rune(text)
	if len(runes) <= limit {
		return text
	}
	return fmt.Sprintf("%s… (%d chars)", string(runes[:limit]), len(runes))
}

func seconds(duration time.Duration) string {
	return strconv.FormatFloat(duration.Seconds(), 'f', 2, 64)
}
