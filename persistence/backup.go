package persistence

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"marvin/persistence/projectdir"
)

// ContextMessage is a message of a conversation with a model, as chat APIs spell it.
type ContextMessage struct {
	Role       string        `json:"role"` // system, user, assistant or tool
	Content    string        `json:"content"`
	ToolCalls  []ContextCall `json:"tool_calls,omitempty"`
	ToolCallID string        `json:"tool_call_id,omitempty"` // of a tool message: the call that it answers
	Name       string        `json:"name,omitempty"`         // of a tool message: the tool
	Status     string        `json:"status,omitempty"`       // of a tool message: how the call ended
}

// ContextCall is a call that a model made.
type ContextCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"` // function
	Function ContextFunction `json:"function"`
}

// ContextFunction is what a call calls. Arguments are as the model wrote them.
type ContextFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// logsDir is where a project keeps Marvin's logs.
const logsDir = ".marvin/logs"

// BackupContext writes a conversation to a new file, one message per line with its
// index, and returns the path once it is safe on the disk: only then may anything of
// the conversation be dropped. The file is
// <dir>/.marvin/logs/context-backup-<unix time>.jsonl or, without a working directory
// or if that cannot be written, the same under logs/ in the profile's directory.
// Nothing is ever overwritten, and no link is followed out of dir.
func (p Profile) BackupContext(dir string, all []ContextMessage) (string, error) {
	data, err := contextLines(all)
	if err != nil {
		return "", fmt.Errorf("back up the conversation: %w", err)
	}
	base := fmt.Sprintf("context-backup-%d", p.home.Now().Unix())
	if dir != "" {
		written, failed := backupIn(dir, logsDir, base, data)
		if failed == nil {
			return written, nil
		}
		err = failed
	}
	if p.Dir == "" {
		return "", fmt.Errorf("back up the conversation: %w", errors.Join(err, ErrNoHome))
	}
	if failed := makeDir(p.Dir); failed != nil {
		return "", fmt.Errorf("back up the conversation: %w", errors.Join(err, failed))
	}
	written, failed := backupIn(p.Dir, "logs", base, data)
	if failed != nil {
		return "", fmt.Errorf("back up the conversation: %w", errors.Join(err, failed))
	}
	return written, nil
}

func contextLines(all []ContextMessage) ([]byte, error) {
	var out bytes.Buffer
	for i, message := range all {
		line, err := encodeValue(struct {
			Index int `json:"index"`
			ContextMessage
		}{i, message})
		if err != nil {
			return nil, err
		}
		out.Write(line)
		out.WriteByte('\n')
	}
	return out.Bytes(), nil
}

// backupIn writes data to a new file in a directory under dir, which exists.
func backupIn(dir, under, base string, data []byte) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := makeLogs(root, under); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, under), err)
	}
	name, err := writeBackup(root, path.Join(under, base), data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	if err := syncUp(root, name); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return filepath.Join(dir, name), nil
}

// syncUp syncs a new name, and those of the directories above it, which may be new.
func syncUp(root *os.Root, name string) error {
	for inside := path.Dir(name); ; inside = path.Dir(inside) {
		if err := syncInside(root, inside); err != nil || inside == "." {
			return err
		}
	}
}

// makeLogs makes the directory with its parent. In a project it is made invisible to
// git, because git_commit adds everything and a conversation is not for publishing.
func makeLogs(root *os.Root, under string) error {
	if parent := path.Dir(under); parent != "." {
		if _, err := makeInside(root, parent); err != nil {
			return err
		}
	}
	isNew, err := makeInside(root, under)
	if err == nil && under == logsDir {
		err = hide(root, under, isNew)
	}
	return err
}

// hide makes a directory of the project invisible to git: by the .gitignore of .marvin, and if
// it is new by one of its own.
func hide(root *os.Root, name string, isNew bool) error {
	if isNew {
		if err := writeInside(root, path.Join(name, ".gitignore"), []byte("*\n")); err != nil {
			return err
		}
	}
	return projectdir.Hide(root, path.Base(name))
}

// makeInside makes a directory, private whatever the umask, unless it exists.
func makeInside(root *os.Root, name string) (isNew bool, err error) {
	err = root.Mkdir(name, 0o700)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	return true, root.Chmod(name, 0o700)
}

// writeBackup finds a name that is free: two windows may compact in one second.
func writeBackup(root *os.Root, base string, data []byte) (string, error) {
	name := base + ".jsonl"
	for n := 2; ; n++ {
		err := writeInside(root, name, data)
		if !errors.Is(err, fs.ErrExist) || n > 1000 {
			return name, err
		}
		name = fmt.Sprintf("%s-%d.jsonl", base, n)
	}
}

// writeInside makes a file of its own and leaves none that is not whole.
func writeInside(root *os.Root, name string, data []byte) error {
	file, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Chmod(0o600) // the umask may have taken away our own bits
	}
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, root.Remove(name))
	}
	return nil
}

func syncInside(root *os.Root, name string) error {
	dir, err := root.Open(name)
	if err != nil {
		return err
	}
	return errors.Join(dir.Sync(), dir.Close())
}
