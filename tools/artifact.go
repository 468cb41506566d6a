package tools

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"marvin/persistence/artifacts"
)

// artifactScheme begins the address of an artifact: artifact:7.
const artifactScheme = "artifact:"

// ArtifactAddress is where an artifact is read.
func ArtifactAddress(number int) string { return artifactScheme + strconv.Itoa(number) }

// Shown are the directories of Marvin's own that a command of the call may read: where
// the artifacts of its conversation are, and of no other.
func (e Env) Shown() []string {
	if dir := e.Artifacts.Dir(); dir != "" {
		return []string{dir}
	}
	return nil
}

// spoolMemory is how much of an output is held in memory, in bytes. Shorter outputs reach the disk
// only on request.
const spoolMemory = 48 << 10

// Spool takes all that a call puts out, as it comes, beside what is shown of it: a short
// output in memory, a longer one as an artifact. It never fails. It is safe for concurrent
// use.
type Spool struct {
	artifacts *artifacts.Store
	about     artifacts.Artifact
	find      func() Secrets // on first use: most outputs are short

	mu      sync.Mutex
	secrets Secrets
	held    []byte // not written yet: the beginning, or the line that has no end yet
	writer  *artifacts.Writer
	err     error
	other   io.Writer // receives the rest of the output; see Divert
	whole   *kept     // what was written, once it is whole
}

// kept is an artifact that is whole, or why it is not.
type kept struct {
	artifact artifacts.Artifact
	err      error
}

// NewSpool begins a spool. It touches the disk only for a long output. Keys are removed from the
// stored text.
func (e Env) NewSpool(tool, title string) *Spool {
	return &Spool{
		artifacts: e.Artifacts, about: artifacts.Artifact{Tool: tool, Title: title},
		find: func() Secrets { return SecretsOf(e.Environ, e.Home) },
	}
}

func (s *Spool) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.other != nil {
		_, _ = s.other.Write(p) // what happens to the copy is nothing to the command
		return len(p), nil
	}
	if s.err != nil {
		return len(p), nil
	}
	if whole := bytes.LastIndexByte(p, '\n') + 1; s.writer != nil && len(s.held) == 0 && whole > 0 {
		s.put(p[:whole])
		s.held = append(s.held, p[whole:]...)
		return len(p), nil
	}
	s.held = append(s.held, p...)
	if s.writer != nil || len(s.held) > spoolMemory {
		s.spill()
	}
	return len(p), nil
}

// spill writes what is held, but for a line whose end may still come.
func (s *Spool) spill() {
	if s.writer == nil {
		if s.writer, s.err = s.artifacts.Begin(s.about); s.err != nil {
			s.held = nil
			return
		}
		s.secrets = s.find()
		defer func() { s.held = bytes.Clone(s.held) }() // it now refers to a line
	}
	whole := bytes.LastIndexByte(s.held, '\n') + 1
	if whole == 0 && len(s.held) > spoolMemory {
		whole = len(s.held) // no line is that long that has a key in it
	}
	s.put(s.held[:whole])
	s.held = append(s.held[:0], s.held[whole:]...)
}

func (s *Spool) put(text []byte) {
	if len(text) == 0 {
		return
	}
	if len(s.secrets) > 0 {
		text = []byte(s.secrets.Hide(string(text)))
	}
	_, _ = s.writer.Write(text) // its Close tells
}

// Keep makes an artifact of what came, however short, and ends the spool.
func (s *Spool) Keep() (artifacts.Artifact, error) { return s.keepAs("") }

// keepAs is Keep for content of another media type.
func (s *Spool) keepAs(media string) (artifacts.Artifact, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.err == nil {
		s.spill()
	}
	if s.err != nil {
		return artifacts.Artifact{}, s.err
	}
	s.err = errEnded
	return s.close(media)
}

// close writes the rest and ends what is written, once.
func (s *Spool) close(media string) (artifacts.Artifact, error) {
	if s.whole == nil {
		s.put(s.held)
		s.held, s.whole = nil, &kept{}
		if media != "" {
			s.whole.artifact, s.whole.err = s.writer.CloseAs(media)
		} else {
			s.whole.artifact, s.whole.err = s.writer.Close()
		}
	}
	return s.whole.artifact, s.whole.err
}

// Discard ends the spool without the rest. What is on disk stays.
func (s *Spool) Discard() {
	s.mu.Lock()
	spilled := s.writer != nil && s.err == nil
	s.mu.Unlock()
	if spilled {
		_, _ = s.Keep()
	}
}

// Divert ends the spool with all that came written elsewhere, where what still comes goes,
// too: not a byte is missing between the two, and none is there twice.
func (s *Spool) Divert(to io.Writer) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.other = to
	if s.writer != nil {
		kept, err := s.close("")
		if kept.Number > 0 {
			file, _, failed := s.artifacts.Open(kept.Number)
			if failed == nil {
				_, failed = io.Copy(to, file)
				_ = file.Close()
			}
			err = errors.Join(err, failed)
		}
		if lost := kept.Total - kept.Size; lost > 0 {
			_, _ = fmt.Fprintf(to, "[… %d bytes were not stored …]\n", lost)
		}
		if err != nil {
			return err
		}
	}
	_, err := to.Write(s.held)
	s.held, s.err = nil, errEnded
	return err
}

var errEnded = errors.New("the output was kept already")

// Elsewhere is [Elsewhere] for the output in the spool.
func (s *Spool) Elsewhere(kept artifacts.Artifact, line int64) string {
	return artifactNote(s.artifacts, kept, line)
}

// artifactNote says where the whole of a truncated output is, with the call that continues from a
// line, and the file for commands.
func artifactNote(artifacts *artifacts.Store, kept artifacts.Artifact, line int64) string {
	address := cmp.Or(kept.Name, ArtifactAddress(kept.Number))
	note := fmt.Sprintf("[all %d lines (%d bytes) are %s", kept.Lines, kept.Total, address)
	if kept.Size < kept.Total {
		note = fmt.Sprintf("[the first %d lines (%d of %d bytes) are %s", kept.Lines, kept.Size, kept.Total, address)
	}
	return note + fmt.Sprintf(": read_file {\"path\": %q, \"start_line\": %d} or code_grep {\"path\": %q, \"pattern\": …}; for commands it is %s; do not run it again for that]\n", address, max(line, 1), address, artifacts.Place(kept.Number))
}

// KeepWhole bounds a result, and keeps the whole of one that is too long as an artifact.
func (l Limits) KeepWhole(artifacts *artifacts.Store, about artifacts.Artifact, text string) string {
	short, cut := l.Cut(text)
	if !cut || artifacts == nil {
		return short
	}
	for limit, notice := range map[*int]int{&l.Bytes: 512, &l.Lines: 4, &l.Tokens: 150} { // what is said of the rest
		if *limit > 0 {
			*limit = max(*limit-notice, notice)
		}
	}
	short, _ = l.Cut(text)
	kept, err := artifacts.Put(about, []byte(text))
	if err != nil || kept.Number == 0 {
		return short
	}
	head, _, _ := strings.Cut(short, "\n[… ")
	return strings.TrimRight(short, "\n") + "\n" + artifactNote(artifacts, kept, int64(strings.Count(head, "\n")+1))
}
