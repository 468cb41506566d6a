package cli

import (
	"context"
	"io"
	"os"
	"runtime"
	"strings"
	"syscall"
	"time"

	"golang.org/x/term"

	"marvin/persistence"
	"marvin/persistence/oldplace"
	"marvin/tools"
	"marvin/ui/termsafe"
)

// World is everything outside the program. It is built in main and nowhere else;
// no other room reads the environment, the clock or the terminal on its own.
type World struct {
	Home    string // "" if unset
	Dir     string // the directory Marvin was started in
	Environ []string
	Getenv  func(string) string
	Now     func() time.Time
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer
	Version string // of this Marvin
	// Carry carries out the arguments of a shell command.
	Carry func(ctx context.Context, world World, args []string) error
}

// display is a terminal that is written to. Whoever writes to it writes text, which is
// made safe; who steers the terminal asks for it by [Unwrapped], and cleans by itself.
type display struct {
	*termsafe.Writer
	file *os.File
}

// OutputStream is a stream as everything in the program writes to it: a terminal gets clean
// text, a pipe or a file the bytes as they are.
func OutputStream(file *os.File) io.Writer {
	if Terminal(file) {
		return display{termsafe.NewWriter(file), file}
	}
	return file
}

// Unwrapped is the terminal or file behind a stream, for drawing or handing it over; other streams
// are returned as they are.
func Unwrapped(stream io.Writer) io.Writer {
	switch stream := stream.(type) {
	case display:
		return stream.file
	case *ErrorWriter:
		return stream.To
	}
	return stream
}

// Places are where the user's files are.
func (w World) Places() oldplace.Places {
	return oldplace.Places{Home: w.Home, Config: w.Getenv("XDG_CONFIG_HOME"), Data: w.Getenv("XDG_DATA_HOME"), State: w.Getenv("XDG_STATE_HOME")}
}

// OpenHome is where the user's files are.
func OpenHome(world World) *persistence.Home { return world.Places().Open(world.Now) }

// KeyFile reads the keys of models that are files, nil where there is no home.
func (w World) KeyFile() func(name string) (text, path, problem string) {
	if w.Home == "" {
		return nil
	}
	return func(name string) (text, path, problem string) { return tools.KeyFile(w.Home, name) }
}

// Terminal says whether a stream is one.
func Terminal(stream any) bool {
	if _, ok := stream.(display); ok {
		return true
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// System describes the system to the model.
func (w World) System() string {
	shell := w.Getenv("SHELL")
	if shell == "" {
		shell = "sh"
	}
	return "Commands run on " + runtime.GOOS + " in bash, or sh without it (the user's shell is " + shell[strings.LastIndexByte(shell, '/')+1:] + ")"
}

// HangUp is the signal of a terminal that is closed.
const HangUp = syscall.SIGHUP

// Quiet is the world for a look at other processes that is not the user's own command.
func (w World) Quiet() World {
	w.Stderr = io.Discard
	return w
}
