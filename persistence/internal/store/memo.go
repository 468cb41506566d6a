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

// Memo is a file with what some bytes were understood as. It is believed for exactly those
// bytes and exactly this program, and may be removed at any time.
type Memo struct {
	Home *Home
	Path string
}

// Read decodes what these bytes were understood as before, and says whether that is known.
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

// Keep caches the parsed form. Failure is no error: the bytes are parsed again next time.
func (m Memo) Keep(data, encoded []byte) {
	path, unlock, err := m.Home.LockFile(m.Path, 0)
	if err != nil {
		return // another process does it, or the directory is read-only
	}
	_ = Replace(path, append([]byte(MemoOf(data, encoded)+"\n"), encoded...), Fleeting)
	_ = unlock()
}

// MemoOf stands for the bytes of a file, what they were understood as, and the program that
// did.
func MemoOf(data, encoded []byte) string {
	sum := sha256.New()
	fmt.Fprintf(sum, "%s\n%d\n", thisProgram(), len(data))
	sum.Write(data)
	sum.Write(encoded)
	return hex.EncodeToString(sum.Sum(nil))
}

// thisProgram stands for the build that runs: another one may understand the same words in
// another way.
var thisProgram = sync.OnceValue(func() string {
	path, err := os.Executable()
	if err != nil {
		return ""
	}
	return ProgramAt(path)
})

// ProgramAt stands for the file of a program. Two builds may have one size and, as in packages
// and images, one time of the last change of their content, so that its own place on the disk
// counts too.
func ProgramAt(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano(), placeOf(path))
}
