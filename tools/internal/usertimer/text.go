package usertimer

import (
	"fmt"
	"strings"
)

// Timer starts an instance of the service at certain times. The instance has the timer's name.
type Timer struct {
	Name  string   // letters, digits and hyphens
	Times []string // in the format of systemd's OnCalendar=
	Begin bool     // if true, the timer also fires one minute after the user's systemd starts
}

// Service is the service that the timers start.
type Service struct {
	Prefix  string   // prefix of all unit names
	About   string   // one-line description for systemctl status
	Program string   // absolute path
	Args    []string // the arguments before the timer's name
	Env     []string // variables, as NAME=value
}

// mark is the first line of each unit that this package writes.
const mark = "# Marvin writes and removes this unit. Changes are lost."

func (s Service) unit() string { return s.Prefix + "@.service" }

func (s Service) timer(name string) string { return s.Prefix + "-" + name + ".timer" }

// serviceText returns the text of the service's unit file. systemd replaces %i in the file with the
// timer's name.
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

// quoteWord quotes a word for a unit file.
func quoteWord(word string) (string, error) {
	if strings.ContainsFunc(word, func(r rune) bool { return r < ' ' || r == 0x7f || r == '�' }) {
		return "", fmt.Errorf("a unit cannot contain %q", word)
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%").Replace(word) + `"`, nil
}

// units returns the text of each unit file, by file name. Without timers, the map is empty.
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
