package proc

import (
	"bytes"
	"os"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// sessionAttributes give a child a session of its own, and its end with ours.
func sessionAttributes() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{Setsid: true, Pdeathsig: syscall.SIGKILL}
}

// signal reaches the group at one stroke, then those who left it. They are looked
// for first, because some are found only through a parent in the group.
func (s *session) signal(sig syscall.Signal) {
	members := s.members()
	if s.leader > 0 {
		_ = syscall.Kill(-s.leader, sig) // ESRCH: nobody is left in the group
	}
	for _, process := range members {
		if process.group != s.leader {
			_ = syscall.Kill(process.PID, sig)
		}
	}
}

func (s *session) alive() bool { return len(s.members()) > 0 }

// members searches /proc for the living processes of the call. Who was found once
// stays known: a parent that leads to it may be gone the next time.
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

// owns says whether a process is in the session or carries its mark. What began before the
// child did carries none, and is not asked: the environment is the dearest that /proc has.
func (s *session) owns(process stat) bool {
	if s.leader > 0 && process.session == s.leader {
		return true
	}
	if s.began != "" && earlier(process.started, s.began) {
		return false
	}
	environ, err := os.ReadFile("/proc/" + strconv.Itoa(process.pid) + "/environ")
	return err == nil && bytes.Contains(environ, []byte(s.mark)) // others' processes are not readable
}

// stat is what /proc says about one process.
type stat struct {
	pid, parent, group, session int
	started                     string // in clock ticks since boot: tells a pid from its next use
	name                        string
}

// earlier compares two times of start.
func earlier(one, other string) bool {
	return len(one) < len(other) || len(one) == len(other) && one < other
}

// processes lists what lives, without zombies: those belong to their parents.
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

// readStat reads "pid (name) state parent group session …"; the name may hold
// anything, also parentheses. Of a zombie it is known when it began.
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

// commandLine is what the process was started as, in one short line. One that is just being
// started has none yet.
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
	if line == "" {
		line = process.name
	}
	if len(line) > 200 {
		line = line[:200] + "…"
	}
	return strings.ToValidUTF8(line, "�")
}
