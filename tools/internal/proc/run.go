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

// Limits of a call that states none of its own.
const (
	defaultLimit = 128 << 10              // bytes kept of stdout, and as many of stderr
	DefaultGrace = time.Second            // between TERM and KILL; a run that a signal ends has 2 s in all
	Drain        = 500 * time.Millisecond // for output after the child's own end
	lastResort   = 2 * time.Second        // for a killed child to be gone
)

// Command is one child process.
type Command struct {
	Shell string   // a line for bash, or for sh where there is no bash; or
	Name  string   // a program: an absolute path, or a name to find on PATH (see Find),
	Args  []string // with its arguments
	// The program's name for itself (argv[0]), if not Name. A Python finds its virtual environment
	// by it.
	As string
	// Childless is for a program that only reads: it cannot start another. This holds on Linux.
	Childless bool
	// WholePath is for a program that a person wants as it is named, and that no jail
	// holds: it is looked for on the whole PATH, also where the project can write.
	WholePath bool

	Dir     string   // absolute
	Environ []string // what Marvin was started with; the child gets a part of it
	Env     []string // assignments that the child gets as they are
	Marvin  bool     // the child is Marvin itself: it gets keys and settings too
	Stdin   string
	Jail    *jail.Jail // what holds the child; nil means nothing does
	Shown   []string   // directories of Marvin's own that it may read in the jail: a tool's, artifacts

	// Stdout, when set, takes the output instead of Result.Stdout. An error from
	// Write closes the pipe, which ends most programs: the way to take only as much
	// as is needed. Write is never called after Run has returned.
	Stdout io.Writer
	// Both, when set, is given what comes by both streams, in the order in which it comes,
	// beside what is kept of them. Its errors are ignored. See [Drained].
	Both io.Writer
	// Beside, when set, is given what comes by stdout alone.
	Beside io.Writer
	// Stderr, when set, takes what Result.Stderr keeps, too.
	Stderr io.Writer
	Limit  int           // bytes kept of each stream; 0 means DefaultLimit
	Grace  time.Duration // 0 means DefaultGrace

	// Alone says that there is no user to type: a program that waits for a terminal is ended, with
	// a [*Waits] error, within three seconds, on Linux.
	Alone bool
	// Ends says that what the child started ends with it, also what left its group, and
	// with Marvin, however that ends (see [guardian]).
	Ends bool

	// Progress, when set, is called about once a second with the last line written.
	Progress func(lastLine string)
	// Soon removes the jail's placeholders in the background: see [jail.Entry]. A caller that then
	// reads the project calls [jail.Keeper.Settle] first.
	Soon bool
	// Away, when set and closed while the child runs, has Run return an [*Away].
	Away <-chan struct{}

	leaving *leaving // of a run with Away
}

// Drained is a [Command.Both] that is informed when both streams have ended. That is about 0.1 ms
// before the end of the child is known, and never if a remaining process holds them. It receives
// the future output of [Result].
type Drained interface{ Drained(stdout, stderr Output) }

// Result is what a child left behind.
type Result struct {
	Stdout, Stderr Output
	ExitCode       int       // 128 + the signal's number, as shells have it, if one ended it
	Signal         string    // its name, "" if it ended by itself
	Left           []Process // what it started and left running in the background
}

// Process is one that a call left running.
type Process struct {
	PID     int
	Command string
	Started string // see [Identity]
	Mark    string
	group   int
}

// ErrNotFound means that no directory on PATH has the program.
var ErrNotFound = errors.New("program not found on PATH")

// Run runs the command and waits for its end. An exit code other than 0 is not an
// error. If ctx ends first the error wraps its cause, every process of the call is
// gone, and the result holds what there was until then.
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
	// Pdeathsig is sent when the thread that started the child ends, so this
	// goroutine keeps its thread as long as the child lives.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var watched watched
	defer watched.forget()
	r, err := r.started(watched.addEnding)
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
		r.session.clear(r.Grace)
	case r.entry != nil && r.entry.Gone(): // nothing was left: a search costs 20 µs for each process of the system
	case errors.Is(err, exec.ErrWaitDelay) || r.Shell != "" || r.session.hasGroup():
		result.Left = r.session.members()
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) {
		return result, fmt.Errorf("run %s: %w", filepath.Base(r.child.Path), err)
	}
	return result, nil
}

// running is a child with its output.
type running struct {
	Command
	child          *exec.Cmd
	session        session
	entry          *jail.Entry // nil without a jail
	stdout, stderr *keeper
	last           atomic.Pointer[keeper] // the stream written to last
	drained        atomic.Int32           // streams that ended
}

// confine has the child started by the jail, if there is one.
func (r *running) confine() (err error) {
	if r.Jail == nil {
		return nil
	}
	if r.entry, err = r.Jail.Enter(r.child.Path, r.child.Args, r.Dir, r.Shown); err != nil {
		return err
	}
	r.entry.Beside = r.Soon
	r.child.Path, r.child.Args = r.entry.Path, r.entry.Args
	r.child.Env = append(r.child.Env, r.entry.Env...)
	r.child.ExtraFiles = []*os.File{r.entry.File}
	r.entry.Attributes(r.child.SysProcAttr)
	return nil
}

// started starts the child, in a smaller jail if the system lacks a layer of it. ready is
// what is still to be said of a child before.
func (r *running) started(ready func(*running)) (*running, error) {
	for {
		ready(r)
		err := r.start()
		if !errors.Is(err, jail.ErrSmaller) { // which a keeper says twice at most
			return r, err
		}
		if r, err = prepare(r.Command); err != nil {
			return nil, err
		}
	}
}

// start returns when the child runs the command itself.
func (r *running) start() error {
	name := filepath.Base(r.child.Path)
	var err error
	switch {
	case r.entry != nil:
		err = r.child.Start()
		if err = r.entry.Started(r.child.Process, err); err != nil && r.child.Process != nil {
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

// leave gives back what the jail made for the child.
func (r *running) leave(stillRuns bool) {
	if r.entry != nil {
		r.entry.Leave(stillRuns)
	}
}

// watch returns when the child is gone; stopped is why it was made to go.
func (r *running) watch(ctx context.Context, waited <-chan error) (err, stopped error) {
	var tick <-chan time.Time
	if r.Progress != nil || r.Alone {
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
			r.tell()
			if !r.Alone {
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
