package jail

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// Entry is one command on its way into a jail.
type Entry struct {
	Path       string   // of the program to start instead
	Args       []string // its arguments, with its name
	Env        []string // assignments to add
	Attributes func(*syscall.SysProcAttr)
	File       *os.File // the child's descriptor 3

	jail    *Jail
	errands *errands // nil where there are none
	verdict *os.File
}

// Enter prepares a command: an absolute path, its arguments with its name, and the
// directory in which it starts. Leave must be called in the end.
func (j *Jail) Enter(path string, args []string, dir string) (*Entry, error) {
	attributes, err := namespaces(j.plan.Offline)
	if err != nil {
		return nil, err
	}
	told := j.plan
	told.Hide = j.hidden()
	if told.Dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("the directory of the command: %w", err)
	}
	encoded, err := json.Marshal(told)
	if err != nil {
		return nil, err
	}
	ends, child, err := newVerdict()
	if err != nil {
		return nil, err
	}
	verdict, file := os.NewFile(uintptr(ends), "verdict"), os.NewFile(uintptr(child), "verdict of the child")
	if err := j.keeper.holds.take(j.absent); err != nil {
		return nil, errors.Join(err, verdict.Close(), file.Close())
	}
	return &Entry{
		Path: helper, Args: append([]string{"marvin", Word, string(encoded), path}, args...),
		Env: j.plan.env, Attributes: attributes, File: file, jail: j, verdict: verdict,
	}, nil
}

// Started waits until the command runs in its jail. The child must have been started,
// err says how that went. An error means that the command did not and will not run;
// it wraps [ErrMissing] if a layer is not to be had.
func (e *Entry) Started(err error) error {
	_ = e.File.Close() // so that the end of the child's copy is the end of the pipe
	defer e.verdict.Close()
	if err != nil {
		return missing("mount namespaces", err)
	}
	said, err := e.listen()
	if err != nil {
		return err
	}
	if len(said) == 0 {
		return nil
	}
	layer, reason, found := strings.Cut(string(said), ": ")
	if !found || layer == "" {
		return fmt.Errorf("the sandbox did not start: %s", said)
	}
	if layer == "command" {
		return errors.New(reason)
	}
	return missing(layer, errors.New(reason))
}

// Leave says that the command is over. What it needed stays as long as processes of it
// are left, which running says where nothing better is known.
func (e *Entry) Leave(running bool) {
	holds, absent := &e.jail.keeper.holds, e.jail.absent
	if e.errands == nil {
		holds.leave(absent, running, false)
		return
	}
	e.errands.finally(func() { holds.leave(absent, false, true) })
}

func missing(layer string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrMissing, layer, err)
}
