package memory

import (
	"errors"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"marvin/persistence"
	"marvin/persistence/sessions"
)

// Forgotten is the result of [Store.Forget].
type Forgotten struct {
	Facts   []Fact   // the facts passed to [Store.Forget]
	Old     []Fact   // facts that were removed from the history
	Others  []Fact   // remaining facts about the same subject
	Left    []string // memory files that still contain one of the facts, or are unreadable
	Erasing Eraser   // an eraser for all facts in Facts and Old
}

// Forget permanently removes facts from the files, the history and the proposals. It also removes
// older facts about the same subject from the history.
func (s *Store) Forget(facts []Fact) (gone Forgotten, err error) {
	gone.Facts = facts
	for _, in := range filesOf(facts) {
		err = errors.Join(err, s.drop(in.path, in, func(fact Fact) bool {
			return containsFact(facts, fact)
		}))
	}
	history, problem := s.history()
	err = errors.Join(err, problem)
	for _, old := range history {
		if slices.ContainsFunc(facts, func(fact Fact) bool {
			return SameSubject(fact.Text, old.Text) || strings.EqualFold(withoutPunctuation(fact.Text), withoutPunctuation(old.Text))
		}) {
			gone.Old = append(gone.Old, old)
		}
	}
	gone.Erasing = NewEraser(slices.Concat(gone.Facts, gone.Old)...)
	for _, old := range history {
		if gone.Erasing.Matches(old.Text) && !containsFact(gone.Old, old) {
			gone.Old = append(gone.Old, old)
		}
	}
	for _, in := range filesOf(gone.Old) {
		err = errors.Join(err, s.drop(in.path, in, func(fact Fact) bool { return containsFact(gone.Old, fact) }))
	}
	err = errors.Join(err, Proposals{s}.drop(gone.Erasing.Matches))
	s.erases(func(erased []Eraser) []Eraser { return append(erased, gone.Erasing) })
	left, problem := s.All()
	for _, fact := range left {
		if gone.Erasing.Matches(fact.Text) {
			gone.Others = append(gone.Others, fact)
		}
	}
	gone.Left, err = s.filesWith(slices.Concat(gone.Facts, gone.Old)), errors.Join(err, problem)
	return gone, err
}

// erases applies the given function to s.erased, and registers the new erasers with
// [sessions.SetErase].
func (s *Store) erases(change func([]Eraser) []Eraser) {
	s.mu.Lock()
	s.erased = change(slices.Clone(s.erased))
	all := s.erased
	s.mu.Unlock()
	sessions.SetErase(s.home, func(text string) string {
		for _, words := range all {
			text = words.Text(text)
		}
		return text
	})
}

// containsFact compares texts and paths, because a fact that is read twice has two file pointers.
func containsFact(facts []Fact, fact Fact) bool {
	return slices.ContainsFunc(facts, func(one Fact) bool { return one.Text == fact.Text && one.in.path == fact.in.path })
}

func filesOf(facts []Fact) (files []*file) {
	for _, fact := range facts {
		if !slices.ContainsFunc(files, func(one *file) bool { return one.path == fact.in.path }) {
			files = append(files, fact.in)
		}
	}
	return files
}

// drop removes matching facts from a file. If only the heading remains, the file is removed.
func (s *Store) drop(path string, in *file, which func(Fact) bool) error {
	return persistence.ChangeText(s.home, path, func(text string) (string, error) {
		var kept strings.Builder
		facts, others := 0, ""
		for _, piece := range parse(in, text) {
			if piece.fact != nil && which(*piece.fact) {
				continue
			}
			if piece.fact != nil {
				facts++
			} else {
				others += piece.raw
			}
			kept.WriteString(piece.raw)
		}
		if facts == 0 && strings.TrimSpace(others) == strings.TrimSpace(in.heading()) {
			return "", nil
		}
		return kept.String(), nil
	})
}

// history returns the facts that are no longer valid.
func (s *Store) history() (facts []Fact, err error) {
	root := filepath.Join(s.Dir(), "history")
	err = filepath.WalkDir(root, func(path string, entry fs.DirEntry, problem error) error {
		if errors.Is(problem, fs.ErrNotExist) {
			return nil
		}
		if problem != nil || entry.IsDir() || !strings.HasSuffix(path, ".md") {
			return problem
		}
		more, problem := (&file{path: path}).withHeading().read()
		facts = append(facts, more...)
		return problem
	})
	return facts, err
}

// withHeading parses the first line of a history file and sets f.scope and f.of.
func (f *file) withHeading() *file {
	text, _ := persistence.ReadText(f.path)
	first, _, _ := strings.Cut(text, "\n")
	for _, scope := range []Scope{Profile, Repository} {
		if of, is := strings.CutPrefix(first, "# Facts about the "+string(scope)+" "); is {
			f.scope, f.of = scope, strings.TrimSpace(of)
		}
	}
	return f
}

// filesWith returns the memory files that still contain the text of a fact, and the unreadable
// memory files.
func (s *Store) filesWith(facts []Fact) (paths []string) {
	_ = filepath.WalkDir(s.Dir(), func(path string, entry fs.DirEntry, problem error) error {
		if problem != nil || entry.IsDir() {
			return nil //nolint:nilerr // skip a directory that cannot be listed
		}
		text, err := persistence.ReadText(path)
		text = strings.ToLower(text)
		if err != nil || slices.ContainsFunc(facts, func(fact Fact) bool { return strings.Contains(text, strings.ToLower(withoutPunctuation(fact.Text))) }) {
			paths = append(paths, path)
		}
		return nil
	})
	return paths
}
