package pictures

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/tools"
)

// Pasters returns commands that print the picture in the clipboard to stdout. There is one for
// Wayland if WAYLAND_DISPLAY is set, and one for X11 if DISPLAY is set. The last one is always
// pngpaste.
func Pasters(w cli.World) [][]string {
	var programs [][]string
	if w.Getenv("WAYLAND_DISPLAY") != "" {
		programs = append(programs, []string{"wl-paste", "--no-newline", "--type", "image/png"})
	}
	if w.Getenv("DISPLAY") != "" {
		programs = append(programs, []string{"xclip", "-selection", "clipboard", "-target", "image/png", "-out"})
	}
	return append(programs, []string{"pngpaste", "-"})
}

// FromClipboard returns the picture in the clipboard. It tries the [Pasters] in order.
func FromClipboard(ctx context.Context, w cli.World) ([]byte, error) {
	ctx, stop := context.WithTimeout(ctx, 10*time.Second)
	defer stop()
	found := false
	for _, program := range Pasters(w) {
		at, missing := tools.Program(program[0], w.Environ)
		if missing != nil {
			continue
		}
		found = true
		paster := exec.CommandContext(ctx, at, program[1:]...)
		var content bytes.Buffer
		paster.Env, paster.Stdout = tools.Trusted(w.Environ), &FirstBytes{Out: &content, Left: LargestPicture}
		if paster.Run() == nil && content.Len() > 0 { // the program fails if there is no picture
			return content.Bytes(), nil
		}
	}
	if !found {
		return nil, errors.New("no program here reads pictures from the clipboard; install wl-clipboard, xclip or pngpaste, or name the file in the prompt")
	}
	return nil, errors.New("there is no picture on the clipboard; copy one, or name its file in the prompt")
}

// FirstBytes is a writer that passes at most Left bytes to Out. A write that exceeds this limit
// fails.
type FirstBytes struct {
	Out  io.Writer
	Left int
}

func (f *FirstBytes) Write(p []byte) (int, error) {
	if f.Left -= len(p); f.Left < 0 {
		return 0, errors.New("it is too large")
	}
	return f.Out.Write(p)
}

// Clipboards returns the commands that can set the clipboard in this environment, in the order in
// which [CopyText] tries them.
func Clipboards(w cli.World) [][]string {
	var programs [][]string
	if w.Getenv("WAYLAND_DISPLAY") != "" {
		programs = append(programs, []string{"wl-copy"})
	}
	if w.Getenv("DISPLAY") != "" {
		programs = append(programs, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	if w.Getenv("TMUX") != "" {
		programs = append(programs, []string{"tmux", "load-buffer", "-w", "-"})
	}
	return append(programs, []string{"pbcopy"}, []string{"clip.exe"}, []string{"termux-clipboard-set"})
}

// CopyText copies text to the clipboard with the first program that succeeds, and returns that
// program's name.
func CopyText(w cli.World, text string) (way string, err error) {
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	for _, program := range Clipboards(w) {
		path, missing := tools.Program(program[0], w.Environ)
		if missing != nil {
			continue
		}
		copier := exec.CommandContext(ctx, path, program[1:]...)
		copier.Env, copier.Stdin = tools.Trusted(w.Environ), bytes.NewBufferString(text)
		if failed := copier.Run(); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", program[0], failed))
			continue
		}
		return program[0], nil
	}
	return "", errors.Join(errors.New("no clipboard program works here; install wl-clipboard or xclip, or write the conversation to a file with /export FILE.md"), err)
}
