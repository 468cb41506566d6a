//go:build !linux

package jail

import (
	"errors"
	"runtime"
	"syscall"
)

const program = ""

// available always fails, because this system has no jails.
func available() error {
	return missing("all of it", errors.New("there is none for "+runtime.GOOS))
}

func namespaces(bool, lack) (func(*syscall.SysProcAttr), error) { return nil, available() }

func addFilters(*plan, bool) {}

func newVerdict() (parent, child int, err error) { return -1, -1, available() }

func (*Entry) listen() ([]byte, error) { return nil, available() }

// errands is empty, because Marvin cannot confine commands on this system.
type errands struct{ ended chan struct{} }

func (*errands) finally(func(), bool) {}

func (*errands) gone() bool { return false }

// doors is empty, because commands have no network of their own on this system.
type doors struct{}

func (*Entry) closeNetwork() {}

func raiseMounts() string { return "" }
