package jail

import (
	"errors"
	"fmt"
)

// lack is the set of layers that this system does not have. Without mounts or without Landlock,
// commands run in a jail with fewer layers. Commands do not run if mounts and Landlock are both
// missing, or if seccomp is missing.
type lack uint32

const (
	noMounts lack = 1 << iota
	noLandlock
)

// ErrSmaller means that the system lacks a layer. The keeper now works without this layer, and the
// caller must call [Jail.Enter] again.
var ErrSmaller = errors.New("the sandbox is weaker on this system")

// dropLayer removes a layer from all later jails, and returns an error that wraps [ErrSmaller]. If
// too few layers would be left, if the failed jail already lacked the layer, or if a command has
// run with all available layers, dropLayer removes nothing, and the error wraps [ErrMissing]. After
// such a run, the system evidently has these layers, and a command must not be able to weaken the
// next jail.
func (k *Keeper) dropLayer(tried, without lack, layer string, err error) error {
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

// Whole reports whether a jail can be made for the given root and no layer is known to be missing.
// Marvin detects a missing layer only when the first command starts.
func (k *Keeper) Whole(root string) bool {
	if k == nil || k.config.Mode == Off || available() != nil || lack(k.lacks.Load()) != 0 {
		return false
	}
	_, err := k.place(root)
	return err == nil
}

// DoctorHint is the last sentence that [Keeper.Lacks] returns. The doctor command omits this
// sentence.
const DoctorHint = ". `marvin doctor` says how to get the full sandbox"

// Lacks describes in one line how a missing layer weakens the jail. It returns "" if no layer is
// missing or no command has run yet.
func (k *Keeper) Lacks() string {
	if k == nil {
		return ""
	}
	switch lack(k.lacks.Load()) {
	case noMounts:
		return "this system does not let Marvin make mounts, so the sandbox is weaker. Commands can write only in the project, caches and $TMPDIR, and cannot read keys. But they can change the permissions and timestamps of your other files and connect to sockets of other programs. They can also change .git/config and .git/hooks, but Marvin reverts these changes afterwards" + DoctorHint
	case noLandlock:
		return "this system has no Landlock, so the sandbox is weaker: only mounts protect files, and commands can send signals to your other processes and use abstract sockets (X11)" + DoctorHint
	}
	return ""
}

// Raise describes how to make the missing layer available. It returns "" if no layer is missing.
func (k *Keeper) Raise() string {
	switch lack(k.lacks.Load()) {
	case noMounts:
		return raiseMounts()
	case noLandlock:
		return "Linux 6.2 or later, with landlock in the kernel parameter lsm= (to check: cat /sys/kernel/security/lsm)"
	}
	return ""
}
