package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// editor runs the person's own programs on the terminal that Marvin just gave up.
type editor struct{ world World }

// edit lets the person change a text. On an error the text is still what it was.
func (e editor) edit(text string) (string, error) {
	dir, err := os.MkdirTemp("", "marvin-")
	if err != nil {
		return text, fmt.Errorf("make a file for the editor: %w", err)
	}
	defer os.RemoveAll(dir)
	path := dir + "/prompt.md"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return text, fmt.Errorf("make a file for the editor: %w", err)
	}
	if err := e.open(path); err != nil {
		return text, err
	}
	changed, err := os.ReadFile(path)
	if err != nil {
		return text, fmt.Errorf("read back what was edited: %w", err)
	}
	return strings.TrimRight(string(changed), "\n"), nil
}

// open lets the person change a file. The editor may be a command with arguments, as
// the shell reads it.
func (e editor) open(path string) error {
	command := cmp.Or(e.world.Getenv("VISUAL"), e.world.Getenv("EDITOR"))
	if command == "" {
		command = "nano"
		if _, err := exec.LookPath(command); err != nil {
			command = "vi"
		}
	}
	process := exec.Command("sh", "-c", command+` "$1"`, "sh", path)
	if err := e.run(process); err != nil {
		return fmt.Errorf("%s: %w (set EDITOR to an editor that is installed)", command, err)
	}
	return nil
}

// shell opens the person's shell. How its last command ended is nobody's business.
func (e editor) shell(dir string) error {
	process := exec.Command(cmp.Or(e.world.Getenv("SHELL"), "sh"))
	process.Dir = dir
	err := e.run(process)
	if process.ProcessState == nil && err != nil {
		return fmt.Errorf("open a shell: %w (set SHELL to one that is installed)", err)
	}
	return nil
}

func (e editor) run(process *exec.Cmd) error {
	process.Env = e.world.Environ
	process.Stdin, process.Stdout, process.Stderr = e.world.Stdin, steered(e.world.Stdout), os.Stderr
	return process.Run()
}
