package language

import (
	"context"
	"errors"
	"time"

	"marvin/messages"
)

// quiet is how long a server must say nothing new before what it said counts as all.
const quiet = 150 * time.Millisecond

// aside is how much longer we wait, after a server answered about the changed files, for problems
// in other files, if it does not say when it is done.
const aside = 60 * time.Millisecond

// Report is what a server says of files that were just changed.
type Report struct {
	Problems []messages.CodeProblem // of the files themselves
	Others   []messages.CodeProblem // of files that were not changed, and that it did not say before
	// Files are all problems of each file that it looked at, and of those that are gone.
	Files []messages.FileProblems
	// Fresh says that nothing of other files was known before: what is in Others may be older.
	Fresh bool
	// Late says that the server did not say all in time.
	Late bool
}

// Check tells a server of changed files and returns what it says of them, at the latest
// when ctx ends.
func (s *Session) Check(ctx context.Context, files []File) (Report, error) {
	fresh := s.first()
	begun, _ := s.works.state()
	asked, err := s.update(files)
	if err != nil {
		return Report{}, s.failed(err)
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

// update has the server know the files, and what others changed. Nobody waits in here for the
// server, so that a question which it does not answer holds up no other.
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

// add records the known problems of a changed file. If the file changed again meanwhile, they are
// unknown.
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

// remember stores the present problems, so that the next change reports only new ones.
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

// tell gives the server all contents, and then each file once more if there are several: a
// version of the second kind was sent after all contents.
func (s *held) tell(files []File) (asked []string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	watched := map[string]int{}
	for _, file := range files {
		s.noted(file.Path)
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
	if err = errors.Join(err, s.watched(watched)); err != nil {
		return nil, err
	}
	for _, path := range asked {
		doc := s.documents[path]
		if len(asked) > 1 {
			err = errors.Join(err, s.again(doc))
		}
		err = errors.Join(err, s.conn.notify("textDocument/didSave", map[string]any{"textDocument": map[string]any{"uri": uriOf(path)}}))
	}
	return asked, err
}

// settle waits until the present content of each file was looked at and the server says
// nothing more. Late says that ctx ended first.
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

// listen waits until the server published what it knows of these files, and then nothing for
// as long as quiet says.
func (s *Session) listen(ctx context.Context, paths []string, calmed time.Duration) (late bool, err error) {
	quiet := time.NewTimer(calmed)
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
			quiet.Reset(calmed)
			calm = quiet.C
		}
		select {
		case <-news:
		case <-calm:
			return false, nil
		case <-s.conn.over:
			return false, s.failed(s.conn.failure())
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
