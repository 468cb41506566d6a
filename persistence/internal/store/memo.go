package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// Memo caches the parsed form of a source file in a second file, which can be removed at any time.
// A change to the source file, or another build of Marvin, makes the cache invalid.
type Memo struct {
	Home *Home
	Path string
}

// Read decodes the parsed form from the cache. If the cache is not valid for the given content of
// the source file, Read returns false.
func (m Memo) Read(data []byte, into any) bool {
	kept, err := ReadWhole(m.Path, DocumentLimit)
	if err != nil {
		return false
	}
	of, encoded, _ := bytes.Cut(kept, []byte{'\n'})
	if string(of) != MemoOf(data, encoded) {
		return false
	}
	return json.Unmarshal(encoded, into) == nil
}

// Keep writes the parsed form to the cache. Keep ignores errors, because the next process can parse
// the source file again.
func (m Memo) Keep(data, encoded []byte) {
	path, unlock, err := m.Home.LockFile(m.Path, 0)
	if err != nil {
		return // for example, the lock is held or the directory is read-only
	}
	_ = Replace(path, append([]byte(MemoOf(data, encoded)+"\n"), encoded...), Fleeting)
	_ = unlock()
}

// MemoOf returns a single hash of three inputs: the running build, the source file's content and
// the parsed form.
func MemoOf(data, encoded []byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%d\n", thisProgram(), len(data))
	sum.Write(data)
	sum.Write(encoded)
	return hex.EncodeToString(sum.Sum(nil))
}

// thisProgram identifies the running build, because another build may parse a file differently.
var thisProgram = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return ProgramAt(path)
})

// ProgramAt returns an identifier for the program file at path. Two builds may have the same size
// and, in packages and images, the same modification time, so the identifier includes the inode.
func ProgramAt(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano(), placeOf(path))
}
