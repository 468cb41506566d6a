package jail

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// seal makes everything read-only but what the plan lets a command write. Landlock holds
// what is in files and directories; it has no right for what is said of them: mode, owner,
// times, extended attributes and flags of files outside would all be the command's.
//
// What is writable is copied before, with whatever is mounted in it, and put back over
// itself: to take the lock off again where it was would be refused in a user namespace.
func (p *plan) seal() error {
	type open struct {
		path string
		tree int
	}
	var writable []open
	defer func() {
		for _, each := range writable {
			_ = unix.Close(each.tree)
		}
	}()
	for _, path := range append([]string{p.Temp}, p.Write...) {
		tree, err := unix.OpenTree(unix.AT_FDCWD, path, unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE)
		if errors.Is(err, os.ErrNotExist) {
			continue // what does not exist (any more) needs no grant
		}
		if err != nil {
			return fmt.Errorf("copy the mount of %s: %w", path, err)
		}
		writable = append(writable, open{path, tree})
	}
	if err := readOnly("/"); err != nil {
		return err
	}
	for _, each := range writable {
		if err := unix.MoveMount(each.tree, "", unix.AT_FDCWD, each.path, unix.MOVE_MOUNT_F_EMPTY_PATH); err != nil {
			return fmt.Errorf("make %s writable: %w", each.path, err)
		}
	}
	return nil
}
