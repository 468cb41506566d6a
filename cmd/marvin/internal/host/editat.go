package host

import (
	"fmt"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/diff"

	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/editor"
	"marvin/tools"
)

// mostCompared is the maximum size, in bytes, of a file whose edits are returned as a diff.
const mostCompared = 4 << 20

// EditAt implements [command.Host].
func (h workplace) EditAt(path, dir string, line int) (changed string, err error) {
	full := fileFrom(path, dir)
	if !cli.Exists(full) {
		return "", fmt.Errorf("%s is gone", tools.Visible(path))
	}
	before, known := compared(full)
	if err := (editor.Editor{World: h.parts.World}).OpenAt(full, line); err != nil {
		return "", err
	}
	after, still := compared(full)
	if !known || !still {
		return "", nil
	}
	_, changed, _ = strings.Cut(string(diff.Diff("a/"+path, before, "b/"+path, after)), "\n")
	return changed, nil
}

func compared(path string) (text []byte, ok bool) {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > mostCompared {
		return nil, false
	}
	text, err = os.ReadFile(path)
	return text, err == nil && utf8.Valid(text)
}
