package persistence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"sync"
)

// memo is a file with what some bytes were understood as. It is believed for exactly those
// bytes and exactly this program, and may be removed at any time.
type memo struct {
	home *Home
	path string
}

// read decodes what these bytes were understood as before, and says whether that is known.
func (m memo) read(data []byte, into any) bool {
	kept, err := readWhole(m.path, documentLimit)
	if err != nil {
		return false
	}
	of, encoded, _ := bytes.Cut(kept, []byte{'\n'})
	if string(of) != memoOf(data, encoded) {
		return false
	}
	return json.Unmarshal(encoded, into) == nil
}

// keep caches the parsed form. Failure is no error: the bytes are parsed again next time.
func (m memo) keep(data, encoded []byte) {
	path, unlock, err := m.home.lockFile(m.path, 0)
	if err != nil {
		return // another process does it, or the directory is read-only
	}
	_ = replace(path, append([]byte(memoOf(data, encoded)+"\n"), encoded...), fleeting)
	_ = unlock()
}

// memoOf stands for the bytes of a file, what they were understood as, and the program that
// did.
func memoOf(data, encoded []byte) string {
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
	return programAt(path)
})

// programAt stands for the file of a program. Two builds may have one size and, as in packages
// and images, one time of the last change of their content, so that its own place on the disk
// counts too.
func programAt(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano(), placeOf(path))
}
