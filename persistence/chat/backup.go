package chat

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"marvin/persistence/internal/store"
)

// ContextMessage is a message to or from a model, in the format of chat APIs.
type ContextMessage struct {
	Role       string        `json:"role"` // "system", "user", "assistant" or "tool"
	Content    string        `json:"content"`
	ToolCalls  []ContextCall `json:"tool_calls,omitempty"`
	ToolCallID string        `json:"tool_call_id,omitempty"` // in a tool message, the ID of the call
	Name       string        `json:"name,omitempty"`         // in a tool message, the name of the tool
	Status     string        `json:"status,omitempty"`       // in a tool message, the outcome of the call
}

// ContextCall is a call that a model made.
type ContextCall struct {
	ID       string          `json:"id"`
	Type     string          `json:"type"` // function
	Function ContextFunction `json:"function"`
}

// ContextFunction is the function in a [ContextCall].
type ContextFunction struct {
	Name      string `json:"name"`
	Arguments string `json:"arguments"`
}

// BackupContext writes a conversation to a new file, syncs the file and returns the path of the
// file. Each line contains a message and the index of the message. The caller must not drop
// messages before BackupContext has succeeded. The file is
// .marvin/logs/context-backup-<unix time>.jsonl in dir. If dir is empty or not writable, the file
// is in logs/ in the profile's directory instead. BackupContext never overwrites a file and follows
// no link out of dir.
func BackupContext(p store.Profile, dir string, all []ContextMessage) (string, error) {
	data, err := contextLines(all)
	if err != nil {
		return "", fmt.Errorf("back up the conversation: %w", err)
	}
	base := fmt.Sprintf("context-backup-%d", p.Home.Now().Unix())
	if dir != "" {
		written, failed := backupIn(dir, store.LogsDir, base, data)
		if failed == nil {
			return written, nil
		}
		err = failed
	}
	if p.Dir == "" {
		return "", fmt.Errorf("back up the conversation: %w", errors.Join(err, store.ErrNoHome))
	}
	if failed := store.MakeDir(p.Dir); failed != nil {
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
		line, err := store.EncodeValue(struct {
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

// backupIn writes data to a new file in a subdirectory of dir. It creates the subdirectory if
// necessary, but does not create dir.
func backupIn(dir, under, base string, data []byte) (string, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	if err := store.MakeLogs(root, under); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, under), err)
	}
	name, err := writeBackup(root, path.Join(under, base), data)
	if err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	if err := store.SyncUp(root, name); err != nil {
		return "", fmt.Errorf("%s: %w", filepath.Join(dir, name), err)
	}
	return filepath.Join(dir, name), nil
}

// writeBackup writes data to a new file. If another window made a backup in the same second,
// writeBackup adds a number to the name.
func writeBackup(root *os.Root, base string, data []byte) (string, error) {
	name := base + ".jsonl"
	for n := 2; ; n++ {
		err := store.WriteInside(root, name, data)
		if !errors.Is(err, fs.ErrExist) || n > 1000 {
			return name, err
		}
		name = fmt.Sprintf("%s-%d.jsonl", base, n)
	}
}
