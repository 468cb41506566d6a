package language

import (
	"context"
	"errors"
	"time"

	"marvin/messages"
)

// quiet is the duration of silence after which a server's report counts as complete.
const quiet = 150 * time.Millisecond

// othersWait is how long a server without new tasks must be silent before hearOthers returns.
const othersWait = 60 * time.Millisecond

// Report is a server's report about files that have just changed.
type Report struct {
	Problems []messages.CodeProblem // the problems in the changed files
	Others   []messages.CodeProblem // previously unknown errors in unchanged files
	// Files contains all problems in each checked file, and an empty list for each removed file.
	Files []messages.FileProblems
	// Fresh is true in the first report of a session. In such a report, Others can contain problems
	// that are older than the change.
	Fresh bool
	// Late means that the server did not report everything in time.
	Late bool
}

// Check sends the changed files to the server and returns the server's report. If ctx ends before
// the report is complete, Late is set in the report.
func (s *Session) Check(ctx context.Context, files []File) (Report, error) {
	fresh := s.first()
	begun, _ := s.works.state()
	asked, err := s.update(files)
	if err != nil {
		return Report{}, s.explainFailure(err)
	}
	late, err := s.settle(ctx, asked)
	if err != nil {
		return Report{}, err
	}
	report := Report{Late: late, Fresh: fresh}
	for _, file := range files {
		if file.Content == nil {
			report.Files = append(report.Files, messages.FileProblems{Path: s.local(file.Path), Problems: []messages.CodeProblem{}})
		}
	}
	for _, path := range asked {
		report.add(s, path)
	}
	if s.asksExactly() && !late {
		if err := hearOthers(ctx, s, begun); err != nil {
			return Report{}, err
		}
	}
	if broken := s.suspects(asked); len(broken) > 0 && !late {
		broken = broken[:min(len(broken), mostOthers)]
		if err := s.confirm(ctx, broken); err == nil {
			for _, path := range broken {
				report.addOther(s, path)
			}
		}
	}
	s.remember()
	return report, nil
}

// update tells the server about the given files, and about changes that other programs made. It
// does not wait for replies, so an unanswered request does not block later ones.
func (s *held) update(files []File) (asked []string, err error) {
	s.turn.Lock()
	defer s.turn.Unlock()
	given := map[string]bool{}
	for _, file := range files {
		given[file.Path] = true
	}
	if err := s.refresh(given); err != nil {
		return nil, err
	}
	return s.tell(files)
}

// add appends the known problems in a changed file to the report. If the file has changed again,
// add appends nothing and sets r.Late.
func (r *Report) add(s *Session, path string) {
	list, known, moved := s.problems(path)
	r.Late = r.Late || moved
	if known {
		r.Problems = append(r.Problems, list...)
		r.Files = append(r.Files, messages.FileProblems{Path: s.local(path), Server: s.server.Name, Problems: list})
	}
}

func keyOf(one messages.CodeProblem) string { return one.Path + "\x00" + one.Text }

func (s *held) first() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.checks == 0
}

// remember declares the current problems to be known, so that the next report contains only new
// ones.
func (s *held) remember() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.checks++
	s.before = map[string]bool{}
	for path, doc := range s.documents {
		if doc.open && doc.known {
			for _, one := range s.converted(path, doc.text, doc.proven) {
				s.before[keyOf(one)] = true
			}
		}
	}
	for path, said := range s.loose {
		for _, one := range s.converted(path, text{}, said) {
			s.before[keyOf(one)] = true
		}
	}
}

// tell sends the given files to the server. If it sends more than one file, the server checks each
// file again, so that the reports take all the changes into account.
func (s *held) tell(files []File) (asked []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	watched := map[string]int{}
	for _, file := range files {
		s.recordWrite(file.Path)
		if file.Content == nil || !sendable(file.Content) {
			watched[file.Path] = fileGone
			err = errors.Join(err, s.drop(file.Path))
			continue
		}
		watched[file.Path] = fileChanged
		if s.documents[file.Path] == nil {
			watched[file.Path] = fileMade
		}
		if !s.server.matches(file.Path) {
			continue
		}
		_, put := s.put(file.Path, string(file.Content))
		err = errors.Join(err, put)
		asked = append(asked, file.Path)
	}
	if err = errors.Join(err, s.notifyChanges(watched)); err != nil {
		return nil, err
	}
	for _, path := range asked {
		doc := s.documents[path]
		if len(asked) > 1 {
			err = errors.Join(err, s.checkAgain(doc))
		}
		err = errors.Join(err, s.conn.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}}))
	}
	return asked, err
}

// settle waits until the server has diagnosed the current content of each file. If ctx ends first,
// late is true.
func (s *Session) settle(ctx context.Context, paths []string) (late bool, err error) {
	if s.asksExactly() {
		for _, path := range paths {
			if err := s.pull(ctx, path); err != nil {
				return ctx.Err() != nil, ignoreEnd(ctx, err)
			}
		}
		return false, nil
	}
	return s.listen(ctx, paths, quiet)
}

// listen waits until the server has published diagnostics for all paths and has then been silent
// for the given time. If ctx ends first, late is true.
func (s *Session) listen(ctx context.Context, paths []string, silence time.Duration) (late bool, err error) {
	quiet := time.NewTimer(silence)
	defer quiet.Stop()
	for {
		s.mu.Lock()
		news, whole := s.news, true
		for _, path := range paths {
			if doc := s.documents[path]; doc != nil && doc.open && !doc.known {
				whole = false
			}
		}
		s.mu.Unlock()
		var calm <-chan time.Time
		if whole {
			quiet.Reset(silence)
			calm = quiet.C
		}
		select {
		case <-news:
		case <-calm:
			return false, nil
		case <-s.conn.over:
			return false, s.explainFailure(s.conn.failure())
		case <-ctx.Done():
			return true, nil
		}
	}
}

func ignoreEnd(ctx context.Context, err error) error {
	if ctx.Err() != nil {
		return nil
	}
	return err
}
