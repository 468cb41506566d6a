package chat

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"marvin/persistence/internal/store"
	"marvin/persistence/internal/storetest"
)

func init() { storetest.Helpers["back up on a full disk"] = backUpOnAFullDisk }

func TestContextBackupOnAFullDisk(t *testing.T) {
	cmd := storetest.Helper(t, "back up on a full disk", t.TempDir())
	cmd.Stderr = nil
	storetest.InOwnMounts(t, cmd)
}

func backUpOnAFullDisk(home string) error {
	project, profile := filepath.Join(home, "project"), store.Open(home, storetest.Now).Profile("default")
	if err := os.Mkdir(project, 0o700); err != nil {
		return err
	}
	if err := syscall.Mount("none", project, "tmpfs", 0, "size=64k"); err != nil {
		return err
	}
	long := []ContextMessage{{Role: "user", Content: strings.Repeat("long ", 50_000)}}
	path, err := BackupContext(profile, project, long)
	if err != nil || !strings.HasPrefix(path, profile.Dir) {
		return fmt.Errorf("the project is full: %q, %s", path, storetest.ErrorText(err))
	}
	if left, err := filepath.Glob(filepath.Join(project, ".marvin/logs/*.jsonl")); err != nil || len(left) > 0 {
		return fmt.Errorf("half a backup was left: %v, %s", left, storetest.ErrorText(err))
	}
	if err := syscall.Mount("none", profile.Dir, "tmpfs", 0, "size=64k"); err != nil {
		return err
	}
	if path, err := BackupContext(profile, project, long); !errors.Is(err, syscall.ENOSPC) {
		return fmt.Errorf("everything is full: %q, %s", path, storetest.ErrorText(err))
	}
	return nil
}
