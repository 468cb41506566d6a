package box

import (
	"errors"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

func TestARenamedFileKeepsItsExtendedAttributes(t *testing.T) {
	root := tree(t, map[string]string{"a": "1"})
	if err := unix.Setxattr(filepath.Join(root, "a"), "user.note", []byte("x"), 0); err != nil {
		t.Skip("no extended attributes here:", err)
	}
	batch := open(t, root).Batch()
	must(t, errors.Join(batch.Rename("a", "b"), batch.Rename("b", "dir/c"), batch.Write("dir/c", []byte("2"))))
	must(t, batch.Commit(t.Context()))
	value := make([]byte, 8)
	if n, err := unix.Getxattr(filepath.Join(root, "dir", "c"), "user.note", value); err != nil || string(value[:n]) != "x" {
		t.Errorf("%q, %v", value[:max(n, 0)], err)
	}
}
