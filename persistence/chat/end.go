package chat

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"

	"marvin/persistence/internal/store"
)

// unfinished is the file name suffix of the copy that [writeEnd] makes.
const unfinished = ".unfinished"

// writeEnd overwrites the end of a long log, from the given offset on. During the write, a copy of
// the new data is stored beside the log, so that [endAppend] can complete the write after a crash.
func writeEnd(path string, at int64, addition []byte) (err error) {
	file, err := os.OpenFile(store.HiddenBeside(path, unfinished), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = file.Write(append(fmt.Appendf(nil, "%d %d\n", at, len(addition)), addition...))
	if err = errors.Join(err, file.Close()); err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return overwriteEnd(path, at, addition)
}

// overwriteEnd writes addition at the given offset and truncates the log after addition. It then
// removes the copy that [writeEnd] made.
func overwriteEnd(path string, at int64, addition []byte) error {
	log, err := store.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	err = store.MakePrivate(log)
	if err == nil {
		_, err = log.WriteAt(addition, at)
	}
	if err == nil {
		err = log.Truncate(at + int64(len(addition)))
	}
	if err == nil {
		err = log.Sync()
	}
	if err = errors.Join(err, log.Close()); err != nil {
		return err // the copy remains, so that [endAppend] can retry the write
	}
	return os.Remove(store.HiddenBeside(path, unfinished))
}

// endAppend completes an interrupted [writeEnd]. If the log has changed since the interruption,
// endAppend only removes the copy of the new data. The caller must have locked the log and resolved
// its path.
func endAppend(path string) error {
	begun, err := store.ReadWhole(store.HiddenBeside(path, unfinished), store.DocumentLimit)
	if begun == nil && err == nil {
		return nil
	}
	if err != nil {
		return err // the copy is unreadable, so an incomplete log cannot be repaired
	}
	if at, addition, ok := readBegun(begun); ok && endsWithin(path, at, addition) {
		return overwriteEnd(path, at, addition)
	}
	return os.Remove(store.HiddenBeside(path, unfinished))
}

// readBegun parses the copy that writeEnd stored. If the copy is incomplete, ok is false.
func readBegun(begun []byte) (at int64, addition []byte, ok bool) {
	beginning, addition, _ := bytes.Cut(begun, []byte("\n"))
	place, length, _ := bytes.Cut(beginning, []byte(" "))
	at, err := strconv.ParseInt(string(place), 10, 64)
	size, bad := strconv.Atoi(string(length))
	if err != nil || bad != nil || size != len(addition) {
		return 0, nil, false
	}
	return at, addition, json.Valid(append([]byte("[{}"), addition...))
}

// endsWithin reports whether an interrupted write at the given offset can be completed. An entry
// must end directly before the offset. The rest of the log must be either a prefix of the new data
// or the old closing bracket. The first byte of the new data can precede this bracket.
func endsWithin(path string, at int64, addition []byte) bool {
	log, size, err := store.OpenRegular(os.OpenFile, path)
	if log == nil || err != nil {
		return false
	}
	defer log.Close()
	if at < 1 || at > size || size-at > int64(len(addition)) {
		return false
	}
	end := make([]byte, size-at+1)
	if _, err := log.ReadAt(end, at-1); err != nil || end[0] != '}' {
		return false
	}
	return string(bytes.TrimSpace(bytes.TrimPrefix(end[1:], addition[:1]))) == "]" || bytes.HasPrefix(addition, end[1:])
}

// endAppend locks the log and completes an interrupted [writeEnd]. Without the lock, a running
// writeEnd would look interrupted.
func (c Log) endAppend() {
	path, err := store.Resolve(c.profile.Path("chat_log.json"))
	if err != nil {
		return
	}
	if _, err := os.Lstat(store.HiddenBeside(path, unfinished)); err != nil {
		return
	}
	path, unlock, err := c.profile.Home.LockFile(path, store.LockWait)
	if err != nil {
		return // [Log.Tail] can read an incomplete log
	}
	defer func() { _ = unlock() }()
	_ = endAppend(path)
}
