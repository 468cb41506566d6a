package live

import (
	"context"
	"errors"
	"os/exec"
	"runtime"

	"marvin/cmd/marvin/internal/cli"
)

func openBrowser(world cli.World, address string) error {
	program := []string{"xdg-open"}
	switch runtime.GOOS {
	case "darwin":
		program = []string{"open"}
	case "windows":
		program = []string{"rundll32", "url.dll,FileProtocolHandler"}
	default:
		if world.Getenv("DISPLAY")+world.Getenv("WAYLAND_DISPLAY") == "" {
			return errors.New("there is no display") // without a display, xdg-open can start a browser in the terminal
		}
	}
	browser := exec.CommandContext(context.Background(), program[0], append(program[1:], address)...)
	browser.Env, browser.Dir = world.Environ, world.Dir
	if err := browser.Start(); err != nil {
		return err
	}
	// An error is ignored, because the user sees whether the page opened.
	go func() { _ = browser.Wait() }()
	return nil
}
