package copilot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	sdk "github.com/github/copilot-sdk/go"

	"marvin/providers"
)

const (
	// When measured, the first start took 1.3 s (it unpacked 235 MB), and a later start 0.5 s.
	startLimit = 20 * time.Second
	exitGrace  = 2 * time.Second        // limit for a graceful exit, which usually takes under 30 ms
	letGo      = 5 * time.Second        // time limit for a canceled call to return
	drainLimit = 500 * time.Millisecond // time limit for children that hold stderr open after the CLI has exited

	endOfStream = 20 * time.Millisecond // time that a reader needs to notice the end of a stream
)

var (
	errNoServer = errors.New("the program does not speak the Copilot CLI's protocol")
	errTooSlow  = errors.New("it was not ready in time")
	errDied     = errors.New("the Copilot CLI ended")
	errMute     = fmt.Errorf("%w (it stopped answering)", errDied)
)

// process is one running CLI and the SDK's connection to it.
type process struct {
	command *exec.Cmd
	stdin   io.Closer
	stderr  *tail
	relay   *relay
	gone    func(*process)
	scratch string   // a directory that is deleted when the process ends
	owned   *os.File // the lock on the scratch directory

	// alive is a context that is canceled when the process ends. The cause of the context says why
	// the process ended.
	alive context.Context
	died  context.CancelCauseFunc
	// exited is closed when the process and its children have ended.
	exited chan struct{}

	// This lock prevents process.call from using the client during process.hangUp. The SDK has no such
	// lock. process.call holds the read lock; process.quiet tries to take the write lock.
	calls     sync.RWMutex
	client    *sdk.Client
	connected atomic.Bool
}

// launch creates the CLI process but sends nothing. After the process has ended, a goroutine first
// calls onExit and then closes p.exited.
func launch(path string, environ []string, onExit func(*process)) (*process, error) {
	p := &process{gone: onExit, stderr: &tail{}, exited: make(chan struct{})}
	var err error
	if p.scratch, p.owned, err = scratch(os.TempDir()); err != nil {
		return nil, fmt.Errorf("a directory for the Copilot CLI cannot be made: %w; free some space there, or set TMPDIR to another directory", err)
	}
	p.command = exec.Command(path, "--headless", "--stdio", "--no-auto-update", "--log-level", "error", "--log-dir", p.scratch) //nolint:noctx // the CLI outlives the current question
	p.command.Env, p.command.Stderr, p.command.WaitDelay = p.surroundings(environ), p.stderr, drainLimit
	// In the root directory, the CLI finds no project files.
	p.command.Dir = filepath.VolumeName(path) + string(filepath.Separator)
	p.command.SysProcAttr = ownSession()
	if err := p.run(); err != nil {
		p.discard()
		return nil, fmt.Errorf("the Copilot CLI %s is %w: %w", path, providers.ErrUnavailable, err)
	}
	return p, nil
}

// run creates the process and connects stdin and stdout to a relay.
func (p *process) run() error {
	stdin, err := p.command.StdinPipe()
	if err != nil {
		return err
	}
	// StdoutPipe would not work, because Wait would close the pipe while the relay reads.
	stdout, inner, err := os.Pipe()
	if err != nil {
		return err
	}
	defer inner.Close()
	p.command.Stdout = inner
	if p.relay, err = newRelay(); err != nil {
		stdout.Close()
		return err
	}
	if err := p.command.Start(); err != nil {
		p.relay.listener.Close()
		stdout.Close()
		return err
	}
	p.stdin = stdin
	p.alive, p.died = context.WithCancelCause(context.Background())
	p.client = sdk.NewClient(&sdk.ClientOptions{
		Connection: sdk.URIConnection{URL: p.relay.address(), ConnectionToken: p.relay.token},
		Mode:       sdk.ModeEmpty,
		ClientInfo: &sdk.ClientInfo{ApplicationName: "marvin"},
	})
	go func() {
		defer stdout.Close()
		p.relay.serve(stdin, stdout, p.saidAll)
	}()
	go p.reap()
	return nil
}

// reap waits until the process ends, cancels p.alive, and cleans up.
func (p *process) reap() {
	err := p.command.Wait()
	killGroup(p.command.Process)
	p.died(p.obituary(err)) // p.died has no effect after p.end
	p.relay.listener.Close()
	<-p.relay.silent
	free := p.quiet()
	p.hangUp()
	free()
	<-p.relay.done
	p.discard()
	p.gone(p)
	close(p.exited)
}

// quiet returns when no call to the client is running, and prevents new calls until the returned
// function is called. It stops waiting after exitGrace, because a call without a deadline lasts
// until the connection closes.
func (p *process) quiet() (free func()) {
	limit, stop := context.WithTimeout(context.Background(), exitGrace)
	defer stop()
	for !p.calls.TryLock() {
		if limit.Err() != nil {
			return func() {}
		}
		time.Sleep(time.Millisecond)
	}
	return p.calls.Unlock
}

