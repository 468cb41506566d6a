package tools

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// OtherNames returns the other paths under which dir or a part of dir is reachable because of
// mounts, such as bind mounts. It omits paths below dir. It returns nil if the kernel's mount table
// cannot be read. On systems other than Linux, it always returns nil.
func OtherNames(dir string) (names []string) {
	text, err := os.ReadFile("/proc/self/mountinfo")
	if err != nil {
		return nil
	}
	return otherNames(string(text), dir)
}

// mountPoint is one entry in mountinfo: the device number, the mounted directory of the device's
// file system, and the path of the mount point.
type mountPoint struct{ device, root, at string }

func otherNames(mountinfo, dir string) (names []string) {
	var all []mountPoint
	var holds mountPoint // the mount that contains dir
	for line := range strings.Lines(mountinfo) {
		fields := strings.Fields(line)
		if len(fields) < 5 {
			continue
		}
		one := mountPoint{device: fields[2], root: unescaped(fields[3]), at: unescaped(fields[4])}
		all = append(all, one)
		if below(dir, one.at) && len(one.at) >= len(holds.at) {
			holds = one
		}
	}
	inside := filepath.Join(holds.root, strings.TrimPrefix(dir, holds.at))
	for _, one := range all {
		name := ""
		switch {
		case one.device != holds.device:
		case below(one.root, inside): // the mounted directory is dir or inside dir
			name = one.at
		case below(inside, one.root): // the mounted directory contains dir
			name = filepath.Join(one.at, strings.TrimPrefix(inside, one.root))
		}
		if name != "" && !below(name, dir) && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// unescaped replaces the octal escapes in a mountinfo field with characters.
func unescaped(field string) string {
	for _, code := range []string{`\040`, `\011`, `\012`, `\134`} {
		number, _ := strconv.ParseUint(code[1:], 8, 8)
		field = strings.ReplaceAll(field, code, string(rune(number)))
	}
	return field
}
