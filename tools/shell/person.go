package shell

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
)

// UserShell is the user's shell in a conversation. Each line runs in its own process, with the
// working directory and the variables of the previous line. The zero value is ready to use.
type UserShell struct {
	mutex sync.Mutex
	base  string // the conversation's directory when the previous line ran
	dir   string
	set   map[string]string // values of added and changed variables
	unset []string          // names of removed variables
}

// Run executes a line as [RunOwn] does, but keeps the directory and the variables from earlier
// lines. The line starts in dir if dir has changed since the previous call, or if the shell's
// directory no longer exists.
func (p *UserShell) Run(ctx context.Context, line, dir string, environ []string, w io.Writer) (string, error) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if info, err := os.Stat(p.dir); p.base != dir || err != nil || !info.IsDir() {
		p.base, p.dir = dir, dir
	}
	notes, err := os.MkdirTemp("", "marvin-shell-")
	if err != nil {
		return RunOwn(ctx, line, p.dir, p.environ(environ), w) // the shell keeps its old state
	}
	defer os.RemoveAll(notes)
	from := p.dir
	output, err := RunOwn(ctx, recordingCode(notes)+line, p.dir, p.environ(environ), w)
	p.learn(notes)
	if p.dir != from {
		now := fmt.Sprintf("[the shell is now in %s; to move Marvin there, type /cd and that path]\n", p.dir)
		output += now
		(&liveOutput{to: w}).say(now)
	}
	return output, err
}

// recordingCode returns shell code that records the variables before a command line, and the
// variables and directory after it. If the shell ends abnormally, the final state is not recorded.
func recordingCode(notes string) string {
	quoted := "'" + strings.ReplaceAll(notes, "'", `'\''`) + "'"
	return "env -0 >" + quoted + "/before 2>/dev/null\n" +
		"trap 'marvin_code=$?; env -0 >\"$marvin_notes/after\" 2>/dev/null; pwd >\"$marvin_notes/dir\"; exit $marvin_code' EXIT\n" +
		"marvin_notes=" + quoted + "\n"
}

// learn applies the recorded directory and the changed variables to p.
func (p *UserShell) learn(notes string) {
	if data, err := os.ReadFile(filepath.Join(notes, "dir")); err == nil {
		if dir := strings.TrimSuffix(string(data), "\n"); filepath.IsAbs(dir) {
			p.dir = dir
		}
	}
	before, err := variables(filepath.Join(notes, "before"))
	if err != nil {
		return
	}
	after, err := variables(filepath.Join(notes, "after"))
	if err != nil || len(after) == 0 {
		return
	}
	if p.set == nil {
		p.set = map[string]string{}
	}
	for name, value := range after {
		if old, had := before[name]; !had || old != value {
			p.set[name] = value
			p.unset = slices.DeleteFunc(p.unset, func(one string) bool { return one == name })
		}
	}
	for name := range before {
		if _, has := after[name]; !has {
			delete(p.set, name)
			p.unset = append(p.unset, name)
		}
	}
}

// variables returns the variables from a file that contains the output of "env -0". It omits the
// variables that every shell sets.
func variables(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	all := map[string]string{}
	for pair := range strings.SplitSeq(string(data), "\x00") {
		name, value, ok := strings.Cut(pair, "=")
		if ok && name != "_" && name != "PWD" && name != "OLDPWD" && name != "SHLVL" {
			all[name] = value
		}
	}
	return all, err
}

// environ returns the environment for the next line.
func (p *UserShell) environ(environ []string) []string {
	next := slices.DeleteFunc(slices.Clone(environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		_, set := p.set[name]
		return set || slices.Contains(p.unset, name)
	})
	for name, value := range p.set {
		next = append(next, name+"="+value)
	}
	return next
}
