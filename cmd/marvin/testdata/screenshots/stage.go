package main

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"marvin/providers/modeltest"
)

// The size of the terminal, in cells, where a scene says nothing else.
const (
	width  = 100
	height = 30
)

// patience is how long a text may take to appear on a busy machine.
const patience = 30 * time.Second

// scene is a session and the moment of it that is kept.
type scene struct {
	name  string
	title string                                         // what the picture shows, for those who cannot see it
	files map[string]string                              // of the project
	model func(request modeltest.Request) modeltest.Step // what the model says
	cols  int                                            // of the terminal; 0 is the usual width
	fresh bool                                           // no key and no provider are set
	rows  int                                            // of the terminal; 0 is the usual height, of which empty rows at the end are cut
	play  []step
	on    ground // of the terminal; dark if not said
}

// step is something that the person does, or waits for.
type step func(*person) error

// person sits at a terminal.
type person struct {
	socket, home string
	on           ground
	film         *film
}

// shoot performs the scene in a home directory of its own and returns the picture. If the scene
// takes frames of a film, shoot returns the film instead.
func (s scene) shoot(home, programs string) (picture string, err error) {
	project := filepath.Join(home, "garden")
	if err := os.MkdirAll(project, 0o755); err != nil {
		return "", err
	}
	for name, content := range s.files {
		if err := os.WriteFile(filepath.Join(project, name), []byte(content), 0o644); err != nil {
			return "", err
		}
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer listener.Close()
	go modeltest.Serve(listener, s.model)

	if s.on == (ground{}) {
		s.on = dark
	}
	p := &person{socket: filepath.Join(home, "s"), home: home, on: s.on, film: &film{}}
	profile := filepath.Join(home, "profile")
	if err := os.WriteFile(profile, []byte("PS1='\\[\\e[32m\\]$\\[\\e[0m\\] '\ncd "+project+"\n"), 0o600); err != nil {
		return "", err
	}
	defer func() {
		_, ended := p.tmux("kill-server")
		err = errors.Join(err, ended)
	}()
	provider := " LLM_PROVIDER=openai-compat OPENAI_COMPAT_MODEL=gpt-5.1 OPENAI_COMPAT_API_KEY=key OPENAI_COMPAT_URL=http://" + listener.Addr().String() + "/v1"
	if s.fresh {
		provider = ""
	} else if err := begun(home); err != nil {
		return "", err
	}
	if _, err := p.tmux("-f", "/dev/null", "start-server", ";", "set", "-g", "window-style", "fg="+s.on.text+",bg="+s.on.paper, ";", "new-session", "-d", "-x", fmt.Sprint(cmp.Or(s.cols, width)), "-y", fmt.Sprint(cmp.Or(s.rows, height)),
		"env -i TERM=xterm-256color COLORTERM=truecolor LANG=C.UTF-8 SHELL=/bin/bash HOME="+home+" PATH="+programs+":/usr/bin:/bin"+
			provider+
			" bash --noprofile --rcfile "+profile+" -i"); err != nil {
		return "", err
	}
	for _, step := range append([]step{sees("$")}, s.play...) {
		if err := step(p); err != nil {
			return "", err
		}
	}
	return p.picture(s)
}

// begun prepares the home directory of a person who has started Marvin before.
func begun(home string) error {
	dir := filepath.Join(home, ".config", "marvin")
	return errors.Join(os.MkdirAll(dir, 0o755), os.WriteFile(filepath.Join(dir, "config.yaml"), nil, 0o600))
}

func (p *person) tmux(args ...string) (string, error) {
	out, err := exec.Command("tmux", append([]string{"-S", p.socket}, args...)...).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("tmux %q: %w: %s", args, err, out)
	}
	return string(out), nil
}

// types writes a line and sends it.
func types(line string) step {
	return func(p *person) error {
		if _, err := p.tmux("send-keys", "-l", line); err != nil {
			return err
		}
		return press("Enter")(p)
	}
}

func press(keys ...string) step {
	return func(p *person) error {
		_, err := p.tmux(append([]string{"send-keys"}, keys...)...)
		return err
	}
}

// sees returns a step that waits until every text is on the screen.
func sees(texts ...string) step {
	return func(p *person) error {
		return p.until(fmt.Sprintf("all of %q", texts), func() (shown string, ok bool, err error) {
			shown, err = p.tmux("capture-pane", "-p")
			for _, text := range texts {
				if !strings.Contains(shown, text) {
					return shown, false, err
				}
			}
			return shown, true, err
		})
	}
}

// mayAnswer waits until keys answer the question on the screen, which is when the
// cursor stands before it.
func mayAnswer(p *person) error {
	return p.until("the cursor at a question", func() (shown string, ok bool, err error) {
		shown, err = p.tmux("display", "-p", "#{cursor_x}")
		return shown, strings.TrimSpace(shown) == "0", err
	})
}

func (p *person) until(what string, look func() (shown string, ok bool, err error)) error {
	shown := ""
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		var ok bool
		var err error
		if shown, ok, err = look(); ok || err != nil {
			return err
		}
	}
	return fmt.Errorf("never saw %s:\n%s", what, shown)
}

// Times are the one thing on the screen that is different at each run. They are shown
// as what they mostly are, in the same width.
var (
	instants = regexp.MustCompile(`([·,] )[0-9]\.[0-9]s`)
	seconds  = regexp.MustCompile(`([·,] )[0-9]s`)
)

// picture is what the terminal shows now, or what the film shows.
func (p *person) picture(s scene) (string, error) {
	if len(p.film.frames) > 0 {
		return p.film.svg(s.title, p.on), nil
	}
	screen, err := p.atRest()
	if err != nil {
		return "", err
	}
	if s.rows == 0 {
		screen.trim()
	}
	return screen.svg(s.title, p.on, cmp.Or(s.cols, width)), nil
}

// look returns the screen, with its cursor.
func (p *person) look() (*screen, error) {
	shown, err := p.tmux("capture-pane", "-e", "-p", "-N")
	if err != nil {
		return nil, err
	}
	cursor, err := p.tmux("display", "-p", "#{cursor_flag} #{cursor_x} #{cursor_y}")
	if err != nil {
		return nil, err
	}
	shown = strings.ReplaceAll(shown, p.home, "/home/kim")
	shown = seconds.ReplaceAllString(instants.ReplaceAllString(shown, "${1}0.1s"), "${1}3s")
	screen, err := readScreen(shown)
	if err != nil {
		return nil, err
	}
	var visible, x, y int
	if _, err := fmt.Sscan(cursor, &visible, &x, &y); err != nil {
		return nil, fmt.Errorf("where the cursor is: %q: %w", cursor, err)
	}
	if visible == 1 {
		screen.cursor(x, y)
	}
	return screen, nil
}
