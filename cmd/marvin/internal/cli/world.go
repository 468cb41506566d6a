package cli

import (
	"cmp"
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

// World is the environment of the program, such as its variables, its clock and its terminal.
type World struct {
	Home    string // the home directory, or "" if unset
	Dir     string // the directory in which Marvin was started
	Environ []string
	Getenv  func(string) string
	Now     func() time.Time
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer
	Version string // Marvin's version
	// Carry runs Marvin with the given command-line arguments, in this process.
	Carry func(ctx context.Context, world World, args []string) error
}

// display writes cleaned text to a terminal. Code that sends control sequences must use [Unwrapped]
// and clean its own text.
type display struct {
	*termsafe.Writer
	file *os.File
}

// OutputStream returns a stream for the program's output. Text for a terminal is cleaned. A pipe or
// a file receives the bytes unchanged.
func OutputStream(file *os.File) io.Writer {
	if Terminal(file) {
		return display{termsafe.NewWriter(file), file}
	}
	return file
}

// Unwrapped returns the terminal or file inside a wrapped stream. A stream without a wrapper is
// returned unchanged.
func Unwrapped(stream io.Writer) io.Writer {
	switch stream := stream.(type) {
	case display:
		return stream.file
	case *ErrorWriter:
		return stream.To
	}
	return stream
}

// Places returns the directories of the user's files.
func (w World) Places() oldplace.Places {
	return oldplace.Places{Home: w.Home, Config: w.Getenv("XDG_CONFIG_HOME"), Data: w.Getenv("XDG_DATA_HOME"), State: w.Getenv("XDG_STATE_HOME")}
}

// OpenHome returns the user's files.
func OpenHome(world World) *persistence.Home { return world.Places().Open(world.Now) }

// KeyFile returns a function that reads model keys from files, or nil if there is no home directory.
func (w World) KeyFile() func(name string) (text, path, problem string) {
	if w.Home == "" {
		return nil
	}
	return func(name string) (text, path, problem string) { return tools.KeyFile(w.Home, name) }
}

// Terminal reports whether a stream is a terminal.
func Terminal(stream any) bool {
	if _, ok := stream.(display); ok {
		return true
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// System describes the operating system and the shell to the model.
func (w World) System() string {
	shell := cmp.Or(w.Getenv("SHELL"), "sh")
	return "Commands run on " + runtime.GOOS + " in bash, or in sh if there is no bash (the user's shell is " + shell[strings.LastIndexByte(shell, '/')+1:] + ")"
}

// HangUp is the signal that a closed terminal sends.
const HangUp = syscall.SIGHUP

// Quiet returns a world that prints no warnings.
func (w World) Quiet() World {
	w.Stderr = io.Discard
	return w
}
