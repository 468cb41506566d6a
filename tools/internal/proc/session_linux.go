package proc

import (
	"bytes"
	"cmp"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// sessionAttributes returns attributes for a child with its own session. The kernel kills the child
// when Marvin ends.
func sessionAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// signalAll sends a signal to the process group, and then to each process that has left the group.
// It searches for these processes before it signals the group, because some of them can be found
// only through a parent in the group.
func (s *session) signalAll(sig syscall.Signal) {
	members := s.members()
	if s.leader > 0 {
		_ = syscall.Kill(-s.leader, sig) // ESRCH means that the group is empty
	}
	for _, process := range members {
		if process.group != s.leader {
			_ = syscall.Kill(process.PID, sig)
		}
	}
}

func (s *session) alive() bool { return len(s.members()) > 0 }

// members returns the living processes of the call, as found in /proc. It remembers these
// processes, because some of them can be found only while their parent lives.
func (s *session) members() []Process {
	all := processes()
	belongs := make(map[int]bool, len(all))
	for _, each := range all {
		belongs[each.pid] = s.known[each.pid] == each.started || s.owns(each)
	}
	for grown := true; grown; { // children of members are members
		grown = false
		for _, each := range all {
			if !belongs[each.pid] && belongs[each.parent] {
				belongs[each.pid], grown = true, true
			}
		}
	}
	var found []Process
	s.known = map[int]string{}
	for _, each := range all {
		if belongs[each.pid] {
			s.known[each.pid] = each.started
			found = append(found, Process{PID: each.pid, Command: commandLine(each), Started: each.started, Mark: s.mark, group: each.group})
		}
	}
	return found
}

// owns returns true if a process is in the session, or carries the session's mark in its
// environment. The environment of a process older than the session's child is not read, because
// environments are slow to read.
func (s *session) owns(process stat) bool {
	if s.leader > 0 && process.session == s.leader {
		return true
	}
	if s.began != "" && earlier(process.started, s.began) {
		return false
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(process.pid) + "/environ")
	return err == nil && bytes.Contains(environ, []byte(s.mark)) // other users' processes are not readable
}

// stat describes one process, as read from /proc.
type stat struct {
	pid, parent, group, session int
	started                     string // the start time, in clock ticks since boot
	name                        string
}

// earlier returns true if a < b, for start times given as decimal numbers.
func earlier(a, b string) bool {
	return len(a) < len(b) || len(a) == len(b) && a < b
}

// processes returns all processes except the current process and zombies, which only their parents
// can reap.
func processes() []stat {
	entries, err := os.ReadDir("/proc")
	if err != nil {
		return nil
	}
	self := os.Getpid()
	all := make([]stat, 0, len(entries))
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == self {
			continue
		}
		if process, alive := readStat(pid); alive {
			all = append(all, process)
		}
	}
	return all
}

// readStat reads a process's stat file: "pid (name) state parent group session …". The name may
// contain anything, including parentheses. For a zombie, readStat returns a complete stat and
// false.
func readStat(pid int) (process stat, alive bool) {
	content, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return stat{}, false
	}
	opening, closing := bytes.IndexByte(content, '('), bytes.LastIndexByte(content, ')')
	if opening < 0 || closing < opening {
		return stat{}, false
	}
	fields := strings.Fields(string(content[closing+1:]))
	if len(fields) < 20 {
		return stat{}, false
	}
	process = stat{pid: pid, name: string(content[opening+1 : closing]), started: fields[19]}
	for i, into := range []*int{&process.parent, &process.group, &process.session} {
		if *into, err = strconv.Atoi(fields[i+1]); err != nil {
			return stat{}, false
		}
	}
	return process, fields[0] != "Z" && fields[0] != "X"
}

// commandLine returns a process's command line as one short line. It retries for about 10 ms,
// because a new process has no command line at first.
func commandLine(process stat) string {
	line := ""
	for range 20 {
		content, err := os.ReadFile("/proc/" + strconv.Itoa(process.pid) + "/cmdline")
		line = strings.TrimSpace(strings.ReplaceAll(string(content), "\x00", " "))
		if err != nil || line != "" {
			break
		}
		time.Sleep(500 * time.Microsecond)
	}
	line = cmp.Or(line, process.name)
	if len(line) > 200 {
		line = line[:200] + "…"
	}
	return strings.ToValidUTF8(line, "�")
}
