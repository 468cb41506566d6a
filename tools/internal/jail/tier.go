package jail

import (
	"errors"
	"fmt"
)

// lack are the layers that this system does not have. With one of the first two missing,
// commands run in a smaller jail; without both, or without seccomp, they do not run.
type lack uint32

const (
	noMounts lack = 1 << iota
	noLandlock
)

// ErrSmaller means that a command must be entered again: the system lacks a layer, and the keeper
// now works without it.
var ErrSmaller = errors.New("the sandbox is smaller on this system")

// lower removes a layer from all later jails. The error wraps [ErrSmaller], or [ErrMissing] if too
// little is left. After the first command, a failing layer is not a property of the system: a
// command must not be able to weaken the next jail.
func (k *Keeper) lower(tried, without lack, layer string, err error) error {
	left := tried | without
	if left == noMounts|noLandlock || left == tried || k.proven.Load() {
		return missing(layer, err)
	}
	k.lacks.Store(uint32(left))
	return fmt.Errorf("%w: %s: %w", ErrSmaller, layer, err)
}

func missing(layer string, err error) error {
	return fmt.Errorf("%w: %s: %w", ErrMissing, layer, err)
}

// Whole says whether commands in a root are held by all layers, as far as that is known
// before a command ran.
func (k *Keeper) Whole(root string) bool {
	if k == nil || k.config.Mode == Off || available() != nil || lack(k.lacks.Load()) != 0 {
		return false
	}
	_, err := k.place(root)
	return err == nil
}

// Lacks describes in one line what a smaller jail does not prevent; "" for a whole one, and before
// the first command.
func (k *Keeper) Lacks() string {
	if k == nil {
		return ""
	}
	switch lack(k.lacks.Load()) {
	case noMounts:
		return "this system lets Marvin make no mounts, so its sandbox is smaller: commands write only in the project, caches and $TMPDIR, and read no keys; but they may change the mode and times of your other files and connect to sockets of other programs, and their changes to .git/config and .git/hooks are reverted afterwards instead of refused. `marvin doctor` says how to raise it"
	case noLandlock:
		return "this system has no Landlock, so the sandbox is smaller: only mounts protect files, and nothing limits signals to your other processes and abstract sockets (X11). `marvin doctor` says how to raise it"
	}
	return ""
}

// Raise is what brings back the layer that is missing: one command, or what else to do;
// "" where nothing is.
func (k *Keeper) Raise() string {
	switch lack(k.lacks.Load()) {
	case noMounts:
		return raiseMounts()
	case noLandlock:
		return "Linux 6.2 or later with landlock in lsm= on the kernel's command line (cat /sys/kernel/security/lsm)"
	}
	return ""
}
