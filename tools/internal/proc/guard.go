package proc

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

// guardWord is the first argument of a guard process.
const guardWord = "__guard"

// guardian controls the guard, a process that ends some of Marvin's children when Marvin ends.
// Marvin sends the marks of these children through a pipe. When Marvin ends for any reason, the
// pipe closes, and the guard ends all processes with these marks. The system alone would end only
// direct children, but a server is often the child of a wrapper such as npx, uvx or a shell.
//
// The guard is started before the first server or hook. Starting the guard takes 1 ms. The guard
// runs Marvin's executable, but never reaches main: see init below.
type guardian struct {
	mu   sync.Mutex
	pipe io.WriteCloser // may be nil
	gone <-chan error   // receives a value when the guard has ended
	held []string
}

var guarding guardian

// watch sends a mark to the guard. If no guard can be started, the system ends only the direct
// child when Marvin ends.
func (g *guardian) watch(environ []string, mark string) {
	if !marksWork {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = append(g.held, mark)
	if g.pipe != nil {
		if _, err := io.WriteString(g.pipe, "+"+mark+"\n"); err == nil {
			return
		}
		g.pipe.Close()
	}
	g.pipe, g.gone = newGuard(environ)
	if g.pipe != nil {
		_, _ = io.WriteString(g.pipe, "+"+strings.Join(g.held, "\n+")+"\n")
	}
}

// dropMark tells the guard to forget a mark. The guard ends when it has no marks left.
func (g *guardian) dropMark(mark string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.held = slices.DeleteFunc(g.held, func(one string) bool { return one == mark })
	if g.pipe == nil {
		return
	}
	_, _ = io.WriteString(g.pipe, "-"+mark+"\n")
	if len(g.held) == 0 {
		g.pipe.Close()
		g.pipe = nil
		select {
		case <-g.gone:
		case <-time.After(lastResort):
		}
	}
}

// A watched is the mark of the child that the guard watches, or "" if there is none.
type watched string

// add makes the guard watch a child that is about to start. If the start fails, the child may be
// started once more. The second call removes the mark that the first call added.
func (w *watched) add(run *running) {
	w.forget()
	*w = watched(run.session.mark)
	guarding.watch(run.Environ, run.session.mark)
}

func (w *watched) addIfEnds(run *running) {
	if run.Ends {
		w.add(run)
	}
}

func (w *watched) forget() {
	if *w != "" {
		guarding.dropMark(string(*w))
		*w = ""
	}
}

// newGuard starts the guard. It returns nil if that fails.
func newGuard(environ []string) (io.WriteCloser, <-chan error) {
	self, err := os.Executable()
	if err != nil {
		return nil, nil
	}
	read, write, err := os.Pipe()
	if err != nil {
		return nil, nil
	}
	defer read.Close()
	child := exec.Cmd{Path: self, Args: []string{"marvin", guardWord}, Dir: "/", Env: []string{"PATH=" + Lookup(environ, "PATH")}, Stdin: read, SysProcAttr: &syscall.SysProcAttr{}}
	outlive(child.SysProcAttr)
	if child.Start() != nil {
		write.Close()
		return nil, nil
	}
	return write, wait(&child)
}

// guardMain reads lines that add ("+") or remove ("-") a mark. When the pipe closes, guardMain
// kills the processes that have one of the remaining marks.
func guardMain(from io.Reader) {
	var held []string
	for lines := bufio.NewScanner(from); lines.Scan(); {
		line := lines.Text()
		switch {
		case strings.HasPrefix(line, "+") && isMark(line[1:]):
			held = append(held, line[1:])
		case strings.HasPrefix(line, "-"):
			held = slices.DeleteFunc(held, func(one string) bool { return one == line[1:] })
		}
	}
	for _, mark := range held {
		left := session{mark: mark}
		for pause := time.Millisecond; left.alive() && pause < time.Second; pause *= 2 {
			left.signalAll(kill)
			time.Sleep(pause)
		}
	}
}

func init() {
	if len(os.Args) == 2 && os.Args[1] == guardWord {
		guardMain(os.Stdin)
		os.Exit(0)
	}
}
