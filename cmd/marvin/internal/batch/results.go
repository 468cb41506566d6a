package batch

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"marvin/cmd/marvin/internal/idtable"
	"marvin/messages"
	"marvin/messages/jsonlines"
	"marvin/ui/jsonl"
)

// Result is one line of the output. Only the last line with a given id counts.
type Result struct {
	Version int              `json:"v"`
	ID      string           `json:"id,omitempty"`
	Line    int              `json:"line"` // the prompt's line number, from 1
	Outcome messages.Outcome `json:"outcome"`
	Text    string           `json:"text"`
	Error   string           `json:"error,omitempty"`
	Usage   messages.Usage   `json:"usage"`
	Cost    float64          `json:"cost"` // US dollars
	Took    float64          `json:"took"` // seconds
	// Asked is the fingerprint of the prompt's line. If the line changes but keeps its id, the next
	// run sends the prompt again.
	Asked string `json:"asked,omitempty"`

	// Patch contains the changes in the prompt's checkout, as input for "git apply". Worker is the
	// name of the worker that answered. Only a fleet sets Patch and Worker.
	Patch  string `json:"patch,omitempty"`
	Worker string `json:"worker,omitempty"`

	Begun bool `json:"-"` // this process started the prompt
}

// beginning is the prefix of every result line.
const beginning = `{"v":1,`

// Results is the output of a batch. Its methods are safe for concurrent use.
type Results struct {
	mu      sync.Mutex
	out     *jsonl.Writer
	file    *os.File // nil for standard output
	earlier earlier
}

func (r *Results) write(line Result) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.out.Write(line.ForOutput())
}

// ForOutput returns a copy of r in which Version is set and the usage maps are not nil.
func (r Result) ForOutput() Result {
	// Usage.Plus returns non-nil maps, which JSON encodes as {} instead of null.
	r.Version, r.Usage = 1, messages.Usage{}.Plus(r.Usage)
	return r
}

// hasAnswer reports whether an earlier run answered a prompt. If the stored answer is for a
// different prompt with the same id, answered is false and changed is true.
func (r *Results) hasAnswer(id, asked string) (answered, changed bool) {
	became, other := r.earlier.find(id, asked)
	answered = became == wasAnswered
	changed = answered && other
	return answered && !changed, changed
}

// lacksAnswer reports whether an earlier run stored a result without an answer.
func (r *Results) lacksAnswer(id string) bool {
	became, _ := r.earlier.find(id, "")
	return became == wasMissed
}

// Close closes the file, if there is one.
func (r *Results) Close() {
	if r.file != nil {
		r.file.Close()
	}
}

// OpenResults opens the output and reads the results of earlier runs. If path is empty or "-", the
// output is stdout. OpenResults removes an incomplete last result, so that its prompt is answered
// again. It fails if another run is writing to the file, or if the file contains data but no
// results.
func OpenResults(path string, prompts *os.File, stdout io.Writer, warn func(string)) (*Results, error) {
	if path == "" || path == "-" {
		return &Results{out: jsonl.NewWriter(stdout)}, nil
	}
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, fmt.Errorf("--output: %w", err)
		}
		return &Results{out: jsonl.NewWriter(file), file: file}, nil
	}
	file, err := os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		return nil, fmt.Errorf("--output: %w", err)
	}
	r := &Results{out: jsonl.NewWriter(file), file: file, earlier: earlier{&idtable.Table{}}}
	if err := r.resume(prompts, warn); err != nil {
		r.Close()
		return nil, fmt.Errorf("--output %s: %w", path, err)
	}
	return r, nil
}

func (r *Results) resume(prompts *os.File, warn func(string)) error {
	if err := claim(r.file); err != nil {
		return fmt.Errorf("another run is writing to this file (%w); wait until that run ends, or choose another file", err)
	}
	if own, err := r.file.Stat(); err == nil {
		if input, err := prompts.Stat(); err == nil && os.SameFile(own, input) {
			return errors.New("this is the file with the prompts; choose another file for the results")
		}
	}
	reader, strange, last := jsonlines.NewReader(r.file), 0, jsonlines.Line{Whole: true}
	known := 0
	for {
		line, err := reader.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		last = line
		if r.read(line.Data) {
			known++
		} else if line.Whole {
			strange++
		}
	}
	half := !last.Whole && !json.Valid(last.Data)
	if known == 0 && (strange > 0 || half && !bytes.HasPrefix(last.Data, []byte(beginning)) && !strings.HasPrefix(beginning, string(last.Data))) {
		return errors.New("this file contains something other than results of \"marvin batch\", so Marvin leaves it unchanged; choose another file")
	}
	if strange > 0 {
		warn(fmt.Sprintf("%s: lines that are not results of \"marvin batch\" stay in the file, but are ignored: %s", r.file.Name(), messages.Counted(strange, "line")))
	}
	return r.repair(last, half, warn)
}

// read decodes one line, and reports whether the line is a result. It adds a result with an id to
// r.earlier.
func (r *Results) read(data []byte) (result bool) {
	var line struct {
		Version int              `json:"v"`
		ID      string           `json:"id"`
		Outcome messages.Outcome `json:"outcome"`
		Asked   string           `json:"asked"`
	}
	if json.Unmarshal(data, &line) != nil || line.Version < 1 || line.Outcome == "" {
		return false
	}
	if line.ID != "" {
		r.earlier.enter(line.ID, line.Asked, line.Outcome == messages.Completed)
	}
	return true
}

// repair removes an incomplete last result, or adds a missing line break at the end of the file.
func (r *Results) repair(last jsonlines.Line, half bool, warn func(string)) error {
	if half {
		warn(fmt.Sprintf("%s: the last result was incomplete; Marvin sends that prompt again", r.file.Name()))
		return r.file.Truncate(last.Start)
	}
	if !last.Whole {
		_, err := r.file.WriteString("\n")
		return err
	}
	return nil
}
