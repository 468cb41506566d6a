package main

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
// made safe; who steers the terminal asks for it by [steered], and cleans by itself.
type display struct {
	*termsafe.Writer
	file *os.File
}

// shown is a stream as everything in the program writes to it: a terminal gets clean
// text, a pipe or a file the bytes as they are.
func shown(file *os.File) io.Writer {
	if terminal(file) {
		return display{termsafe.NewWriter(file), file}
	}
	return file
}

// steered is the terminal or file behind a stream, for drawing or handing it over; other streams
// are returned as they are.
func steered(stream io.Writer) io.Writer {
	switch stream := stream.(type) {
	case display:
		return stream.file
	case *noticing:
		return stream.to
	}
	return stream
}

// places are where the user's files are.
func (w World) places() oldplace.Places {
	return oldplace.Places{Home: w.Home, Config: w.Getenv("XDG_CONFIG_HOME"), Data: w.Getenv("XDG_DATA_HOME"), State: w.Getenv("XDG_STATE_HOME")}
}

// openHome is where the user's files are.
func openHome(world World) *persistence.Home { return world.places().Open(world.Now) }

// keyFile reads the keys of models that are files, nil where there is no home.
func (w World) keyFile() func(name string) (text, path, problem string) {
	if w.Home == "" {
		return nil
	}
	return func(name string) (text, path, problem string) { return tools.KeyFile(w.Home, name) }
}

// terminal says whether a stream is one.
func terminal(stream any) bool {
	if _, ok := stream.(display); ok {
		return true
	}
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// system describes the system to the model.
func (w World) system() string {
	shell := w.Getenv("SHELL")
	if shell == "" {
		shell = "sh"
	}
	return "Commands run on " + runtime.GOOS + " with bash if it is there (the user's shell is " + shell[strings.LastIndexByte(shell, '/')+1:] + ")"
}

// hangUp is the signal of a terminal that is closed.
const hangUp = syscall.SIGHUP
