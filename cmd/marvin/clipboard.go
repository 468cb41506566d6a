package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os/exec"
	"time"

	"marvin/tools"
)

// pasters are programs that print the clipboard's picture, by their requirement.
func pasters(w World) [][]string {
	var programs [][]string
	if w.Getenv("WAYLAND_DISPLAY") != "" {
		programs = append(programs, []string{"wl-paste", "--no-newline", "--type", "image/png"})
	}
	if w.Getenv("DISPLAY") != "" {
		programs = append(programs, []string{"xclip", "-selection", "clipboard", "-target", "image/png", "-out"})
	}
	return append(programs, []string{"pngpaste", "-"})
}

// pasted is the picture of the clipboard, as the first program that has it gives it.
func pasted(ctx context.Context, w World) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	found := false
	for _, program := range pasters(w) {
		at, missing := tools.Program(program[0], w.Environ)
		if missing != nil {
			continue
		}
		found = true
		paster := exec.CommandContext(ctx, at, program[1:]...)
		var content bytes.Buffer
		paster.Env, paster.Stdout = tools.Trusted(w.Environ), &firstBytes{out: &content, left: largestPicture}
		if paster.Run() == nil && content.Len() > 0 { // else it says in its own words that there is none
			return content.Bytes(), nil
		}
	}
	if !found {
		return nil, errors.New("no program that gives the picture of the clipboard is here; install wl-clipboard, xclip or pngpaste, or name the file in the prompt")
	}
	return nil, errors.New("there is no picture on the clipboard; copy one, or name its file in the prompt")
}

// firstBytes takes so many bytes and refuses more.
type firstBytes struct {
	out  io.Writer
	left int
}

func (f *firstBytes) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, errors.New("it is too large")
	}
	return f.out.Write(p)
}
