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

// artifactScheme is the prefix of an artifact's address, such as artifact:7.
const artifactScheme = "artifact:"

// ArtifactAddress returns the address under which tools read an artifact.
func ArtifactAddress(number int) string { return artifactScheme + strconv.Itoa(number) }

// ReadableDirs returns Marvin's own directories that commands are allowed to read. The only such
// directory contains the conversation's artifacts.
func (e Env) ReadableDirs() []string {
	if dir := e.Artifacts.Dir(); dir != "" {
		return []string{dir}
	}
	return nil
}

// spoolMemory is the number of output bytes held in memory. Shorter outputs are written to disk
// only on request.
const spoolMemory = 48 << 10

// Spool collects the complete output of a running call. It keeps a short output in memory and
// writes a longer one to an artifact. Write never fails. A Spool is safe for concurrent use.
type Spool struct {
	artifacts *artifacts.Store
	about     artifacts.Artifact
	find      func() Secrets // called only when needed, because most outputs are short

	mu      sync.Mutex
	secrets Secrets
	held    []byte // bytes not yet written: at first the whole output, later only an unfinished line
	writer  *artifacts.Writer
	err     error
	other   io.Writer         // receives the rest of the output; see Divert
	whole   *finishedArtifact // nil until the artifact is finished
}

// finishedArtifact is the result of storing an output: an artifact or an error.
type finishedArtifact struct {
	artifact artifacts.Artifact
	err      error
}

// NewSpool returns an empty Spool. The Spool removes secret keys from the text that it stores.
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
		_, _ = s.other.Write(p) // a failure to copy does not affect the command
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

// spill writes the complete lines of s.held to the artifact.
func (s *Spool) spill() {
	if s.writer == nil {
		if s.writer, s.err = s.artifacts.Begin(s.about); s.err != nil {
			s.held = nil
			return
		}
		s.secrets = s.find()
		defer func() { s.held = bytes.Clone(s.held) }() // to release the large buffer
	}
	whole := bytes.LastIndexByte(s.held, '\n') + 1
	if whole == 0 && len(s.held) > spoolMemory {
		whole = len(s.held) // a line that contains a secret key is never this long
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
	_, _ = s.writer.Write(text) // Close returns the error later
}

// Keep stores the output as an artifact, even if the output is short, and ends the spool.
func (s *Spool) Keep() (artifacts.Artifact, error) { return s.keepAs("") }

// keepAs is like [Spool.Keep]. If media is not "", keepAs also sets the artifact's media type.
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

// close writes the remaining bytes and closes the artifact. Further calls return the same result.
func (s *Spool) close(media string) (artifacts.Artifact, error) {
	if s.whole == nil {
		s.put(s.held)
		s.held, s.whole = nil, &finishedArtifact{}
		if media != "" {
			s.whole.artifact, s.whole.err = s.writer.CloseAs(media)
		} else {
			s.whole.artifact, s.whole.err = s.writer.Close()
		}
	}
	return s.whole.artifact, s.whole.err
}

// Discard ends the spool. It stores the output only if the output is already partly on disk.
func (s *Spool) Discard() {
	s.mu.Lock()
	spilled := s.writer != nil && s.err == nil
	s.mu.Unlock()
	if spilled {
		_, _ = s.Keep()
	}
}

// Divert ends the spool and copies the collected output to the given writer. All further output
// goes only to this writer. A note replaces bytes that were not stored.
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

var errEnded = errors.New("the output has been stored already")

// OutputNote returns a note for the model about the stored output. In the note, the call of
// read_file starts at the given line.
func (s *Spool) OutputNote(kept artifacts.Artifact, line int64) string {
	return artifactNote(s.artifacts, kept, line)
}

// artifactNote returns a note that tells the model how to read a stored output. The note suggests a
// call of read_file that reads from the given line on.
func artifactNote(artifacts *artifacts.Store, kept artifacts.Artifact, line int64) string {
	address := cmp.Or(kept.Name, ArtifactAddress(kept.Number))
	note := fmt.Sprintf("[all %d lines (%d bytes) are stored as %s", kept.Lines, kept.Total, address)
	if kept.Size < kept.Total {
		note = fmt.Sprintf("[the first %d lines (%d of %d bytes) are stored as %s", kept.Lines, kept.Size, kept.Total, address)
	}
	return note + fmt.Sprintf(": read_file {\"path\": %q, \"start_line\": %d} or code_grep {\"path\": %q, \"pattern\": …}; in commands, use the path %s; do not run the command again to see the output]\n", address, max(line, 1), address, artifacts.Place(kept.Number))
}

// KeepWhole cuts a result that exceeds the limits. The full result is stored as an artifact.
func (l Limits) KeepWhole(artifacts *artifacts.Store, about artifacts.Artifact, text string) string {
	short, cut := l.Cut(text)
	if !cut || artifacts == nil {
		return short
	}
	for limit, notice := range map[*int]int{&l.Bytes: 512, &l.Lines: 4, &l.Tokens: 150} { // room for the note about the omitted part
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
