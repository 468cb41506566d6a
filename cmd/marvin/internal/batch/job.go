package batch

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"marvin/messages"
	"marvin/messages/jsonlines"
	"marvin/persistence/settings"
)

// OpenPrompts opens a file of prompts. Relative paths are relative to dir. For "-", it returns the
// given pipe, or an error if there is none.
func OpenPrompts(path, dir string, pipe *os.File) (*os.File, error) {
	if path == "-" {
		if pipe == nil {
			return nil, errors.New("\"marvin batch -\" reads the prompts from a pipe, but standard input is not a pipe. Name a file with one JSON object per line: " + sample)
		}
		return pipe, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the prompts cannot be read: %w; each line must be one JSON object: %s", err, sample)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(fmt.Errorf("the prompts: %s is a directory; name a file in it", path), file.Close())
	}
	return file, nil
}

const sample = `{"id":"1","prompt":"…"}`

// Prompt is a validated input line. This process or a fleet's worker answers it.
type Prompt struct {
	ID       string `json:"id"`
	Line     int    `json:"line"`
	Text     string `json:"prompt"`
	Dir      string `json:"working_dir,omitempty"` // "" for the directory of the batch
	Provider string `json:"provider,omitempty"`    // "" for the default
	Model    string `json:"model,omitempty"`
	Role     string `json:"role,omitempty"` // the role that selects the model
	Asked    string `json:"asked"`          // the fingerprint of the line
	// Images contains the names of local files. A prompt that has images cannot be sent to a fleet.
	Images []string `json:"-"`
	demands
}

func (p Prompt) failed(err error) Result {
	return Result{ID: p.ID, Line: p.Line, Outcome: messages.Failed, Error: err.Error()}
}

// prompt returns the [Prompt] of an input line. If the line is invalid, the Prompt still contains
// the line number and, if possible, the id.
func (b *Batch) prompt(line jsonlines.Line) (Prompt, error) {
	found := Prompt{Line: line.Number}
	if line.Err != nil {
		return found, line.Err
	}
	var wish wish
	decoder := json.NewDecoder(strings.NewReader(string(line.Data)))
	decoder.UseNumber()
	if err := decoder.Decode(&wish); err != nil {
		return found, lineError(err)
	}
	if decoder.More() {
		return found, errors.New("there is text after the JSON object; put one object on each line")
	}
	var err error
	if found.ID, err = b.id(wish.ID, line.Number); err != nil {
		return found, err
	}
	if err := checkFields(line.Data); err != nil {
		return found, err
	}
	if wish.Prompt == nil || strings.TrimSpace(*wish.Prompt) == "" {
		return found, errors.New(`"prompt" is missing or empty`)
	}
	found.Text, found.Dir, found.Provider, found.Model, found.Role, found.demands = *wish.Prompt, wish.WorkingDir, wish.Provider, wish.Model, wish.Role, wish.demands
	found.Asked, found.Images = wish.fingerprint(), wish.Images
	if b.Away == nil && found.demands != (demands{}) {
		return found, errors.New("\"label\", \"git\", \"commit\" and \"repeat\" work only in a fleet (--fleet)")
	}
	if b.Away != nil && len(found.Images) > 0 {
		return found, errors.New("\"images\" names files on this machine, which are not sent to a fleet; run this line in a batch without --fleet")
	}
	return found, found.Check()
}

// Check validates a prompt. A worker repeats the sender's check.
func (p Prompt) Check() error {
	switch d := p.demands; {
	case p.ID == "":
		return errors.New(`"id" is missing`)
	case strings.TrimSpace(p.Text) == "":
		return errors.New(`"prompt" is missing or empty`)
	case p.Role != "" && (p.Provider != "" || p.Model != ""):
		return errors.New("give either \"role\", which is a list of models, or \"provider\" and \"model\", not both")
	case p.Role != "" && !slices.Contains(settings.Roles, p.Role):
		return fmt.Errorf("there is no role %q; the roles are %s", p.Role, strings.Join(settings.Roles, ", "))
	case (d.Git == "") != (d.Commit == ""):
		return errors.New("give \"git\" (the address of a repository) and \"commit\" (the full hash of a commit) together")
	case d.Git != "" && p.Dir != "":
		return errors.New("give either \"git\" or \"working_dir\", not both: with \"git\", the checkout is the working directory")
	case d.Commit != "" && !wholeCommit(d.Commit):
		return fmt.Errorf("commit %q is not a full commit hash of 40 or 64 hexadecimal digits", d.Commit)
	}
	return nil
}

func wholeCommit(name string) bool {
	return (len(name) == 40 || len(name) == 64) && strings.Trim(name, "0123456789abcdef") == ""
}

// id converts the "id" field of a line to a string, and records the id. A duplicate id is an error.
func (b *Batch) id(given any, line int) (string, error) {
	var id string
	switch given := given.(type) {
	case string:
		id = given
	case json.Number:
		id = given.String()
	case nil:
	default:
		return "", errors.New(`"id" is neither text nor a number`)
	}
	if id == "" {
		return "", errors.New(`"id" is missing; give a name that links the result to its prompt`)
	}
	if first, known := b.ids.addLine(id, line); known {
		return "", fmt.Errorf("the id %q is already used in line %d; give every prompt its own id", id, first)
	}
	return id, nil
}

// lineError explains what is wrong with a line that cannot be decoded.
func lineError(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Type.Kind() == reflect.Slice:
		return fmt.Errorf("%q holds a JSON %s, not a list of strings", wrong.Field, wrong.Value)
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("%q holds a JSON %s, not text", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("the line is a JSON %s, not an object such as %s", wrong.Value, sample)
	}
	return fmt.Errorf("the line is not JSON (%w); write a line such as %s", messages.Misread(err), sample)
}

// A running prompt needs filesPerJob open files: one for its connection, and one during a name
// lookup. Tools and their children need filesBeside open files in total.
const (
	filesBeside = 128
	filesPerJob = 2
)

// ConcurrencyWithin returns how many of the jobs can run at the same time if the process can open
// the given number of files. A number of 0 means that there is no limit.
func ConcurrencyWithin(files, jobs int) int {
	if files == 0 {
		return jobs
	}
	return min(jobs, max(1, (files-filesBeside)/filesPerJob))
}
