package cron

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"marvin/tools/internal/proc"
)

// Works says why lines in the crontab would never run: "" if they will.
func Works(environ []string) (why string) {
	if !Installed(environ) {
		return "cron is not installed"
	}
	if runtime.GOOS == "linux" && !daemonIn("/proc") && !exists("/run/crond.pid") {
		return "no cron daemon is running"
	}
	return "" // elsewhere the system starts it when there is a crontab
}

// Installed says whether there is a crontab at all.
func Installed(environ []string) bool {
	_, err := proc.Find("crontab", environ)
	return err == nil
}

// daemonIn searches a /proc for a cron. The names are those of Vixie's and Debian's,
// of cronie, dcron and busybox, of fcron and of cronie's forerunner.
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

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
