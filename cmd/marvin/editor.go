package main

import (
	"cmp"
	"fmt"
	"os"
	"os/exec"
	"strings"
)

// editor runs the person's own editor on the terminal that Marvin just gave up.
type editor struct{ world World }

// edit lets the person change a text. The editor may be a command with arguments, as
// the shell reads it; on an error the text is still what it was.
func (e editor) edit(text string) (string, error) {
	command := cmp.Or(e.world.Getenv("VISUAL"), e.world.Getenv("EDITOR"), "vi")
	dir, err := os.MkdirTemp("", "marvin-")
	if err != nil {
		return text, fmt.Errorf("make a file for the editor: %w", err)
	}
	defer os.RemoveAll(dir)
	path := dir + "/prompt.md"
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return text, fmt.Errorf("make a file for the editor: %w", err)
	}
	process := exec.Command("sh", "-c", command+` "$1"`, "sh", path)
	process.Env = e.world.Environ
	process.Stdin, process.Stdout, process.Stderr = e.world.Stdin, e.world.Stdout, os.Stderr
	if err := process.Run(); err != nil {
		return text, fmt.Errorf("%s: %w (set EDITOR to an editor that is installed)", command, err)
	}
	changed, err := os.ReadFile(path)
	if err != nil {
		return text, fmt.Errorf("read back what was edited: %w", err)
	}
	return strings.TrimRight(string(changed), "\n"), nil
}
