package box

import (
	"bytes"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"sync"
)

// swapLock is locked while a file is compared and replaced, so that two sub-agents in one directory
// cannot both pass the comparison. The lock is held only for microseconds, because the new content
// is already on disk.
var swapLock sync.Mutex

// commit is a batch being written.
type commit struct {
	dir    *Dir
	staged []*stagedStep
	made   []string // directories created for the commit
}

// stagedStep is a step whose new content, if any, is already on disk in a temporary file.
type stagedStep struct {
	*step
	parent *os.Root
	temp   string
}

// Commit makes all changes or none: on failure, it restores the changed files. It returns
// ErrChanged if another program has changed a file since the batch loaded that file. Once Commit
// begins to replace files, it ignores ctx.
func (b *Batch) Commit(ctx context.Context) error {
	c := &commit{dir: b.dir}
	defer c.cleanUp()
	for _, step := range b.steps {
		if !step.changed() {
			continue
		}
		if err := context.Cause(ctx); err != nil {
			c.forgetDirectories()
			return fmt.Errorf("nothing was changed: %w", err)
		}
		if err := c.stage(step); err != nil {
			c.forgetDirectories()
			return fmt.Errorf("nothing was changed: cannot write %s: %w", quoteName(step.at.name()), err)
		}
	}
	return c.swap()
}

// stage writes the new content to a temporary file, and syncs that file. The sync takes 1 to 20 ms.
// Without the sync, a power cut can leave an empty file, because some file systems write the rename
// before the data.
func (c *commit) stage(step *step) error {
	parent, err := c.dir.descend(step.at.parent(), step.after != nil, &c.made)
	if err != nil {
		return err
	}
	s := &stagedStep{step: step, parent: parent}
	c.staged = append(c.staged, s)
	if step.after == nil {
		return nil
	}
	source, old := parent, step.at.base()
	if step.after.from != "" {
		source, old = c.dir.root, step.after.from
	}
	s.temp, err = writeTemp(parent, step.after, source, old)
	return err
}

// writeTemp writes content to a temporary file in parent, and returns the temporary file's name.
// The temporary file gets the owner, mode and extended attributes of the old file. The last two
// arguments are the old file's directory and name.
func writeTemp(parent *os.Root, want *state, source *os.Root, old string) (name string, err error) {
	name = ".marvin-" + rand.Text()[:10] + ".tmp"
	file, err := parent.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return "", causeOf(err)
	}
	_, err = file.Write(want.content)
	if err == nil && want.info != nil {
		keepOwner(file, want.info)
		err = file.Chmod(keptMode(want.info.Mode()))
		keepAttributes(file, source, old)
	}
	if err == nil && want.perm != 0 {
		err = file.Chmod(want.perm)
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		_ = parent.Remove(name)
		return "", causeOf(err)
	}
	return name, nil
}

// swap gives the temporary files their final names.
func (c *commit) swap() error {
	swapLock.Lock()
	defer swapLock.Unlock()
	for _, s := range c.staged {
		if err := s.verify(); err != nil {
			c.forgetDirectories()
			return fmt.Errorf("nothing was changed: %s: %w", quoteName(s.at.name()), err)
		}
	}
	for i, s := range c.staged {
		err := s.verify()
		if err == nil {
			err = s.replace()
		}
		if err != nil {
			return c.undo(i, fmt.Errorf("%s: %w", quoteName(s.at.name()), err))
		}
	}
	return nil
}

// verify returns ErrChanged if the file's content has changed since the batch loaded the file. A
// comparison of sizes and modification times would miss some changes.
func (s *stagedStep) verify() error { return s.holds(s.before) }

func (s *stagedStep) holds(want *state) error {
	if want == nil {
		if _, err := s.parent.Lstat(s.at.base()); err == nil {
			return fmt.Errorf("%w: another program created it during the call", ErrChanged)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return causeOf(err)
		}
		return nil
	}
	file, err := openRegular(s.parent, s.at.base())
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%w: it is gone", ErrChanged)
	}
	if err != nil {
		return err
	}
	defer func() { _ = file.Close() }()
	content, err := readAll(file, MaxEdit)
	if errors.Is(err, ErrTooLarge) || err == nil && !bytes.Equal(content, want.content) {
		return ErrChanged
	}
	return err
}

func (s *stagedStep) replace() error {
	base := s.at.base()
	if s.after == nil {
		return causeOf(s.parent.Remove(base))
	}
	if s.before != nil {
		return causeOf(s.parent.Rename(s.temp, base))
	}
	// Link fails if the name exists. Rename would replace a file that another program has just
	// created. So Rename is used only if Link fails for another reason, such as a file system
	// without hard links.
	err := s.parent.Link(s.temp, base)
	if err == nil || errors.Is(err, fs.ErrExist) {
		return causeOf(err)
	}
	return causeOf(s.parent.Rename(s.temp, base))
}

// undo restores the first n files. The returned error wraps the given cause.
func (c *commit) undo(n int, cause error) error {
	var stuck []string
	for i := n - 1; i >= 0; i-- {
		if err := c.staged[i].restore(); err != nil {
			stuck = append(stuck, fmt.Sprintf("%s (%v)", quoteName(c.staged[i].at.name()), err))
		}
	}
	c.forgetDirectories()
	switch {
	case len(stuck) > 0:
		return fmt.Errorf("only a part of the change was made, because of this error: %[2]w; these files could not be restored: %[1]s", strings.Join(stuck, ", "), cause)
	case n > 0:
		return fmt.Errorf("nothing was changed: %d of %d files were written and then restored, because of this error: %w", n, len(c.staged), cause)
	}
	return fmt.Errorf("nothing was changed: %w", cause)
}

// restore undoes the change. It returns an error if another program has since changed the file.
func (s *stagedStep) restore() error {
	if err := s.holds(s.after); err != nil {
		return err
	}
	if s.before == nil {
		return causeOf(s.parent.Remove(s.at.base()))
	}
	temp, err := writeTemp(s.parent, s.before, s.parent, s.at.base())
	if err != nil {
		return err
	}
	return causeOf(s.parent.Rename(temp, s.at.base()))
}

// forgetDirectories removes the temporary files, then the empty directories that the commit
// created.
func (c *commit) forgetDirectories() {
	for _, s := range c.staged {
		if s.temp != "" {
			_ = s.parent.Remove(s.temp)
		}
	}
	for i := len(c.made) - 1; i >= 0; i-- {
		_ = c.dir.root.Remove(c.made[i])
	}
}

func (c *commit) cleanUp() {
	for _, s := range c.staged {
		if s.temp != "" {
			_ = s.parent.Remove(s.temp) // fails if the temporary file was renamed or removed
		}
		_ = s.parent.Close()
	}
}

// keptMode returns the mode of a file after its content has changed. Like the kernel, it drops
// setuid, and drops setgid if the group may execute the file.
func keptMode(mode fs.FileMode) fs.FileMode {
	kept := mode & (fs.ModePerm | fs.ModeSticky)
	if mode&fs.ModeSetgid != 0 && mode&0o010 == 0 {
		kept |= fs.ModeSetgid
	}
	return kept
}
