// Package sockets finds the Unix sockets that a program on this machine could connect to.
//
// The kernel's table names a socket as its owner did when it bound it. That is not always the path:
// a bind mount shows the socket elsewhere, the owner may have another root, or it renamed the file.
// So sockets are also looked for by what they are: see [Finder].
package sockets

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// Table is what the kernel says about the sockets of this network.
type Table struct {
	Paths []string // absolute names, each once
	// Strays are sockets that wait for others and have another path than their name, or one more.
	Strays []string
}

// ReadTable reads the kernel's table: "address: references protocol flags type state number name".
func ReadTable() Table {
	table, _ := os.ReadFile("/proc/net/unix") // without it no socket has a name
	return parseTable(table)
}

func parseTable(table []byte) (all Table) {
	seen := map[string]bool{}
	for line := range bytes.Lines(table) {
		fields := strings.SplitN(strings.TrimSuffix(string(line), "\n"), " ", 8)
		if len(fields) < 8 || !strings.HasSuffix(fields[0], ":") {
			continue // the heading
		}
		number, name, named := strings.Cut(strings.TrimLeft(fields[6]+" "+fields[7], " "), " ")
		if !named || name == "" || name[0] == '@' {
			continue
		}
		if filepath.IsAbs(name) && !seen[name] {
			seen[name] = true
			all.Paths = append(all.Paths, name)
		}
		const accepts, datagrams = "00010000", "0002"
		if fields[3] != accepts && fields[4] != datagrams {
			continue
		}
		if names := pathsOf(name); names != 1 {
			all.Strays = append(all.Strays, fmt.Sprint(number, " ", names))
		}
	}
	return all
}

// pathsOf is how many paths a socket has: one more for each hard link, and 0 if it is not where its
// name says. Nobody connects to one in a directory that this user may not enter.
func pathsOf(name string) uint64 {
	if !filepath.IsAbs(name) {
		return 0
	}
	info, err := os.Stat(name)
	switch {
	case os.IsPermission(err):
		return 1
	case err != nil || info.Mode()&os.ModeSocket == 0:
		return 0
	}
	return disk.NamesOf(info)
}
