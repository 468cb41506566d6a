//go:build !unix

package live

import (
	"context"
	"errors"
	"io"
	"os"
)

// Spawn is for systems with sessions of processes.
func Spawn(context.Context, []string, []string, string, *os.File, io.Writer) (string, error) {
	return "", errors.New("conversations without a window are not there on this system yet")
}

// Ready is never called there.
func Ready(io.Writer, string) error { return nil }

// Release does nothing there.
func Release(...*os.File) error { return nil }

// GoOn is the hidden command that continues a stopped process.
const GoOn = "go-on"

// GiveBack does nothing there.
func GiveBack([]string) error { return nil }

// Continue does nothing there.
func Continue(context.Context, int) error { return nil }
