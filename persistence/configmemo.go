package persistence

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"reflect"
	"sync"
)

// What config.yaml was understood as is kept beside it: reading YAML with ten servers takes
// 1 ms of each start, and reading this 0.1 ms. It is believed for exactly those bytes of the
// file and exactly this program, and may be removed at any time.

// shortestKept is how long a configuration is for which that is worth it, in bytes.
const shortestKept = 256

// configMemo is that file.
type configMemo struct{ home *Home }

func (m configMemo) path() string { return m.home.path("config.read") }

// read is what these bytes were understood as before, if that is known.
func (m configMemo) read(data []byte) (config Config, known bool) {
	if len(data) < shortestKept {
		return Config{}, false
	}
	kept, err := readWhole(m.path(), documentLimit)
	if err != nil {
		return Config{}, false
	}
	of, encoded, _ := bytes.Cut(kept, []byte{'\n'})
	if string(of) != memoOf(data, encoded) { // guard: what a configuration was understood as is of these bytes
		return Config{}, false
	}
	if json.Unmarshal(encoded, &config) != nil {
		return Config{}, false
	}
	return config, true
}

// keep keeps what the bytes were understood as, unless a part of it would be lost by
// that. That it cannot be kept is no error: the file is understood anew the next time.
func (m configMemo) keep(data []byte, config Config) {
	var again Config
	encoded, err := json.Marshal(config)
	if err != nil || json.Unmarshal(encoded, &again) != nil || !reflect.DeepEqual(again, config) {
		return
	}
	path, unlock, err := m.home.lockFile(m.path(), 0)
	if err != nil {
		return // somebody else does it, or nothing can be written there
	}
	_ = replace(path, append([]byte(memoOf(data, encoded)+"\n"), encoded...), fleeting)
	_ = unlock()
}

// forget takes away what is kept: a key that the user took out of the file is nowhere else.
func (m configMemo) forget() {
	if m.home.State == "" {
		return
	}
	if _, err := os.Lstat(m.path()); err == nil { // most have none, and looking is no change of the disk
		_ = removeIfThere(m.path())
	}
}

// memoOf stands for the bytes of a configuration, what they were understood as, and the
// program that did.
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
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	return fmt.Sprint(path, info.Size(), info.ModTime().UnixNano())
})
