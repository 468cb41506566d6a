package main

import (
	"io"
	"os"
	"runtime"
	"strings"
	"time"

	"golang.org/x/term"
)

// World is everything outside the program. It is built in main and nowhere else;
// no other room reads the environment, the clock or the terminal on its own.
type World struct {
	Home    string // "" if there is none
	Dir     string // the directory Marvin was started in
	Environ []string
	Getenv  func(string) string
	Now     func() time.Time
	Stdin   *os.File
	Stdout  io.Writer
	Stderr  io.Writer
}

// terminal says whether a stream is one.
func terminal(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// system is how the model is told where commands run.
func (w World) system() string {
	shell := w.Getenv("SHELL")
	if shell == "" {
		shell = "sh"
	}
	return "Commands run on " + runtime.GOOS + " with bash if it is there (the user's shell is " + shell[strings.LastIndexByte(shell, '/')+1:] + ")"
}
