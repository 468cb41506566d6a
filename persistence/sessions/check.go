package sessions

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"marvin/persistence/internal/store"
)

// Check is the result of reading every line of a session.
type Check struct {
	ID       string // taken from the file name
	Path     string
	Steps    int      // readable steps
	GoesOn   int      // number of readable steps on the current branch
	Problems []string // empty if the session is intact
}

const mostProblems = 20

func (c *Check) problem(form string, values ...any) {
	c.Problems = append(c.Problems, fmt.Sprintf(form, values...))
}

// Check reads every line of every session. It changes nothing.
func (s Store) Check() (list []Check) {
	files := s.files()
	slices.SortFunc(files, func(a, b sessionFile) int { return strings.Compare(a.path(), b.path()) })
	for _, file := range files {
		looks(s, len(files))
		check := Check{ID: file.id(), Path: file.path()}
		if err := check.read(); err != nil {
			check.problem("%v", err)
		}
		if rest := len(check.Problems) - mostProblems; rest > 1 {
			check.Problems = append(check.Problems[:mostProblems], fmt.Sprintf("and %d more", rest))
		}
		list = append(list, check)
	}
	return list
}

func (c *Check) read() error {
	file, size, err := store.OpenRegular(os.OpenFile, c.Path)
	if err != nil {
		return err
	}
	if file == nil {
		return nil // removed in the meantime
	}
	defer file.Close()
	header, err := readHeader(file)
	if err != nil {
		return fmt.Errorf("its first line cannot be read, so the conversation cannot be continued: %w", err)
	}
	if header.ID != c.ID {
		c.problem("its first line belongs to another conversation, %q", header.ID)
	}
	tree := stepTree{parents: map[int64]int64{}}
	lines := bufio.NewReaderSize(io.NewSectionReader(file, 0, size), readChunk)
	for number := 1; ; number++ {
		line, err := lines.ReadBytes('\n')
		whole := err == nil
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if len(line) == 0 {
			break
		}
		if text := strings.TrimSpace(string(line)); number > 1 && text != "" {
			c.line(number, []byte(text), whole, &tree)
		}
		if !whole {
			break
		}
	}
	c.Steps, c.GoesOn = len(tree.parents), tree.branchLength()
	if missing := tree.missing; missing != 0 {
		c.problem("the current branch now begins at step %d, without the earlier steps; their readable lines stay in the file", missing)
	}
	return nil
}

type stepTree struct {
	parents map[int64]int64
	last    int64
	leaf    int64
	missing int64 // the first step of the current branch if earlier steps are lost, otherwise 0
}

// lostStep replaces an invalid [Entry.Parent]. In a cycle of parents, branchLength would loop
// forever.
const lostStep = -1

func (c *Check) line(number int, text []byte, whole bool, tree *stepTree) {
	var entry Entry
	err := json.Unmarshal(text, &entry)
	switch {
	case !whole && err != nil:
		c.problem("line %d is incomplete: its step is lost, or is being written at this moment", number)
		return
	case err != nil || entry.ID <= 0 || entry.ID > store.MaxNumber:
		c.problem("line %d cannot be read (%d bytes), so its content is lost", number, len(text))
		return
	case entry.ID <= tree.last:
		c.problem("line %d is step %d, but follows step %d; Marvin never writes steps in this order", number, entry.ID, tree.last)
		return
	}
	tree.last, tree.leaf = entry.ID, entry.branchEnd()
	if entry.Parent >= entry.ID || entry.Parent < 0 {
		c.problem("step %d (line %d) claims to follow step %d, which cannot come before it", entry.ID, number, entry.Parent)
		entry.Parent = lostStep
	}
	if _, known := tree.parents[entry.Parent]; !known && entry.Parent > 0 {
		c.problem("step %d (line %d) follows step %d, which is lost", entry.ID, number, entry.Parent)
	}
	tree.parents[entry.ID] = entry.Parent
}

// branchLength returns the number of steps on the current branch and sets t.missing.
func (t *stepTree) branchLength() (steps int) {
	for at := t.leaf; at != 0; steps++ {
		parent, known := t.parents[at]
		if !known {
			return steps
		}
		if _, known := t.parents[parent]; !known && parent != 0 {
			t.missing = at
		}
		at = parent
	}
	return steps
}
