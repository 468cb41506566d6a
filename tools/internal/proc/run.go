package proc

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"sync/atomic"
	"time"

	"marvin/tools/internal/jail"
)

// The default limits of a call.
const (
	defaultLimit = 128 << 10              // bytes kept of stdout, and of stderr
	DefaultGrace = time.Second            // between TERM and KILL; headless runs must end within 2 s
	Drain        = 500 * time.Millisecond // the longest wait for output after the child has ended
	lastResort   = 2 * time.Second        // the longest wait after KILL
)

// Command describes a child process to run.
type Command struct {
	Shell string   // a line for bash, or for sh if bash is missing; used instead of Name
	Name  string   // the program: an absolute path, or a name to look up (see Find)
	Args  []string // the program's arguments
	// Argv0, when set, replaces Name as argv[0]. Python needs this to find its virtual environment.
	Argv0 string
	// Childless prevents the program from starting other programs. It works only on Linux, and only if
	// Jail is nil. Callers set Childless for programs that only read.
	Childless bool
	// If WholePath is true and Jail is nil, the program can be in any directory of PATH, even one
	// where the project can write. WholePath is for programs that the user chose by name.
	WholePath bool

	Dir     string   // absolute
	Environ []string // Marvin's environment; the child gets a part of it
	Env     []string // additional variables for the child, unfiltered
	Marvin  bool     // the child is a Marvin process, and gets keys and settings
	Stdin   string
	Jail    *jail.Jail // confines the child; may be nil
	Shown   []string   // Marvin's directories that the jailed child may read

	// Stdout, when set, receives the child's stdout, and Result.Stdout stays empty. After a failed
	// Write, the pipe is closed, and most programs end at their next output (see [Capped]). Write
	// is never called after Run has returned.
	Stdout io.Writer
	// Combined, when set, receives a copy of stdout and stderr in the order in which they arrive.
	// Errors from writing to Combined are ignored.
	Combined io.Writer
	// Beside, when set, receives a copy of the child's stdout.
	Beside io.Writer
	// Stderr, when set, receives a copy of the child's stderr.
	Stderr io.Writer
	Limit  int           // bytes kept of each stream; 0 means defaultLimit
	Grace  time.Duration // 0 means DefaultGrace

	// Unattended means that no user can type input. On Linux, if the command or one of its children
	// waits for terminal input, Run ends the command within three seconds and returns a [*WaitError].
	Unattended bool
	// Ends means that Run ends the remaining descendants of an ended child, even those outside the
	// child's process group. If Marvin ends first, for any reason, the guard ends the child and its
	// descendants (see [guardian]).
	Ends bool

	// Progress, when set, is called about once a second with the last line of output.
	Progress func(lastLine string)
	// TidyLater tells Run to remove the jail's placeholders in the background (see [jail.Entry]). A
	// caller that reads the project afterwards must call [jail.Keeper.Settle] first.
	TidyLater bool
	// Away, when set, lets the child continue in the background: if the channel is closed while the
	// child runs, Run returns an [*Away].
	Away <-chan struct{}

	leaving *leaving // nil if Away is nil
}

// Result contains the output and the exit status of a child.
type Result struct {
	Stdout, Stderr Output
	ExitCode       int       // as in shells: 128 + the number of the signal that ended the child
	Signal         string    // "" if no signal ended the child
	Left           []Process // processes that the child started and that still run
}

// Process describes a process that outlived its command.
type Process struct {
	PID     int
	Command string
	Started string // see [Identity]
	Mark    string
	group   int
}

// ErrNotFound means that no directory on PATH has the program.
var ErrNotFound = errors.New("program not found on PATH")

// Run runs the command and waits until it ends. A nonzero exit code is not an error. If ctx ends
// first, Run stops the command's processes and returns the output so far, with an error that wraps
// the cause of ctx.
func Run(ctx context.Context, command Command) (Result, error) {
	if ctx.Err() != nil {
		return Result{}, fmt.Errorf("not started: %w", context.Cause(ctx))
	}
	if command.Away != nil {
		return runAway(ctx, command)
	}
	run, err := prepare(command)
	if err != nil {
		return Result{}, err
	}
	if command.Childless && command.Jail == nil {
		return runChildless(ctx, run)
	}
	return run.run(ctx)
}

