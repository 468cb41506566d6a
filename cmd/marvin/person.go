package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os/exec"
	"time"

	"marvin/persistence/chat"
	"marvin/tools"
)

// The user's own data: typed prompts, and the clipboard.

// askedEntries is how far back in the chat log prompts are looked for.
const askedEntries = 400

// inputsOf is what was typed in a profile, oldest first; of a profile that has no such
// file yet, what was asked according to its chat log.
func inputsOf(p *parts, profile string) []string {
	files := p.config.Home.Profile(profile)
	typed, err := chat.Inputs(files)
	if err != nil {
		fmt.Fprintln(p.world.Stderr, "warning:", err)
	}
	if len(typed) > 0 {
		return typed
	}
	entries, _ := chat.Of(files).Tail(askedEntries) // the conversation reads it too, and says so
	for _, entry := range entries {
		if entry.Role == "you" {
			typed = append(typed, entry.Text)
		}
	}
	return typed
}

// addInput remembers a line, unless a key of the user's is in it.
func addInput(p *parts, profile, text string) {
	if secrets := tools.SecretsOf(p.world.Environ, p.world.Home); secrets.Hide(text) != text {
		return
	}
	if err := chat.AddInput(p.config.Home.Profile(profile), text); err != nil && p.config.Home.State != "" {
		fmt.Fprintln(p.world.Stderr, "warning: the line is not remembered:", err)
	}
}

// clipboards are programs that set the clipboard, by their requirement.
func clipboards(p *parts) [][]string {
	var programs [][]string
	if p.world.Getenv("WAYLAND_DISPLAY") != "" {
		programs = append(programs, []string{"wl-copy"})
	}
	if p.world.Getenv("DISPLAY") != "" {
		programs = append(programs, []string{"xclip", "-selection", "clipboard"}, []string{"xsel", "--clipboard", "--input"})
	}
	if p.world.Getenv("TMUX") != "" {
		programs = append(programs, []string{"tmux", "load-buffer", "-w", "-"})
	}
	return append(programs, []string{"pbcopy"}, []string{"clip.exe"}, []string{"termux-clipboard-set"})
}

// copyText gives text to the first program that takes it.
func copyText(p *parts, text string) (way string, err error) {
	ctx, stop := context.WithTimeout(context.Background(), 3*time.Second)
	defer stop()
	for _, program := range clipboards(p) {
		path, missing := tools.Program(program[0], p.world.Environ)
		if missing != nil {
			continue
		}
		copier := exec.CommandContext(ctx, path, program[1:]...)
		copier.Env, copier.Stdin = tools.Trusted(p.world.Environ), bytes.NewBufferString(text)
		if failed := copier.Run(); failed != nil {
			err = errors.Join(err, fmt.Errorf("%s: %w", program[0], failed))
			continue
		}
		return program[0], nil
	}
	return "", errors.Join(errors.New("no clipboard program took it; install wl-clipboard or xclip, or write it to a file with /export FILE.md"), err)
}
