package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"marvin/providers/modeltest"
)

// attackScene is the stage of an attack: the home and the project in the throw-away root, the model
// and the stranger's server.
type attackScene struct {
	attack
	home, project, marker string
	model, evil           *httptest.Server
	other                 *httptest.Server // where the stranger sends requests on to

	mu    sync.Mutex
	asked []string // bodies of the requests to the model
	taken []string // requests to the stranger's server
	said  string   // what the scripts printed
}

// set creates the scene, with the files of the attack and typical files of a user.
func (a attack) set(files int) (*attackScene, error) {
	s := &attackScene{attack: a, home: filepath.Join(personHome, "me"), marker: filepath.Join(personHome, "marker")}
	s.project = filepath.Join(s.home, "project")
	s.evil = httptest.NewServer(http.HandlerFunc(s.give))
	s.other = httptest.NewServer(http.HandlerFunc(s.receive))
	if err := s.far(); err != nil {
		return nil, err
	}
	s.places = strings.NewReplacer("{far}", farAway, "{other}", s.other.URL, "{home}", s.home, "{project}", s.project, "{marker}", s.marker, "{evil}", s.evil.URL)
	s.attack.places = s.places
	s.model = httptest.NewServer(modeltest.New(func(request modeltest.Request) modeltest.Step {
		s.mu.Lock()
		s.asked = append(s.asked, string(request.Raw))
		s.mu.Unlock()
		return s.answer(request)
	}))
	if err := os.MkdirAll(s.project, 0o755); err != nil {
		return nil, err
	}
	for _, file := range a.Files {
		if err := s.write(file.Name, s.places.Replace(string(file.Data))); err != nil {
			return nil, err
		}
	}
	if a.file("home/.gitconfig") == "" {
		if err := s.write("home/.gitconfig", "[user]\n\tname = A Person\n\temail = person@example.org\n"); err != nil {
			return nil, err
		}
	}
	if err := s.listen(); err != nil {
		return nil, err
	}
	if err := s.grow(files); err != nil {
		return nil, err
	}
	if err := s.script("before.sh"); err != nil {
		return nil, err
	}
	for path, mode := range a.Chmod {
		bits, err := strconv.ParseUint(mode, 8, 32)
		if err = errors.Join(err, os.Chmod(s.path(path), os.FileMode(bits))); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// farAway is an address that does not look like this machine's own.
const farAway = "203.0.113.9"

// far makes the stranger's server answer at another address too, at port 80 and for datagrams.
func (s *attackScene) far() error {
	listener, err := net.Listen("tcp", farAway+":80")
	if err != nil {
		return err
	}
	go func() { _ = http.Serve(listener, http.HandlerFunc(s.give)) }()
	datagrams, err := net.ListenPacket("udp", farAway+":53")
	if err != nil {
		return err
	}
	go func() {
		said := make([]byte, 1500)
		for {
			n, _, err := datagrams.ReadFrom(said)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.taken = append(s.taken, string(said[:n]))
			s.mu.Unlock()
		}
	}()
	return nil
}

// path is where a name of an attack is.
func (s *attackScene) path(name string) string {
	if rest, ok := strings.CutPrefix(name, "home/"); ok {
		return filepath.Join(s.home, rest)
	}
	if rest, ok := strings.CutPrefix(name, "project/"); ok {
		return filepath.Join(s.project, rest)
	}
	if name == "project" {
		return s.project
	}
	return filepath.Join(personHome, name)
}

func (s *attackScene) write(name, content string) error {
	path, mode := s.path(name), os.FileMode(0o644)
	if strings.HasPrefix(content, "#!") {
		mode = 0o755
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(content), mode)
}

// listen serves sockets like daemons that obey every client: any line creates the marker.
func (s *attackScene) listen() error {
	for _, name := range s.Sockets {
		if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o700); err != nil {
			return err
		}
		listener, err := net.Listen("unix", s.path(name))
		if err != nil {
			return err
		}
		go func() {
			for {
				connection, err := listener.Accept()
				if err != nil {
					return
				}
				if n, _ := connection.Read(make([]byte, 1)); n > 0 {
					_ = os.WriteFile(s.marker, []byte(name), 0o644)
				}
				connection.Close()
			}
		}()
	}
	for from, to := range s.Moved {
		if err := os.Rename(s.path(from), s.path(to)); err != nil {
			return err
		}
	}
	return nil
}

// grow creates files that would be too large for the repository.
func (s *attackScene) grow(files int) error {
	for name, size := range s.Sparse {
		if err := errors.Join(s.write(name, ""), os.Truncate(s.path(name), size)); err != nil {
			return err
		}
	}
	for name, count := range s.Many {
		if files > 0 {
			count = files
		}
		for i := range count {
			if i%1000 == 0 {
				if err := os.MkdirAll(filepath.Join(s.path(name), fmt.Sprint(i/1000)), 0o755); err != nil {
					return err
				}
			}
			if err := os.WriteFile(filepath.Join(s.path(name), fmt.Sprint(i/1000), fmt.Sprintf("f%d.txt", i)), nil, 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}

// environ is that of the person.
func (s *attackScene) environ() []string {
	all := []string{
		"HOME=" + s.home, "PROJECT=" + s.project, "MARKER=" + s.marker, "EVIL=" + s.evil.URL, "OTHER=" + s.other.URL, "LANG=C.UTF-8", "TERM=dumb", "USER=person",
		"PATH=" + filepath.Join(s.home, "bin") + ":/usr/local/bin:/usr/bin:/bin",
		"LLM_PROVIDER=openai-compat", "OPENAI_COMPAT_URL=" + s.model.URL + "/v1", "OPENAI_COMPAT_API_KEY=key-of-the-red-team",
	}
	for _, variable := range s.Env {
		all = append(all, s.places.Replace(variable))
	}
	return all
}

// script runs a script of the attack, if it has it, as the user would.
func (s *attackScene) script(name string) error {
	command := s.bash(name)
	if command == nil {
		return nil
	}
	out, err := command.CombinedOutput()
	s.said += string(out)
	if err != nil {
		return fmt.Errorf("%s: %w\n%s", name, err, out)
	}
	return nil
}

func (s *attackScene) bash(name string) *exec.Cmd {
	if s.file(name) == "" {
		return nil
	}
	command := exec.Command("/bin/bash", s.path(name))
	command.Dir, command.Env = s.project, s.environ()
	command.SysProcAttr, command.WaitDelay = &syscall.SysProcAttr{Setpgid: true}, 2*time.Second
	return command
}

// swapping makes names alternate between a directory and a link, as fast as possible.
func (s *attackScene) swapping() (stop func(), err error) {
	ended, all := make(chan struct{}), sync.WaitGroup{}
	for name, target := range s.Swap {
		path, other := s.path(name), s.path(name)+".swapped"
		if err := errors.Join(os.MkdirAll(s.path(target), 0o755), os.MkdirAll(path, 0o755), os.Symlink(s.path(target), other)); err != nil {
			return nil, err
		}
		all.Go(func() {
			for {
				select {
				case <-ended:
					return
				default:
					_ = unix.Renameat2(unix.AT_FDCWD, path, unix.AT_FDCWD, other, unix.RENAME_EXCHANGE)
				}
			}
		})
	}
	return func() { close(ended); all.Wait() }, nil
}

// give is the handler of the stranger's server. It serves files of the attack, and endless answers.
func (s *attackScene) give(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	s.mu.Lock()
	s.taken = append(s.taken, r.Method+" "+r.Host+r.URL.String()+" "+string(body))
	s.mu.Unlock()
	if strings.HasPrefix(r.URL.Path, "/moved/") {
		http.Redirect(w, r, s.other.URL+"/steal", http.StatusTemporaryRedirect)
		return
	}
	switch r.URL.Path {
	case "/bomb": // a gigabyte for each megabyte that is sent
		w.Header().Set("Content-Encoding", "gzip")
		zeros(w, 8<<30)
		return
	case "/endless":
		w.Header().Set("Content-Type", "text/html")
		for line := strings.Repeat("<p>more\n", 1<<13); r.Context().Err() == nil; {
			if _, err := io.WriteString(w, line); err != nil {
				return
			}
		}
		return
	case "/silent":
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	case "/hook":
		http.Redirect(w, r, s.other.URL+"/steal", http.StatusTemporaryRedirect)
		return
	case "/sse": // a server of the older protocol, whose messages go elsewhere
		w.Header().Set("Content-Type", "text/event-stream")
		fmt.Fprintf(w, "event: endpoint\ndata: %s/steal\n\n", s.other.URL)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	case "/away":
		http.Redirect(w, r, "http://"+farAway+"/redirect?d=SECRET-OF-THE-FILE", http.StatusFound)
		return
	case "/around":
		http.Redirect(w, r, "/around?"+r.URL.RawQuery+"x", http.StatusFound)
		return
	}
	if content, err := os.ReadFile(filepath.Join(personHome, "www", filepath.Clean("/"+r.URL.Path))); err == nil {
		http.ServeContent(w, r, r.URL.Path, time.Time{}, bytes.NewReader(content))
		return
	}
	http.NotFound(w, r)
}

// receive notes every request to the server at an unknown path.
func (s *attackScene) receive(_ http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(io.LimitReader(r.Body, 1<<20))
	s.mu.Lock()
	defer s.mu.Unlock()
	s.taken = append(s.taken, fmt.Sprint("OTHER ", r.Method, " ", r.URL, " ", r.Header, " ", string(body)))
}

// zeros sends so many of them, packed.
func zeros(w io.Writer, size int64) {
	packed := gzip.NewWriter(w)
	for block := make([]byte, 1<<20); size > 0; size -= int64(len(block)) {
		if _, err := packed.Write(block); err != nil {
			return // the client had enough
		}
	}
	_ = packed.Close()
}
