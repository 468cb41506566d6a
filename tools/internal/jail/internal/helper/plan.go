// Package helper applies the layers of the sandbox to its own process, and then executes the
// command in place of that process. Marvin starts itself a second time for this.
//
// The package uses only the syscall package: no os, fmt, reflect or golang.org/x/sys/unix. Go
// initializes packages in the order of their dependencies and names. So this package comes before
// nearly all others, and a command does not have to wait until the others are initialized. This
// reduces the CPU time of a helper's start from 5.3 ms to 1.7 ms.
package helper

import "syscall"

// Plan is the input of the helper.
type Plan struct {
	Root    string   // always visible and writable
	Dir     string   // the command's initial directory
	Write   []string // trees, or single files
	Pin     []string // directories in Write that cannot be renamed or removed
	Closed  []string // the read-only directories of Pin; deeper directories of Pin stay writable
	Links   []string // symbolic links in Write that cannot be renamed or removed
	Protect []string // paths in Write that are read-only
	Hide    []string // paths that existed when this command began
	Show    []string // directories of Marvin that stay readable below a hidden directory
	Temp    string   // the directory mounted over /tmp
	Offline bool     // no network
	Held    bool     // only the system's files and the paths in Read and Write can be read
	Read    []string // trees, or single files
	Home    string   // with Held: the user's home directory
	Gate    bool     // Marvin's proxy listens in the command's network
	Network bool     // the command's connections go through Marvin
	Names   string   // with Network: a resolv.conf that names Marvin
	User    int
	Group   int

	NoMounts, NoLandlock bool // the system lacks mounts or Landlock

	Filter  []Instruction // the filter that forbids system calls
	Handing []Instruction // the filter that passes system calls to Marvin
}

// Instruction is an instruction of a seccomp filter: struct sock_filter of linux/filter.h.
type Instruction struct {
	Code   uint16
	Jt, Jf uint8
	K      uint32
}

// OwnProcess is a constant in filters, which the helper replaces with its process number n. It also
// replaces -Own+1 with -n+1. Own is larger than any process number and any other constant of the
// filters.
const OwnProcess = 0x7ffffff0

// These values are shared by Marvin and the helper.
const (
	Word     = "__jail"        // the first argument of a helper
	Variable = "MARVIN_HELPER" // in the helper's environment, but not in the command's
	Verdict  = 3               // the descriptor on which the helper reports; it closes when the command begins

	GateWord  = "gate"  // sent with the proxy's socket
	DoorsWord = "doors" // sent with the sockets of the command's network
	Inward    = 16      // the maximum number of simultaneous connections to a command's servers
	GatePort  = 3128    // the proxy's port at 127.0.0.1

	HostsLayer = "hosts" // restricts the hosts that a command contacts
)

// Arguments returns the arguments of a helper that executes the program at a path.
func (p *Plan) Arguments(path string, args []string) []string {
	return append([]string{"marvin", Word, p.encode(), path}, args...)
}

func insertProcess(filter []Instruction) []Instruction {
	pid, all := uint32(syscall.Getpid()), uint32(OwnProcess)
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