// hangUp stops the SDK after the SDK's reader has noticed the end of the connection. An earlier
// stop would make the reader print an error to Marvin's stdout. hangUp polls the client's Start
// method, which returns nil until the reader has noticed the end. After exitGrace, hangUp no longer
// waits for the reader. hangUp calls ForceStop, because Stop would wait for answers.
func (p *process) hangUp() {
	never, cancel := context.WithCancel(context.Background())
	cancel()
	if !p.connected.Load() {
		// Before the reader notices the end of the connection, the client's state is unreliable.
		time.Sleep(endOfStream)
	}
	limit, stop := context.WithTimeout(context.Background(), exitGrace)
	defer stop()
	for p.client.Start(never) == nil && limit.Err() == nil {
		time.Sleep(time.Millisecond)
	}
	p.client.ForceStop()
}

// obituary returns an error that says how the process ended and quotes its last output.
func (p *process) obituary(err error) error {
	how := "it exited"
	if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
		how = err.Error()
	}
	if said := providers.Clean(p.stderr.String(), ""); said != "" {
		how += ": " + said
	}
	return fmt.Errorf("%w (%s)", errDied, how)
}

// connect performs the handshake between the CLI and the SDK. The SDK has no deadline of its own.
func (p *process) connect(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeoutCause(ctx, limit, errTooSlow)
	defer cancel()
	err := p.call(ctx, func(ctx context.Context, client *sdk.Client) error { return client.Start(ctx) })
	if err == nil {
		p.connected.Store(true)
		return nil
	}
	p.kill()
	switch {
	case errors.Is(err, errTooSlow):
		return fmt.Errorf("the Copilot CLI %s is %w: %w (%s); check that `%s --version` works, then try again", p.command.Path, providers.ErrUnavailable, err, limit, p.command.Path)
	case p.alive.Err() != nil && !errors.Is(err, errDied): // Marvin ended it
		return err
	}
	return fmt.Errorf("the Copilot CLI %s is %w: %s", p.command.Path, providers.ErrUnavailable, err.Error())
}

// call invokes the given function with the client. If ctx or the process ends first, the error is
// the cancellation cause.
func (p *process) call(ctx context.Context, do func(context.Context, *sdk.Client) error) error {
	p.calls.RLock()
	defer p.calls.RUnlock()
	ctx, stop := p.withProcess(ctx)
	defer stop()
	switch {
	case p.alive.Err() != nil: // ctx ends slightly later than p.alive
		return context.Cause(p.alive)
	case ctx.Err() != nil:
		return context.Cause(ctx)
	}
	ended := make(chan struct{})
	defer close(ended)
	defer context.AfterFunc(ctx, func() { p.leaveIfMute(ended) })()
	return p.cause(ctx, do(ctx, p.client))
}

// leaveIfMute ends the CLI if a canceled call does not return in time (see [letGo]). The SDK has no
// deadline for closing a session.
func (p *process) leaveIfMute(ended <-chan struct{}) {
	select {
	case <-ended:
	case <-time.After(letGo):
		p.end(errMute)
	}
}

// saidAll is called when the process's output ends, before the SDK notices the end. If the output
// was malformed, err is not nil and saidAll ends the process at once. Otherwise the process has
// exitGrace to exit on its own.
func (p *process) saidAll(err error) {
	if err == nil {
		select {
		case <-p.alive.Done():
			return
		case <-time.After(exitGrace):
			err = errMute
		}
	}
	p.end(err)
}

func (p *process) end(cause error) {
	if p.alive.Err() == nil { // the system can reuse the id of an exited process
		p.died(cause)
		killGroup(p.command.Process)
	}
}

// cause replaces a non-nil err with the reason why ctx or the process ended. If neither has ended,
// the method returns err.
func (p *process) cause(ctx context.Context, err error) error {
	switch {
	case err == nil:
		return nil
	case ctx.Err() != nil: // ctx ended first
		return context.Cause(ctx)
	case p.alive.Err() != nil: // ctx ends slightly later than p.alive
		return context.Cause(p.alive)
	}
	return err
}

// withProcess returns a context that also ends when the process ends.
func (p *process) withProcess(ctx context.Context) (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	unlink := context.AfterFunc(p.alive, func() { cancel(context.Cause(p.alive)) })
	return ctx, func() { unlink(); cancel(nil) }
}

// stop asks the process to exit, and kills the process if necessary.
func (p *process) stop(ctx context.Context) {
	if !p.connected.Load() {
		p.kill() // before the handshake, the process cannot exit gracefully
		return
	}
	_ = p.stdin.Close()
	ctx, cancel := context.WithTimeout(ctx, exitGrace)
	defer cancel()
	select {
	case <-p.exited:
	case <-ctx.Done():
		p.kill()
	}
}

func (p *process) kill() {
	if p.alive.Err() == nil { // the system can reuse the id of an exited process
		killGroup(p.command.Process)
	}
	<-p.exited
}

func (p *process) discard() {
	_ = p.owned.Close()
	_ = os.RemoveAll(p.scratch) // if this fails, the next start removes the directory
}
