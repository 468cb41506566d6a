package language

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strings"

	"marvin/messages"
)

// The functions below report problems that a change causes in unchanged files.

// mostOthers is the maximum number of unchanged files that one call of Check rechecks.
const mostOthers = 5

// addOther adds the known problems of an unchanged file to r.Files. It also adds to r.Others
// the errors that are new since the last check.
func (r *Report) addOther(s *Session, path string) {
	list, known, _ := s.problems(path)
	if !known {
		return
	}
	r.Files = append(r.Files, messages.FileProblems{Path: s.local(path), Server: s.server.Name, Problems: list})
	for _, one := range list {
		if !s.before[keyOf(one)] && one.Severity == messages.SeverityError {
			r.Others = append(r.Others, one)
		}
	}
}

// suspects returns the files to check again after a change: those with new problems, and open files
// that may have problems. Files with more problems come first.
func (s *held) suspects(asked []string) (paths []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	weight := map[string]int{}
	for path, said := range s.loose {
		news := slices.ContainsFunc(s.converted(path, text{}, said), func(one messages.CodeProblem) bool { return !s.before[keyOf(one)] })
		if news {
			weight[path] = len(said)
		}
	}
	for path, doc := range s.documents {
		if doc.open && (s.asksExactly() || doc.known && len(doc.proven) > 0) {
			weight[path] = max(1, len(doc.proven))
		}
	}
	for _, path := range asked {
		delete(weight, path)
	}
	return slices.SortedFunc(maps.Keys(weight), func(a, b string) int {
		return cmp.Or(weight[b]-weight[a], strings.Compare(a, b))
	})
}

// confirm asks the server to check unchanged files after a change.
func (s *Session) confirm(ctx context.Context, paths []string) error {
	for _, path := range paths {
		if err := s.show(path, true); err != nil {
			return err
		}
	}
	_, err := s.settle(ctx, paths)
	return err
}

// show sends the server the content that a file has on disk. If recheck is true, the server checks
// the file again even if the content has not changed.
func (s *held) show(path string, recheck bool) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	content, err := s.ground.Read(path)
	if err != nil || !sendable(content) {
		return nil // the file is gone or cannot be sent
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if doc := s.documents[path]; recheck && doc != nil && doc.open && doc.text.whole == string(content) {
		return s.checkAgain(doc)
	}
	_, err = s.put(path, string(content))
	return err
}
