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

// Entry starts one command in a jail.
type Entry struct {
	Path       string   // the helper program, which executes the command
	Args       []string // the helper's arguments, including the helper's name
	Env        []string // assignments to add
	Attributes func(*syscall.SysProcAttr)
	File       *os.File // the child gets it as descriptor 3
	// If Beside is true, [Entry.Leave] can return before the placeholders are removed. A caller
	// that must not see placeholders calls [Keeper.Settle].
	Beside bool

	jail    *Jail
	lacks   lack
	errands *errands // nil without a signal filter
	doors   *doors   // Marvin's sockets in the command's own network, or nil
	verdict *os.File
	pid     int // the child's PID
}

// Enter prepares a command, which starts in dir. path must be absolute, and args includes the
// command's name. readDirs lists those of Marvin's own directories that the command may read.
// Enter ignores missing directories. The caller must eventually call [Entry.Leave].
func (j *Jail) Enter(path string, args []string, dir string, readDirs []string) (*Entry, error) {
	told := j.plan
	lacks := lack(j.keeper.lacks.Load())
	told.NoMounts, told.NoLandlock = lacks&noMounts != 0, lacks&noLandlock != 0
	if told.NoMounts && told.Gate { // the proxy needs a network namespace
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
	for _, one := range append(j.keeper.words(), readDirs...) {
		if one = filepath.Clean(one); filepath.IsAbs(one) && disk.IsDir(one) {
			told.Show = append(told.Show, one)
		}
	}
	if told.NoMounts && j.ownInside {
		return nil, fmt.Errorf("%w: %s contains Marvin's own files, and this system does not allow the mounts that would protect them; start Marvin in a project, or with --sandbox off", ErrPlace, j.plan.Root)
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

// prepare creates the placeholders, which exist while the command runs. It also records the state
// of the repository, so that [Entry.Leave] can undo the command's changes.
func (e *Entry) prepare() error {
	if e.lacks&noMounts == 0 {
		if err := e.jail.keeper.holds.Take(e.jail.absent); err != nil {
			return err
		}
	}
	e.jail.watch.Begin(e.jail.gitPlace())
	return nil
}

// AwaitStart waits until the command runs in its jail. child is the helper's process, and err is
// the error from starting the helper. If AwaitStart fails, the command never runs. The returned
// error wraps [ErrMissing] if a layer is unavailable, or [ErrSmaller] if the caller should call
// [Jail.Enter] again, which then uses fewer layers.
func (e *Entry) AwaitStart(child *os.Process, err error) error {
	_ = e.File.Close() // so that listen returns when the child closes its end
	defer e.verdict.Close()
	if err != nil {
		if refusesNamespaces(err) {
			return e.jail.keeper.dropLayer(e.lacks, noMounts, "mount namespaces", err)
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
	// Earlier commands can break only the layers in this switch.
	switch layer {
	case "command":
		return errors.New(reason)
	case helper.HostsLayer, "a network of its own":
		if e.jail.network != nil {
			return e.jail.keeper.noHosts(layer, errors.New(reason))
		}
	case "user namespaces", "mounts of its own":
		return e.jail.keeper.dropLayer(e.lacks, noMounts, layer, errors.New(reason))
	case "Landlock":
		return e.jail.keeper.dropLayer(e.lacks, noLandlock, layer, errors.New(reason))
	}
	return missing(layer, errors.New(reason))
}

// Gone reports whether no process of the command is left. Without a signal filter (see [errands]),
// it returns false.
func (e *Entry) Gone() bool { return e.errands != nil && e.errands.gone() }

// Leave must be called after the command has ended, or if it did not start. Leave reverts dangerous
// changes that the command made to the repository (see [Keeper.PutRight]). Placeholders stay until
// all processes of the command have ended. Callers pass true if such processes are left. If there
// is a signal filter, Leave ignores this argument, because [errands] detects the end of the last
// process.
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
		watch.RevertNow(e.jail.gitPlace())
	}
	if e.Beside && over {
		holds.SettleLater(e.errands.ended)
	}
	e.errands.finally(func() {
		if !over {
			watch.End(e.jail.gitPlace(), false)
		}
		holds.Leave(absent, false, true)
	}, e.Beside)
}

// Settle waits for the delayed removal of placeholders, up to a time limit: see [Entry.Beside].
func (k *Keeper) Settle() {
	if k != nil {
		k.holds.Settle()
	}
}

// refusesNamespaces reports whether err means that this user cannot create another namespace. It
// returns false if processes or memory ran out.
func refusesNamespaces(err error) bool {
	return slices.ContainsFunc([]syscall.Errno{syscall.EPERM, syscall.EACCES, syscall.EINVAL, syscall.ENOSPC, syscall.ENOSYS, syscall.EUSERS}, func(number syscall.Errno) bool {
		return errors.Is(err, number)
	})
}

// Childless prevents the children of the calling thread from starting programs: see
// [filter.Childless].
func Childless() (attributes func(*syscall.SysProcAttr)) { return filter.Childless() }
