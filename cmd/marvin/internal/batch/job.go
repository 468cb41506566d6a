package batch

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/actors"
	"marvin/ui/jsonl"
)

// OpenPrompts opens the file of prompts, from a directory; - is the pipe, nil if there is
// none.
func OpenPrompts(path, dir string, pipe *os.File) (*os.File, error) {
	if path == "-" {
		if pipe == nil {
			return nil, errors.New("batch - reads the prompts from a pipe; there is none. Name a file with one JSON object a line: " + sample)
		}
		return pipe, nil
	}
	if !filepath.IsAbs(path) {
		path = filepath.Join(dir, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("the prompts: %w; each line is one JSON object: %s", err, sample)
	}
	if info, err := file.Stat(); err == nil && info.IsDir() {
		return nil, errors.Join(fmt.Errorf("the prompts: %s is a directory; name a file in it", path), file.Close())
	}
	return file, nil
}

const sample = `{"id":"1","prompt":"…"}`

// job is a prompt that can be asked.
type job struct {
	id     string
	line   int
	prompt string
	dir    string // "" for the one of the batch
	choice actors.Choice
	asked  string // the fingerprint of what the line asks for
}

// job reads a line. Its id is set even with an error, if it can be read.
func (b *Batch) job(line jsonl.Line) (job, error) {
	if line.Err != nil {
		return job{}, line.Err
	}
	var wish wish
	decoder := json.NewDecoder(strings.NewReader(string(line.Data)))
	decoder.UseNumber()
	if err := decoder.Decode(&wish); err != nil {
		return job{}, unreadable(err)
	}
	if decoder.More() {
		return job{}, errors.New("there is something behind the JSON object; one line is one object")
	}
	id, err := b.id(wish.ID, line.Number)
	found := job{id: id, line: line.Number, asked: wish.fingerprint()}
	if err != nil {
		return found, err
	}
	if err := knownFields(line.Data); err != nil {
		return found, err
	}
	if wish.Prompt == nil || strings.TrimSpace(*wish.Prompt) == "" {
		return found, errors.New(`"prompt" is missing or empty`)
	}
	found.prompt = *wish.Prompt
	if found.dir, err = b.dir(wish.WorkingDir); err != nil {
		return found, err
	}
	found.choice, err = b.choice(wish.Provider, wish.Model)
	return found, err
}

// id takes text and numbers: both are usual.
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
		return "", errors.New(`"id" is missing: a name for the prompt, by which its result is known`)
	}
	if first := b.ids[id]; first != 0 {
		return "", fmt.Errorf("the id %q is that of line %d; every prompt needs its own", id, first)
	}
	b.ids[id] = line
	return id, nil
}

func (b *Batch) dir(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	dir, err := b.Host.Dir(path)
	if err != nil {
		return "", fmt.Errorf("working_dir: %w", err)
	}
	return dir, nil
}

// choice is who answers, looked up now: a missing key is this line's error.
func (b *Batch) choice(provider, model string) (actors.Choice, error) {
	own := b.Choice
	provider = cmp.Or(provider, own.Provider)
	if provider == own.Provider {
		model = cmp.Or(model, own.Model)
	}
	return b.Host.Choose(actors.Choice{Provider: provider, Model: model})
}

// unreadable says what is wrong with a line, in words of the line.
func unreadable(err error) error {
	var wrong *json.UnmarshalTypeError
	switch {
	case errors.As(err, &wrong) && wrong.Field != "":
		return fmt.Errorf("%q holds a JSON %s, not text", wrong.Field, wrong.Value)
	case errors.As(err, &wrong):
		return fmt.Errorf("the line is a JSON %s, not an object such as %s", wrong.Value, sample)
	}
	return fmt.Errorf("the line is no JSON (%w); one is %s", err, sample)
}

// What a process opens besides, for tools and their children, and for each prompt
// that is being answered: a connection, and a second one while a name is looked up.
const (
	filesBeside = 128
	filesPerJob = 2
)

// Within is how many of so many prompts at once a limit on open files allows; 0 is none.
func Within(files, jobs int) int {
	if files == 0 {
		return jobs
	}
	return min(jobs, max(1, (files-filesBeside)/filesPerJob))
}
