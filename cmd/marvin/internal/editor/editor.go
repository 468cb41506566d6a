package editor

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"marvin/cmd/marvin/internal/cli"
	"marvin/tools"
)

// Editor runs the user's editor, pager or shell in the terminal. Marvin must release the terminal
// first.
type Editor struct{ World cli.World }

// Edit opens text in the editor. After an error it returns the original text.
func (e Editor) Edit(text string) (string, error) {
	changed, err := e.EditCopy("prompt.md", text, 0)
	if err != nil {
		return text, err
	}
	return strings.TrimRight(changed, "\n"), nil
}

// EditCopy opens a copy of text in the editor, and returns the edited text. The copy is a file with
// the given name, and the editor starts at the given line.
func (e Editor) EditCopy(name, text string, line int) (changed string, err error) {
	dir, err := os.MkdirTemp("", "marvin-")
	if err != nil {
		return "", fmt.Errorf("make a file for the editor: %w", err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return "", fmt.Errorf("make a file for the editor: %w", err)
	}
	if err := e.OpenAt(path, line); err != nil {
		return "", err
	}
	after, err := os.ReadFile(path)
	if err != nil {
		return "", fmt.Errorf("read the edited file: %w", err)
	}
	return string(after), nil
}

// Open opens a file in the user's editor. VISUAL and EDITOR can contain shell commands.
func (e Editor) Open(path string) error { return e.OpenAt(path, 0) }

// lineArgument returns the arguments that pass a line number to an editor. Most editors
// accept +LINE before the file, and a few accept FILE:LINE. An unknown editor gets only the file.
func lineArgument(command, path string, line int) (before, file string) {
	words := strings.Fields(command)
	if line < 1 || len(words) == 0 {
		return "", path
	}
	switch filepath.Base(words[0]) {
	case "vi", "vim", "nvim", "view", "gvim", "nano", "pico", "emacs", "emacsclient", "mg", "joe", "jed", "micro", "kak", "ed", "mcedit", "ne", "gedit", "kwrite":
		return fmt.Sprintf("+%d", line), path
	case "hx", "helix", "subl", "zed":
		return "", fmt.Sprintf("%s:%d", path, line)
	case "code", "codium", "cursor":
		return "--goto", fmt.Sprintf("%s:%d", path, line)
	}
	return "", path
}

// OpenAt opens a file at a one-based line number. For line 0, the editor chooses the position.
func (e Editor) OpenAt(path string, line int) error {
	command := cmp.Or(e.World.Getenv("VISUAL"), e.World.Getenv("EDITOR"))
	if command == "" {
		command = "nano"
		if _, err := tools.Program(command, e.World.Environ); err != nil {
			command = "vi"
		}
	}
	before, file := lineArgument(command, path, line)
	arguments := []string{file}
	if before != "" {
		arguments = []string{before, file}
	}
	return e.shell("an editor", "EDITOR", command, nil, arguments)
}

// shell executes a shell command with additional arguments. Each error contains the purpose of the
// command, such as "an editor".
func (e Editor) shell(purpose, variable, command string, environ, arguments []string) error {
	sh, err := tools.Program("sh", e.World.Environ)
	if err == nil {
		err = e.refuseProjectProgram(command)
	}
	if err != nil {
		return fmt.Errorf("open %s: %w", purpose, err)
	}
	process := exec.Command(sh, append([]string{"-c", command + ` "$@"`, "sh"}, arguments...)...)
	process.Env = append(tools.Trusted(e.World.Environ), environ...)
	if err := e.run(process); err != nil {
		return fmt.Errorf("%s: %w (set %s to %s that is installed)", command, err, variable, purpose)
	}
	return nil
}

// refuseProjectProgram returns an error if the command's first word names a program of the project.
// It does not check a word with quotes or expansions, because only the user can write such a word.
func (e Editor) refuseProjectProgram(command string) error {
	words := strings.Fields(command)
	if len(words) == 0 || strings.ContainsAny(words[0], "~$`\"'") {
		return nil
	}
	_, err := tools.Program(words[0], e.World.Environ)
	if errors.Is(err, tools.ErrNoProgram) && !errors.As(err, new(*tools.Untrusted)) {
		return nil // the shell runs a builtin or reports a missing program
	}
	return err
}

// Page runs the shell command in PAGER on a file. If PAGER is not set, Page runs "less" or "more",
// and "less" can neither start programs nor send control characters to the terminal.
func (e Editor) Page(path string) error {
	command := e.World.Getenv("PAGER")
	var more []string
	for _, usual := range []string{"less", "more"} {
		if _, err := tools.Program(usual, e.World.Environ); command == "" && err == nil {
			command, more = usual, []string{"LESSSECURE=1", "LESS=", "LESSOPEN="}
		}
	}
	if command == "" {
		return errors.New("there is no pager: set PAGER, or open " + path)
	}
	return e.shell("a pager", "PAGER", command, more, []string{path})
}

// Shell opens the user's shell and ignores its exit status.
func (e Editor) Shell(dir string) error {
	path, err := tools.Program(cmp.Or(e.World.Getenv("SHELL"), "sh"), e.World.Environ)
	if err != nil {
		return fmt.Errorf("open a shell: %w (set SHELL to a shell that is installed)", err)
	}
	process := exec.Command(path)
	process.Dir, process.Env = dir, tools.PlainEnviron(e.World.Environ)
	err = e.run(process)
	if process.ProcessState == nil && err != nil {
		return fmt.Errorf("open a shell: %w (set SHELL to a shell that is installed)", err)
	}
	return nil
}

func (e Editor) run(process *exec.Cmd) error {
	process.Stdin, process.Stdout, process.Stderr = e.World.Stdin, cli.Unwrapped(e.World.Stdout), os.Stderr
	return process.Run()
}