func (r *running) run(ctx context.Context) (Result, error) {
	// Pdeathsig kills the child when the thread that started the child ends. So this goroutine
	// keeps its thread until the child has ended.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var watched watched
	defer watched.forget()
	r, err := r.startChild(watched.addIfEnds)
	if err != nil {
		return Result{}, err
	}
	r.session.leads(r.child.Process.Pid)
	if r.leaving != nil {
		r.leaving.begun <- r
	}
	waited := wait(r.child)
	err, stopped := r.watch(ctx, waited)
	result := r.result(err)
	defer func() { r.leave(len(result.Left) > 0) }()
	switch {
	case stopped != nil:
		return result, fmt.Errorf("stopped: %w", stopped)
	case r.Ends:
		r.session.endRest(r.Grace)
	case r.entry != nil && r.entry.Gone():
		// The command has no processes left, so session.members is not called. The call would take
		// 20 µs for each process on the system.
	case errors.Is(err, exec.ErrWaitDelay) || r.Shell != "" || r.session.hasGroup():
		result.Left = r.session.members()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return result, fmt.Errorf("run %s: %w", filepath.Base(r.child.Path), err)
	}
	return result, nil
}

type running struct {
	Command
	child          *exec.Cmd
	session        session
	entry          *jail.Entry // nil without a jail
	stdout, stderr *keeper
	last           atomic.Pointer[keeper] // the stream with the latest output
}

func (r *running) confine() (err error) {
	if r.Jail == nil {
		return nil
	}
	if r.entry, err = r.Jail.Enter(r.child.Path, r.child.Args, r.Dir, r.Shown); err != nil {
		return err
	}
	r.entry.Beside = r.TidyLater
	r.child.Path, r.child.Args = r.entry.Path, r.entry.Args
	r.child.Env = append(r.child.Env, r.entry.Env...)
	r.child.ExtraFiles = []*os.File{r.entry.File}
	r.entry.Attributes(r.child.SysProcAttr)
	return nil
}

// startChild starts the child. If the system lacks a layer of the jail, startChild tries again with
// fewer layers. The callback runs before each attempt.
func (r *running) startChild(ready func(*running)) (*running, error) {
	for {
		ready(r)
		err := r.start()
		if !errors.Is(err, jail.ErrSmaller) { // ErrSmaller occurs at most once per child
			return r, err
		}
		if r, err = prepare(r.Command); err != nil {
			return nil, err
		}
	}
}

// start starts the child. In a jail, start also waits until the helper has started the command.
func (r *running) start() error {
	name := filepath.Base(r.child.Path)
	var err error
	switch {
	case r.entry != nil:
		err = r.child.Start()
		if err = r.entry.AwaitStart(r.child.Process, err); err != nil && r.child.Process != nil {
			_ = r.child.Wait()
		}
	default:
		if err = r.child.Start(); err != nil {
			err = fmt.Errorf("start %s in %s: %w", name, r.Dir, err)
		}
	}
	if err != nil {
		r.leave(false)
	}
	return err
}

func (r *running) leave(stillRuns bool) {
	if r.entry != nil {
		r.entry.Leave(stillRuns)
	}
}

// watch waits until the child ends. If Marvin ended the child, the second error is the reason.
// Otherwise the second error is nil.
func (r *running) watch(ctx context.Context, waited <-chan error) (err, stopped error) {
	var tick <-chan time.Time
	if r.Progress != nil || r.Unattended {
		ticker := time.NewTicker(time.Second)
		defer ticker.Stop()
		tick = ticker.C
	}
	var vigil vigil
	for {
		select {
		case err = <-waited:
			return err, nil
		case <-tick:
			r.reportProgress()
			if !r.Unattended {
				continue
			}
			if why := vigil.ended(r); why != nil {
				return r.session.stop(waited, r.Grace), why
			}
		case <-ctx.Done():
			return r.session.stop(waited, r.Grace), context.Cause(ctx)
		}
	}
}
