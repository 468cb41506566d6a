// Package helper becomes a command in a sandbox. Marvin starts itself a second time; that process
// puts the layers of the sandbox on itself and then executes the command.
//
// The package uses only the syscall package, no os, fmt, reflect or golang.org/x/sys/unix. Go
// initializes packages in the order of their needs and names, so this one comes before nearly all
// others and no command pays for initializing them: a start of the helper takes 1.7 ms of CPU
// instead of 5.3.
package helper

import "syscall"

// Plan is the input of the helper.
type Plan struct {
	Root    string   // visible and writable whatever else is hidden
	Dir     string   // where the command starts
	Write   []string // trees, or single files
	Pin     []string // directories in the middle of them that are neither renamed nor removed
	Closed  []string // of these, what is read-only outside of the others
	Links   []string // symbolic links there, likewise
	Protect []string // read-only there
	Hide    []string // as they were found for this command
	Show    []string // Marvin's own directories inside hidden ones, readable
	Temp    string   // what /tmp is
	Offline bool     // no network
	Held    bool     // only what follows is read, besides the system
	Read    []string // trees, or single files
	Home    string   // of the user, where that matters to reading
	Gate    bool     // its network has a proxy of Marvin's in it
	Network bool     // Marvin carries its connections
	Names   string   // a file that says where names are looked up then
	User    int
	Group   int

	NoMounts, NoLandlock bool // layers that this system does not have

	Filter  []Instruction // of system calls that the command may make
	Handing []Instruction // of system calls that wait for Marvin
}

// Instruction is one of a seccomp filter: struct sock_filter of linux/filter.h.
type Instruction struct {
	Code   uint16
	Jt, Jf uint8
	K      uint32
}

// Own is the value in a filter that the helper replaces by its process number, and -Own+1 by the
// negative of that plus one. No process number and no other constant of the filters is as large.
const Own = 0x7ffffff0

// Between Marvin and the helper.
const (
	Word     = "__jail"        // the first argument of a helper
	Variable = "MARVIN_HELPER" // in its environment, and not in that of the command
	Verdict  = 3               // where Marvin listens; it closes when the command begins

	GateWord  = "gate"  // goes with the socket of a proxy
	DoorsWord = "doors" // goes with the sockets of a network that Marvin carries
	Inward    = 16      // how many connections a command's servers have at once from outside
	GatePort  = 3128    // of the proxy, at 127.0.0.1

	HostsLayer = "hosts" // limits whom a command contacts
)

// Arguments are those of a helper that becomes the program at a path.
func (p *Plan) Arguments(path string, args []string) []string {
	return append([]string{"marvin", Word, p.encode(), path}, args...)
}

// own puts the process number into a filter.
func own(filter []Instruction) []Instruction {
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
