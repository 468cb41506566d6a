// Package helper becomes a command in a sandbox. Marvin starts itself a second time; that process
// applies the layers of the sandbox to itself and then executes the command.
//
// The package uses only the syscall package: no os, fmt, reflect or golang.org/x/sys/unix. Go
// initializes packages in the order of their dependencies and names, so this one comes before
// nearly all others, and no command pays for initializing them. A start of the helper takes 1.7 ms
// of CPU instead of 5.3.
package helper

import "syscall"

// Plan is the input of the helper.
type Plan struct {
	Root    string   // always visible and writable
	Dir     string   // the command's initial directory
	Write   []string // trees, or single files
	Pin     []string // directories in them that cannot be renamed or removed
	Closed  []string // pinned directories that are read-only except for the other paths
	Links   []string // symbolic links in them that cannot be renamed or removed
	Protect []string // read-only paths in them
	Hide    []string // paths that existed when this command began
	Show    []string // Marvin's own directories inside hidden ones, readable
	Temp    string   // the directory mounted over /tmp
	Offline bool     // no network
	Held    bool     // reading is restricted to the system, Read and Write
	Read    []string // trees, or single files
	Home    string   // the user's home directory, if reading is restricted
	Gate    bool     // the command's network contains Marvin's proxy
	Network bool     // Marvin carries the command's connections
	Names   string   // a file with the name server for that case
	User    int
	Group   int

	NoMounts, NoLandlock bool // layers that this system does not have

	Filter  []Instruction // for system calls that the command may make
	Handing []Instruction // for system calls that wait for Marvin
}

// Instruction is an instruction of a seccomp filter: struct sock_filter of linux/filter.h.
type Instruction struct {
	Code   uint16
	Jt, Jf uint8
	K      uint32
}

// Own is a placeholder in a filter. The helper replaces Own by its process number n, and -Own+1 by
// -n+1. No process number and no other constant of the filters is as large.
const Own = 0x7ffffff0

// These values are shared by Marvin and the helper.
const (
	Word     = "__jail"        // the first argument of a helper
	Variable = "MARVIN_HELPER" // in the helper's environment, but not in the command's
	Verdict  = 3               // the descriptor on which the helper reports; it closes when the command begins

	GateWord  = "gate"  // sent with the proxy's socket
	DoorsWord = "doors" // sent with the sockets of a network that Marvin carries
	Inward    = 16      // the maximum of simultaneous connections to a command's servers
	GatePort  = 3128    // the proxy's port at 127.0.0.1

	HostsLayer = "hosts" // restricts the hosts that a command contacts
)

// Arguments returns the arguments of a helper that executes the program at a path.
func (p *Plan) Arguments(path string, args []string) []string {
	return append([]string{"marvin", Word, p.encode(), path}, args...)
}

// insertProcess inserts the process number into a filter.
func insertProcess(filter []Instruction) []Instruction {
	pid, all := uint32(syscall.Getpid()), uint32(Own)
	for i := range filter {
		switch filter[i].K {
		case all:
			filter[i].K = pid
		case -all + 1:
			filter[i].K = -pid + 1
		}
	}
	return filter
}
