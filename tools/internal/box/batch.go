package box

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// MaxEdit is the maximum size in bytes of a file that can be changed. Files are changed in memory,
// and nobody edits larger ones by hand.
const MaxEdit = 16 << 20

// Batch collects changes to files for [Batch.Commit]. Its other methods act as if the collected
// changes had already been made. A Batch is not safe for concurrent use.
type Batch struct {
	// Loaded, if not nil, is called with the absolute path and the current content of each file that
	// the batch loads. If it returns an error, the file is not changed.
	Loaded func(path string, content []byte) error

	dir   *Dir
	steps []*step // in the order in which the files were first named
}

// step is a file in a batch, with its states before and after the change.
type step struct {
	at            found
	before, after *state // nil if the file does not exist
}

type state struct {
	content []byte
	info    fs.FileInfo // nil for a new file
	from    string      // the file's name before a rename, relative to the directory; "" if not renamed
	perm    fs.FileMode // 0 means the old permissions or, for a new file, the default permissions
}

// Change describes what a batch changes in one file.
type Change struct {
	Name          string // relative, without links
	Path          string // absolute
	Before, After []byte // the content; nil means that there is no file
	Dir           string // real path of the directory to which Name is relative
	// BeforeMode and AfterMode are the file's permissions. 0 means that the file does not exist or,
	// in AfterMode, that a new file gets the default permissions.
	BeforeMode, AfterMode fs.FileMode
	Made                  []string // directories created for the file, outermost first
	// Linked is true if the file has another name (a hard link). That name keeps the old content.
	Linked bool
}

// Batch starts a batch of changes.
func (d *Dir) Batch() *Batch { return &Batch{dir: d} }

// Read returns the current content of a file, including the batch's changes.
func (b *Batch) Read(name string) ([]byte, error) {
	step, err := b.existingStep(name)
	if err != nil {
		return nil, err
	}
	return step.after.content, nil
}

// Write replaces the content of an existing file.
func (b *Batch) Write(name string, content []byte) error {
	step, err := b.existingStep(name)
	if err != nil {
		return err
	}
	step.after = &state{content: content, info: step.after.info, from: step.after.from}
	return nil
}

// Create creates a new file and its parent directories.
func (b *Batch) Create(name string, content []byte) error {
	step, err := b.step(name)
	if err != nil {
		return err
	}
	if step.after != nil {
		return fmt.Errorf("%s: %w", quoteName(name), fs.ErrExist)
	}
	step.after = &state{content: content}
	if step.before != nil {
		step.after.info = step.before.info // a removed file that is created again keeps its mode
	}
	return nil
}

// SetMode sets the permissions of a file in the batch.
func (b *Batch) SetMode(name string, perm fs.FileMode) error {
	step, err := b.existingStep(name)
	if err != nil {
		return err
	}
	step.after = &state{content: step.after.content, info: step.after.info, from: step.after.from, perm: perm.Perm()}
	return nil
}

// Remove deletes a file.
func (b *Batch) Remove(name string) error {
	step, err := b.existingStep(name)
	if err != nil {
		return err
	}
	if info, err := b.dir.root.Lstat(name); err == nil && info.Mode()&fs.ModeSymlink != 0 {
		return fmt.Errorf("%s is a symbolic link to %s: %w", quoteName(name), quoteName(step.at.name()), ErrNotRegular)
	}
	step.after = nil
	return nil
}

// Rename moves a file to an unused name.
func (b *Batch) Rename(from, to string) error {
	old, err := b.step(from)
	if err != nil {
		return err
	}
	moved := old.after
	if err := b.Remove(from); err != nil {
		return err
	}
	if err := b.Create(to, moved.content); err != nil {
		old.after = moved
		return err
	}
	fresh, err := b.step(to)
	if err != nil {
		return err
	}
	fresh.after.info, fresh.after.from = moved.info, cmp.Or(moved.from, old.at.name())
	return nil
}

