package jail

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"marvin/tools/internal/jail/internal/disk"
	"marvin/tools/internal/jail/internal/filter"
	"marvin/tools/internal/jail/internal/helper"
)

// Entry is one command on its way into a jail.
type Entry struct {
	Path       string   // of the program to start instead
	Args       []string // its arguments, with its name
	Env        []string // assignments to add
	Attributes func(*syscall.SysProcAttr)
	File       *os.File // the child's descriptor 3
	// Beside says that the caller does not wait until the placeholders are removed, after the last
	// process has gone; a caller that must not see them calls [Keeper.Settle].
	Beside bool

	jail    *Jail
	lacks   lack
	errands *errands // nil where there are none
	doors   *doors   // to the network of the command; nil where it has none of its own
	verdict *os.File
	pid     int // of the child
}

// Enter prepares a command: an absolute path, its arguments with its name, and the
// directory in which it starts. shown are directories of Marvin's own that the command may
// read; one that is not there is none. Leave must be called in the end.
func (j *Jail) Enter(path string, args []string, dir string, shown []string) (*Entry, error) {
	told := j.plan
	lacks := lack(j.keeper.lacks.Load())
	told.NoMounts, told.NoLandlock = lacks&noMounts != 0, lacks&noLandlock != 0
	if told.NoMounts && told.Gate { // no network of its own: then hosts are not held
		told.Gate, told.Offline = false, told.Offline && (!j.hosts || j.keeper.config.Mode == Strict)
	}
	if told.Network && !j.keeper.HoldsHosts() {
		return nil, ErrHosts
	}
	attributes, err := namespaces(told.Offline, lacks)
	if err != nil {
		return nil, err
	}
	told.Hide = j.hidden()
	for _, one := range append(j.keeper.words(), shown...) {
		if one = filepath.Clean(one); filepath.IsAbs(one) && disk.IsDir(one) {
			told.Show = append(told.Show, one)
		}
	}
	if told.NoMounts && j.ownInside {
		return nil, fmt.Errorf("%w: %s contains Marvin's own files, which only mounts can protect, and this system allows none; start Marvin in a project, or with --sandbox off", ErrPlace, j.plan.Root)
	}
	if told.Dir, err = filepath.EvalSymlinks(dir); err != nil {
		return nil, fmt.Errorf("the directory of the command: %w", err)
	}
	addFilters(&told, j.observer != nil)
	ends, child, err := newVerdict()
	if err != nil {
		return nil, err
	}
	verdict, file := os.NewFile(uintptr(ends), "verdict"), os.NewFile(uintptr(child), "verdict of the child")
	entry := &Entry{jail: j, lacks: lacks, verdict: verdict, File: file, Attributes: attributes, Path: program, Env: append(j.environ(lacks), helper.Variable+"=1")}
	if err := entry.prepare(); err != nil {
		return nil, errors.Join(err, verdict.Close(), file.Close())
	}
	entry.Args = told.Arguments(path, args)
	return entry, nil
}

// prepare makes what has to be there while the command runs, or notes what has to be put
// back after it.
func (e *Entry) prepare() error {
	if e.lacks&noMounts == 0 {
		if err := e.jail.keeper.holds.Take(e.jail.absent); err != nil {
			return err
		}
	}
	e.jail.watch.Begin(e.jail.gitPlace())
	return nil
}

// Started waits until the command runs in its jail. The child must have been started; err is the
// result. An error means that the command did not and will not run; it wraps [ErrMissing] if a
// layer is unavailable, and [ErrSmaller] if another Enter without one may help.
func (e *Entry) Started(child *os.Process, err error) error {
	_ = e.File.Close() // so that the end of the child's copy is the end of the pipe
	defer e.verdict.Close()
	if err != nil {
		if refusesNamespaces(err) {
			return e.jail.keeper.lower(e.lacks, noMounts, "mount namespaces", err)
		}
		return missing("mount namespaces", err)
	}
	e.pid = child.Pid
	said, err := e.listen()
	if err != nil {
		return err
	}
	if len(said) == 0 {
		e.jail.keeper.proven.Store(true)
		if e.jail.network != nil {
			e.jail.keeper.heard.Store(true)
		}
		return nil
	}
	layer, reason, found := strings.Cut(string(said), ": ")
	if !found || layer == "" {
		return fmt.Errorf("the sandbox did not start: %s", said)
	}
	// An earlier command can make only these layers fail, at their beginning.
	switch layer {
	case "command":
		return errors.New(reason)
	case helper.HostsLayer, "a network of its own":
		if e.jail.network != nil {
			return e.jail.keeper.unhold(layer, errors.New(reason))
		}
	case "user namespaces", "mounts of its own":
		return e.jail.keeper.lower(e.lacks, noMounts, layer, errors.New(reason))
	case "Landlock":
		return e.jail.keeper.lower(e.lacks, noLandlock, layer, errors.New(reason))
	}
	return missing(layer, errors.New(reason))
}

// Gone says that nothing of the command is left, which is known where the filter of its
// signals tells (see [errands]); false is no answer.
func (e *Entry) Gone() bool { return e.errands != nil && e.errands.gone() }

// Leave says that the command is over, and repairs what it left in the repository. Its placeholders
// stay while processes of it are left, which running reports if nothing more precise is known.
func (e *Entry) Leave(running bool) {
	watch, holds, absent := e.jail.watch, &e.jail.keeper.holds, e.jail.absent
	if e.errands == nil {
		e.closeNetwork()
		watch.End(e.jail.gitPlace(), running)
		if e.lacks&noMounts == 0 {
			holds.Leave(absent, running, false)
		}
		return
	}
	over := e.errands.gone()
	if over {
		watch.End(e.jail.gitPlace(), false)
	} else {
		watch.Again(e.jail.gitPlace())
	}
	if e.Beside && over {
		holds.Later(e.errands.ended)
	}
	e.errands.finally(func() {
		if !over {
			watch.End(e.jail.gitPlace(), false)
		}
		holds.Leave(absent, false, true)
	}, e.Beside)
}

// Settle returns when nothing is left that was made in the project for commands which are over: see
// [Entry.Beside].
func (k *Keeper) Settle() {
	if k != nil {
		k.holds.Settle()
	}
}

// refusesNamespaces tells a system that has none for this user, or not so many, from one
// that is out of processes or memory.
func refusesNamespaces(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.EINVAL, syscall.ENOSPC, syscall.ENOSYS, syscall.EUSERS}, func(number syscall.Errno) bool {
		return errors.Is(err, number)
	})
}

// Childless makes the calling thread one whose children start no program: see [filter.Childless].
func Childless() (attributes func(*syscall.SysProcAttr)) { return filter.Childless() }
