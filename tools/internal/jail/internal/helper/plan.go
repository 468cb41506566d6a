// Package helper applies the layers of the sandbox to its own process, and then executes the
// command in place of that process. Marvin starts itself a second time for this.
//
// The package makes system calls through the syscall package, and does not import os, fmt, reflect
// or golang.org/x/sys/unix. Go initializes packages in the order of their dependencies and names.
// So this package is initialized before nearly all others, and a command does not have to wait for
// the others. This reduces the CPU time to start a helper from 5.3 ms to 1.7 ms.
package helper

import "syscall"

// Plan is the input of the helper.
type Plan struct {
	Root    string   // the jail's root, with symbolic links resolved
	Dir     string   // the command's initial directory
	Write   []string // trees and files that the command can write to
	Pin     []string // directories that the command cannot rename or remove
	Closed  []string // members of Pin to make read-only; members of Pin inside them stay writable
	Links   []string // symbolic links that the command cannot rename or remove
	Protect []string // read-only paths inside writable trees
	Hide    []string // existing paths that the command cannot read or connect to
	Show    []string // Marvin's directories, readable even if Hide contains a parent directory
	Temp    string   // the directory mounted over /tmp
	Offline bool     // no network
	Held    bool     // the command can read only the system's files and the paths in Read and Write
	Read    []string // trees, or single files
	Home    string   // the user's home directory, or "" if Held is false
	Gate    bool     // Marvin's proxy listens in the command's network
	Network bool     // the command's connections go through Marvin
	Names   string   // the file mounted over resolv.conf if Network is true
	User    int
	Group   int

	NoMounts, NoLandlock bool // layers that the system lacks

	Filter  []Instruction // the filter that forbids system calls
	Handing []Instruction // the filter that passes system calls to Marvin
}

// Instruction is an instruction of a seccomp filter: struct sock_filter from linux/filter.h.
type Instruction struct {
	Code   uint16
	Jt, Jf uint8
	K      uint32
}

// OwnProcess represents the helper's process ID in filters. insertProcess replaces OwnProcess with
// the ID n, and -OwnProcess+1 with -n+1. OwnProcess is larger than any process ID, and differs from
// all other constants in the filters.
const OwnProcess = 0x7ffffff0

// These values are shared by Marvin and the helper.
const (
	Word     = "__jail"        // the first argument of a helper
	Variable = "MARVIN_HELPER" // an environment variable that is set only for the helper
	Verdict  = 3               // the descriptor for the helper's report; closed by execve

	GateWord  = "gate"  // the message that carries the proxy's socket
	DoorsWord = "doors" // openDoors sends its sockets in this message
	Inward    = 16      // the maximum number of simultaneous connections to a command's servers
	GatePort  = 3128    // the proxy's port on 127.0.0.1

	HostsLayer = "hosts" // the layer that restricts which hosts a command can contact
)

// Arguments returns the arguments for a helper that executes the program at path.
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