// Changes returns the collected changes, ordered by the first use of each file in the batch.
func (b *Batch) Changes() []Change {
	var changes []Change
	for _, step := range b.steps {
		if step.changed() {
			name := step.at.name()
			changes = append(changes, Change{
				Name: name, Path: b.dir.Abs(name), Before: step.before.bytes(), After: step.after.bytes(),
				Dir: b.dir.real, BeforeMode: step.before.mode(), AfterMode: step.after.mode(), Made: step.missing(),
				Linked: step.before != nil && linked(step.before.info),
			})
		}
	}
	return changes
}

func (s *state) bytes() []byte {
	if s == nil {
		return nil
	}
	return append([]byte{}, s.content...)
}

func (s *state) mode() fs.FileMode {
	switch {
	case s == nil:
		return 0
	case s.info == nil || s.perm != 0:
		return s.perm
	}
	return s.info.Mode().Perm()
}

// missing collects the parent directories that Commit must create.
func (s *step) missing() (made []string) {
	if s.after == nil {
		return nil
	}
	for i := s.at.exists + 1; i < len(s.at.parts); i++ {
		made = append(made, strings.Join(s.at.parts[:i], "/"))
	}
	return made
}

func (s *step) changed() bool {
	if s.before == nil || s.after == nil {
		return s.before != s.after
	}
	return !bytes.Equal(s.before.content, s.after.content) || s.after.perm != 0 && s.before.mode() != s.after.perm
}

// step returns the step for a file. If there is none yet, it loads the file and adds a step.
func (b *Batch) step(name string) (*step, error) {
	at, err := b.dir.resolve(name, writing)
	if err != nil {
		return nil, err
	}
	if len(at.parts) == 0 {
		return nil, b.dir.wantFile(name, at)
	}
	for _, step := range b.steps {
		if step.at.name() == at.name() {
			return step, nil
		}
	}
	fresh := &step{at: at}
	if at.info != nil {
		if fresh.before, err = b.load(name, at); err != nil {
			return nil, err
		}
		fresh.after = fresh.before
	}
	b.steps = append(b.steps, fresh)
	return fresh, nil
}

func (b *Batch) load(name string, at found) (*state, error) {
	if err := b.dir.wantFile(name, at); err != nil {
		return nil, err
	}
	if at.info.Mode().Perm()&0o200 == 0 {
		// Commit would replace even a read-only file, because a rename ignores the file's mode.
		return nil, &Refusal{
			Err:  fmt.Errorf("%s is read-only (mode %04o): %w", quoteName(name), at.info.Mode().Perm(), fs.ErrPermission),
			Next: "The file is write-protected. If the user wants it changed, first run chmod u+w.",
		}
	}
	file, err := b.dir.openAccepted("read", name, at)
	if err != nil {
		return nil, err
	}
	defer func() { _ = file.Close() }()
	content, err := readAll(file.File, MaxEdit)
	if errors.Is(err, ErrTooLarge) {
		return nil, &Refusal{
			Err:  fmt.Errorf("%s has %d bytes, but only files of at most %d bytes can be edited: %w", quoteName(name), file.Info.Size(), MaxEdit, ErrTooLarge),
			Next: "Edit a file of this size with a command (sed, a script).",
		}
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", quoteName(name), err)
	}
	if b.Loaded != nil {
		if err := b.Loaded(b.dir.Abs(at.name()), content); err != nil {
			return nil, fmt.Errorf("%s: %w", quoteName(name), err)
		}
	}
	return &state{content: content, info: file.Info}, nil
}

// existingStep returns the step for a file. It returns an error if the file does not exist or the
// batch removes the file.
func (b *Batch) existingStep(name string) (*step, error) {
	step, err := b.step(name)
	switch {
	case err != nil || step.after != nil:
		return step, err
	case step.before != nil:
		return nil, fmt.Errorf("the same change removes %s: %w", quoteName(name), fs.ErrNotExist)
	}
	return nil, b.dir.missing(name, step.at)
}
