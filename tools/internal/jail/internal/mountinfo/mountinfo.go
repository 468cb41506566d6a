// Package mountinfo reads the kernel's table of the mounts of a process.
package mountinfo

import (
	"bytes"
	"strings"
)

// Mount is one entry of a mount table.
type Mount struct {
	Device string // the file system's device number, as major:minor
	Root   string // the mounted part of the file system; "/" is the whole file system
	Point  string
	Type   string // such as ext4
}

// Parse parses a table such as /proc/self/mountinfo. Each line has the form "id parent device root
// point options [more options] - type source options".
func Parse(table []byte) (mounts []Mount) {
	for line := range bytes.Lines(table) {
		fields := strings.Fields(string(line))
		if len(fields) < 5 {
			continue
		}
		mount := Mount{Device: fields[2], Root: unescaped(fields[3]), Point: unescaped(fields[4])}
		for i, field := range fields {
			if field == "-" && i > 4 && i+1 < len(fields) {
				mount.Type = fields[i+1]
				break
			}
		}
		mounts = append(mounts, mount)
	}
	return mounts
}

// unescaped decodes escapes such as \040 in a path.
func unescaped(path string) string {
	if !strings.Contains(path, `\`) {
		return path
	}
	return strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`).Replace(path)
}
