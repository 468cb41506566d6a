package usertimer

import (
	"fmt"
	"strings"
)

// Timer starts the service at certain times. The name of the timer is the name of the service's
// instance.
type Timer struct {
	Name  string   // letters, digits and hyphens
	Times []string // in the format of OnCalendar=
	Begin bool     // also when the user's systemd has just started
}

// Service is the service that the timers start.
type Service struct {
	Prefix  string   // of the names of all units
	About   string   // one line for systemctl status
	Program string   // absolute
	Args    []string // before the name of the timer
	Env     []string // assignments
}

// mark is the first line of each unit that this package writes.
const mark = "# Marvin writes and removes this unit. Changes are lost."

func (s Service) unit() string { return s.Prefix + "@.service" }

func (s Service) timer(name string) string { return s.Prefix + "-" + name + ".timer" }

// serviceText returns the service's unit file. In this file, %i stands for the name of the timer.
func (s Service) serviceText() (string, error) {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n[Unit]\nDescription=%s\n\n[Service]\nType=oneshot\n", mark, s.About)
	for _, assignment := range s.Env {
		word, err := quoteWord(assignment)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&out, "Environment=%s\n", word)
	}
	program, err := quoteWord(s.Program)
	if err == nil && strings.Contains(s.Program, "$") {
		err = fmt.Errorf("a unit cannot contain the path %q", s.Program)
	}
	fmt.Fprintf(&out, "ExecStart=%s %s %%i\n", program, strings.Join(s.Args, " "))
	return out.String(), err
}

func (s Service) timerText(timer Timer) string {
	var out strings.Builder
	fmt.Fprintf(&out, "%s\n[Unit]\nDescription=%s (%s)\n\n[Timer]\nUnit=%s@%s.service\nAccuracySec=1s\n", mark, s.About, timer.Name, s.Prefix, timer.Name)
	for _, at := range timer.Times {
		fmt.Fprintf(&out, "OnCalendar=%s\n", at)
	}
	if timer.Begin {
		out.WriteString("OnStartupSec=1min\n")
	}
	return out.String() + "\n[Install]\nWantedBy=timers.target\n"
}

// quoteWord puts a word into quotes for systemd.
func quoteWord(word string) (string, error) {
	if strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f || r == '�' }) {
		return "", fmt.Errorf("a unit cannot contain %q", word)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(word) + `"`, nil
}

// units returns the text of each unit file for the timers, by the name of the file. Without timers
// there are no files.
func (s Service) units(timers []Timer) (map[string]string, error) {
	files := map[string]string{}
	for _, timer := range timers {
		files[s.timer(timer.Name)] = s.timerText(timer)
	}
	if len(timers) == 0 {
		return files, nil
	}
	text, err := s.serviceText()
	files[s.unit()] = text
	return files, err
}
