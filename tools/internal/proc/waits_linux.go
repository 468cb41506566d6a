package proc

import (
	"bytes"
	"os"
	"slices"
	"strconv"
	"strings"
)

// doings returns the states of the session's processes and of their children, ordered by pid.
func (s *session) doings() []processState {
	all := processes()
	belongs := map[int]bool{}
	for grown := true; grown; {
		grown = false
		for _, each := range all {
			if !belongs[each.pid] && (each.session == s.leader || belongs[each.parent]) {
				belongs[each.pid], grown = true, true
			}
		}
	}
	var found []processState
	for _, each := range all {
		if belongs[each.pid] {
			found = append(found, doingOf(each))
		}
	}
	slices.SortFunc(found, func(a, b processState) int { return a.pid - b.pid })
	return found
}

// doingOf returns the state of one process. A process that is gone does not count as asleep.
func doingOf(process stat) processState {
	at := "/proc/" + strconv.Itoa(process.pid)
	found := processState{pid: process.pid, parent: process.parent, name: process.name}
	if content, err := os.ReadFile(at + "/cmdline"); err == nil {
		args := strings.Split(strings.TrimRight(string(content), "\x00"), "\x00")
		found.name, found.args = program(args, process.name), args[min(1, len(args)):]
	}
	content, err := os.ReadFile(at + "/stat")
	if err != nil {
		return found
	}
	fields := strings.Fields(string(content[bytes.LastIndexByte(content, ')')+1:]))
	if len(fields) < 13 {
		return found
	}
	for _, field := range fields[11:13] { // utime and stime
		ticks, _ := strconv.ParseInt(field, 10, 64)
		found.ticks += ticks
	}
	found.asleep = fields[0] == "S"
	found.keys = found.asleep && onlyKeys(at)
	return found
}

// pollers contains prefixes of the kernel functions that wait for several descriptors.
var pollers = []string{"poll_schedule_timeout", "do_sys_poll", "do_poll", "do_select", "core_sys_select"}

// onlyKeys reports whether only a terminal can wake a process. For a process that polls, onlyKeys
// returns true if the process has an open terminal, and no open socket, pipe or anonymous inode.
func onlyKeys(at string) bool {
	content, err := os.ReadFile(at + "/wchan")
	if err != nil {
		return false
	}
	where := string(content)
	if where == "n_tty_read" || where == "wait_woken" { // terminals and sockets share wait_woken
		call, err := os.ReadFile(at + "/syscall") // the call's number and arguments
		fields := strings.Fields(string(call))
		if err != nil || len(fields) < 2 {
			return false
		}
		descriptor, err := strconv.ParseUint(strings.TrimPrefix(fields[1], "0x"), 16, 31)
		target, gone := os.Readlink(at + "/fd/" + strconv.FormatUint(descriptor, 10))
		return err == nil && gone == nil && terminal(target)
	}
	return slices.ContainsFunc(pollers, func(start string) bool { return strings.HasPrefix(where, start) }) && onlyTerminals(at)
}

func terminal(target string) bool {
	return strings.HasPrefix(target, "/dev/pts/") || target == "/dev/tty"
}

func onlyTerminals(at string) bool {
	open, err := os.ReadDir(at + "/fd")
	if err != nil {
		return false
	}
	some := false
	for _, descriptor := range open {
		target, err := os.Readlink(at + "/fd/" + descriptor.Name())
		if err != nil || strings.HasPrefix(target, "socket:") || strings.HasPrefix(target, "pipe:") || strings.HasPrefix(target, "anon_inode:") {
			return false
		}
		some = some || terminal(target)
	}
	return some
}
