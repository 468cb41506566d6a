package mcp

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools"
	"marvin/tools/internal/proc"
)

// command returns the command that starts the server's program. The sandbox settings decide whether
// the program is confined.
func (s *Session) command() (proc.Command, error) {
	free := s.config.Free && s.ground.Sandbox.Mode() != tools.SandboxOff
	dir := s.ground.Dir
	if dir == "" || free {
		dir = s.ground.Own
	}
	if dir == s.ground.Own && dir != "" {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			return proc.Command{}, fmt.Errorf("make a directory for the server %s: %w", s.Name, err)
		}
	}
	command := proc.Command{
		Name: s.config.Command[0], Args: s.config.Command[1:], Dir: dir, WholePath: true,
		Environ: s.ground.Environ, Limit: 64 << 10,
	}
	for _, name := range slices.Sorted(maps.Keys(s.config.Env)) {
		value, err := s.expanded(s.config.Env[name])
		if err != nil {
			return command, fmt.Errorf("the variable %s of the server %s: %w", name, s.Name, err)
		}
		command.Env = append(command.Env, name+"="+value)
	}
	switch {
	case free:
		return s.unconfined(command)
	case s.ground.Sandbox.Mode() == tools.SandboxOff:
		return command, nil
	}
	return command, s.confine(&command, dir)
}

// unconfined prepares a command to run outside the sandbox. It refuses programs and scripts in
// directories where the project or a sandboxed command can write. The command starts outside the
// project, because programs such as npx run files from the working directory.
func (s *Session) unconfined(command proc.Command) (proc.Command, error) {
	command.WholePath = false
	command.Environ = tools.Distrust(command.Environ, append(s.ground.Sandbox.Trees(), s.ground.Dir)...)
	command.Dir = cmp.Or(command.Dir, string(filepath.Separator))
	for _, word := range command.Args {
		if !isProgram(word) {
			continue
		}
		if _, err := proc.Find(word, command.Environ); errors.Is(err, proc.ErrNotFound) {
			return command, fmt.Errorf("the server %s was not started: %s is in a directory where this project can write, so the project may have changed it; move the program elsewhere, or remove \"sandbox: off\" from the server's entry in config.yaml", s.Name, word)
		}
	}
	return command, nil
}

// scripts contains the file extensions of scripts. A script without such an extension is recognized
// by its first line or its mode.
const scripts = " .js .mjs .cjs .ts .mts .py .pyz .sh .bash .rb .pl .php .lua .jar .wasm .exs .ps1 "

// isProgram reports whether an argument is the absolute path of a program or a script.
func isProgram(word string) bool {
	if !filepath.IsAbs(word) {
		return false // a relative path begins in the server's own directory
	}
	info, err := os.Stat(word)
	switch {
	case err != nil || !info.Mode().IsRegular():
		return false
	case info.Mode()&0o111 != 0, strings.Contains(scripts, " "+strings.ToLower(filepath.Ext(word))+" "):
		return true
	}
	file, err := os.Open(word)
	if err != nil {
		return false
	}
	defer file.Close()
	start := make([]byte, 2)
	_, err = io.ReadFull(file, start)
	return err == nil && bytes.Equal(start, []byte("#!"))
}
