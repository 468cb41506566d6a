package jail

import (
	"fmt"

	"golang.org/x/sys/unix"
)

// seal makes everything read-only but what the plan lets a command write. Landlock holds
// what is in files and directories; it has no right for what is said of them: mode, owner,
// times, extended attributes and flags of files outside would all be the command's.
//
// What is writable is copied before, with whatever is mounted in it, and put back over
// itself: to take the lock off again where it was would be refused in a user namespace.
func seal(trees []opened) error {
	copies := make([]int, len(trees))
	for i, each := range trees {
		tree, err := unix.OpenTree(each.file, "", unix.OPEN_TREE_CLONE|unix.OPEN_TREE_CLOEXEC|unix.AT_RECURSIVE|unix.AT_EMPTY_PATH)
		if err != nil {
			return fmt.Errorf("copy the mount of %s: %w", each.path, err)
		}
		copies[i] = tree
	}
	if err := readOnly("/"); err != nil {
		return err
	}
	for i, each := range trees {
		if err := unix.MoveMount(copies[i], "", each.file, "", unix.MOVE_MOUNT_F_EMPTY_PATH|unix.MOVE_MOUNT_T_EMPTY_PATH); err != nil {
			return fmt.Errorf("make %s writable: %w", each.path, err)
		}
		trees[i].file = copies[i] // what is writable now
	}
	return nil
}
