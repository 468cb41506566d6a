//go:build !linux

package jail

import (
	"errors"
	"runtime"
	"syscall"
)

const program = ""

// available refuses at once: nothing is prepared where nothing can be held.
func available() error {
	return missing("all of it", errors.New("there is none for "+runtime.GOOS))
}

func namespaces(bool, lack) (func(*syscall.SysProcAttr), error) { return nil, available() }

func addFilters(*plan, bool) {}

func newVerdict() (parent, child int, err error) { return -1, -1, available() }

func (*Entry) listen() ([]byte, error) { return nil, available() }

// errands are run for commands that are held.
type errands struct{ ended chan struct{} }

func (*errands) finally(func(), bool) {}

func (*errands) gone() bool { return false }

// doors lead to the network of a command.
type doors struct{}

func (*Entry) closeNetwork() {}

func raiseMounts() string { return "" }
