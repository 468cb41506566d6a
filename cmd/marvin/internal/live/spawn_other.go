//go:build !unix

package live

import (
	"context"
	"errors"
	"io"
	"os"
)

// Spawn returns an error, because this system does not group processes into sessions.
func Spawn(context.Context, []string, []string, string, *os.File, io.Writer) (string, error) {
	return "", errors.New("this system cannot run a conversation without a window, so keep the terminal open")
}

// SendID is never called on this system.
func SendID(io.Writer, string) error { return nil }

// ReleaseTerminal does nothing on this system.
func ReleaseTerminal(...*os.File) error { return nil }

// goOn is the hidden command that continues a stopped process.
const goOn = "go-on"

// StopToBackground does nothing on this system.
func StopToBackground([]string) error { return nil }

// Continue does nothing on this system.
func Continue(context.Context, int) error { return nil }
