package proc

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"
)

// Served is a server: a child with which Marvin communicates through two pipes. The server and its
// own children end when Marvin ends, even if Marvin is killed (see [guardian]).
type Served struct {
	// Stdin is the child's input. If the child does not read, a write fails after 10 s.
	Stdin io.WriteCloser
	// Stdout is the child's output. It ends soon after the child has ended, even if a descendant
	// keeps the pipe open.
	Stdout io.ReadCloser

	run    *running
	waited chan error    // receives the result of Wait, once
	gone   chan struct{} // closed when the child has ended
	stop   sync.Once
	ended  Ending
}

// Each write to a child has this time limit.
const writing = 10 * time.Second

// lastWords is how long Marvin waits for more output after the child has ended.
const lastWords = 50 * time.Millisecond

// Serve starts a server, which the caller must end with [Served.Stop]. Serve ignores the fields
// Stdin, Stdout, Progress and Unattended, and applies the field Limit to stderr.
func Serve(command Command) (*Served, error) {
	childIn, in, err := os.Pipe()
	if err != nil {
		return nil, fmt.Errorf("make a pipe to the child process: %w", err)
	}
	out, childOut, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(fmt.Errorf("make a pipe from the child process: %w", err), childIn.Close(), in.Close())
	}
	command.Stdin, command.Stdout, command.Progress, command.Unattended = "", nil, nil, false
	s := &Served{Stdin: &patient{in}, Stdout: &spoken{out}, waited: make(chan error, 1), gone: make(chan struct{})}
	begun := make(chan error, 1)
	go s.serve(command, childIn, childOut, begun)
	if err := <-begun; err != nil {
		return nil, errors.Join(err, in.Close(), out.Close())
	}
	return s, nil
}

// serve starts the child and waits for it, always on the same thread. When that thread ends, the
// system kills the child.
func (s *Served) serve(command Command, stdin, stdout *os.File, begun chan<- error) {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	told := false
	defer func() {
		if broken := recover(); broken != nil {
			err := fmt.Errorf("serving %s: %v", command.Name, broken)
			if !told {
				begun <- err
			}
			s.finish(err)
		}
	}()
	var watched watched
	run, err := prepare(command)
	if err == nil {
		run, err = run.startChild(func(run *running) {
			run.child.Stdin, run.child.Stdout = stdin, stdout
			watched.add(run)
		})
	}
	_, _ = stdin.Close(), stdout.Close()
	if err != nil {
		watched.forget()
		told = true
		begun <- err
		return
	}
	run.session.leads(run.child.Process.Pid)
	s.run, told = run, true
	begun <- nil
	s.finish(run.child.Wait())
}

func (s *Served) finish(err error) {
	if s.run != nil && s.run.child.ProcessState != nil {
		s.ended.ExitCode, s.ended.Signal = ending(s.run.child.ProcessState)
	}
	s.waited <- err
	close(s.gone)
	if out, ok := s.Stdout.(*spoken); ok {
		// Without a deadline, Read waits until the last process closes the pipe.
		_ = out.file.SetReadDeadline(time.Now())
	}
}

// PID returns the child's pid.
func (s *Served) PID() int { return s.run.session.leader }

// Gone returns a channel that is closed when the child has ended.
func (s *Served) Gone() <-chan struct{} { return s.gone }

// Ended returns how the child ended. The result is valid after the Gone channel is closed.
func (s *Served) Ended() Ending { return s.ended }

// StderrText returns the beginning and the end of the child's standard error so far.
func (s *Served) StderrText() string { return s.run.stderr.output().Text() }

// Stop closes the pipes, and ends the child and its descendants. It first sends TERM to these
// processes, and then KILL to those that still run after the grace period. A second call of Stop
// waits for the first call.
func (s *Served) Stop() {
	s.stop.Do(func() {
		_ = s.Stdin.Close()
		err := s.run.session.stop(s.waited, s.run.Grace)
		_ = s.Stdout.Close()
		if !errors.Is(err, errUnkillable) {
			guarding.dropMark(s.run.session.mark)
		}
		s.run.leave(false)
	})
}

// patient is Marvin's end of the pipe to a child's standard input. Each write has a time limit, so
// a child that reads nothing cannot block the writer.
type patient struct{ file *os.File }

func (p *patient) Write(text []byte) (int, error) {
	// Without a deadline, Write can block as long as the child runs.
	_ = p.file.SetWriteDeadline(time.Now().Add(writing))
	n, err := p.file.Write(text)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		err = fmt.Errorf("it reads nothing: %w", err)
	}
	return n, err
}

func (p *patient) Close() error { return p.file.Close() }

// spoken reads a child's standard output from a pipe. After the child has ended, Read returns the
// remaining output and then io.EOF, even if other processes hold the pipe open for hours.
type spoken struct{ file *os.File }

func (h *spoken) Read(into []byte) (int, error) {
	n, err := h.file.Read(into)
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		return n, err
	}
	_ = h.file.SetReadDeadline(time.Now().Add(lastWords))
	if n, err = h.file.Read(into); errors.Is(err, os.ErrDeadlineExceeded) {
		err = io.EOF
	}
	return n, err
}

func (h *spoken) Close() error { return h.file.Close() }
