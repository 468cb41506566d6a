package cron

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"syscall"

	"marvin/tools/internal/proc"
)

// Works returns the reason why cron cannot run jobs, or "" if there is no reason.
func Works(environ []string) (why string) {
	if !Installed(environ) {
		return "cron is not installed"
	}
	if runtime.GOOS == "linux" && !daemonIn("/proc") && !hidden("/run/crond.pid") {
		return "no cron daemon is running"
	}
	return "" // outside Linux, the system starts the daemon when there is a crontab
}

// Installed reports whether there is a crontab program.
func Installed(environ []string) bool {
	_, err := proc.Find("crontab", environ)
	return err == nil
}

// daemonIn reports whether a cron daemon is among the processes in a directory such as /proc. It
// recognizes the daemons of Vixie cron, Debian, cronie, dcron, busybox and fcron.
func daemonIn(dir string) bool {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return false
	}
	for _, entry := range entries {
		if _, err := strconv.Atoi(entry.Name()); err != nil {
			continue
		}
		name, err := os.ReadFile(filepath.Join(dir, entry.Name(), "comm"))
		if err != nil {
			continue
		}
		switch strings.TrimSpace(string(name)) {
		case "cron", "crond", "fcron", "dcron", "vixie-cron":
			return true
		}
	}
	return false
}

// hidden returns true if a PID file contains the ID of a running daemon that is not visible in
// /proc. Some systems hide other users' processes.
func hidden(path string) bool {
	text, err := os.ReadFile(path)
	if err != nil {
		return false
	}
	number, err := strconv.Atoi(strings.TrimSpace(string(text)))
	if err != nil || number <= 0 {
		return false
	}
	if _, err := os.ReadFile(filepath.Join("/proc", strconv.Itoa(number), "comm")); err == nil {
		return false // the process is visible, but daemonIn did not recognize it as a cron daemon
	}
	process, err := os.FindProcess(number)
	if err != nil {
		return false
	}
	err = process.Signal(syscall.Signal(0))
	return err == nil || errors.Is(err, os.ErrPermission)
}
