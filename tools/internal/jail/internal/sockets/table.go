// Package sockets finds the Unix sockets that a program on this machine could connect to.
//
// The kernel's table lists the path to which each socket was bound. The socket can have another
// path if its file was renamed or bind-mounted, or if its owner has a different root directory.
// [Finder] therefore searches directories and mounts for sockets.
package sockets

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"marvin/tools/internal/jail/internal/disk"
)

// Table is the kernel's list of the sockets in this network namespace.
type Table struct {
	Paths []string // absolute paths, without duplicates
	// Strays contains an entry for each listening socket that has several paths, or that is not at
	// its listed path.
	Strays []string
}

// ReadTable reads the socket table from /proc/net/unix. Each line of the file has the form
// "address: references protocol flags type state inode name".
func ReadTable() Table {
	table, _ := os.ReadFile("/proc/net/unix") // empty if the file does not exist
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

// pathsOf returns the number of hard links to a socket, or 0 if name is not the absolute path of a
// socket. It returns 1 if this user cannot access the path.
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
