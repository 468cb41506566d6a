package memory

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"marvin/persistence"
	"marvin/persistence/personal"
	"marvin/persistence/projects"
)

// Store manages the files of facts. It is safe for concurrent use, even by several processes.
type Store struct {
	home   *persistence.Home
	mu     sync.Mutex
	erased []Eraser // one for each call to Forget since the program started
}

// stores is the map of open stores by data directory. Every part of the program uses the same
// store, and therefore knows which facts were forgotten.
var stores sync.Map

// Open returns the same store for all homes with the same data directory. It does not touch the
// disk.
func Open(home *persistence.Home) *Store {
	if home.Data == "" {
		return &Store{home: home}
	}
	if store, opened := stores.Load(home.Data); opened {
		return store.(*Store)
	}
	store, _ := stores.LoadOrStore(home.Data, &Store{home: home})
	return store.(*Store)
}

// ErasersSince returns all erasers after the first n, and the total number of erasers. A
// conversation passes the number of erasers that it has applied, and applies the returned erasers
// to its messages.
func (s *Store) ErasersSince(n int) (fresh []Eraser, count int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.erased[min(n, len(s.erased)):]), len(s.erased)
}

// Dir returns the memory directory, or "" if there is no data directory.
func (s *Store) Dir() string {
	if s.home.Data == "" {
		return ""
	}
	return filepath.Join(s.home.Data, "memory")
}

// Location consists of a profile and a repository.
type Location struct {
	Profile string // name of the profile
	Dir     string // a directory of the repository; "" for none
}

type file struct {
	path  string
	scope Scope
	of    string
}

func (s *Store) fileOf(scope Scope, where Location) (*file, error) {
	dir := s.Dir()
	switch {
	case dir == "":
		return nil, persistence.ErrNoHome
	case scope == User:
		return &file{filepath.Join(dir, "user.md"), User, ""}, nil
	case scope == Profile:
		name, err := personal.ProfileName(where.Profile)
		return &file{filepath.Join(dir, "profiles", name+".md"), Profile, name}, err
	case scope == Repository && where.Dir == "":
		return nil, errors.New("no directory is set, so the fact cannot belong to a repository; start Marvin in the repository, or set \"scope\" to \"user\"")
	case scope == Repository:
		root := Root(where.Dir)
		sum := sha256.Sum256([]byte(root))
		return &file{filepath.Join(dir, "repositories", safeName(filepath.Base(root))+"-"+hex.EncodeToString(sum[:4])+".md"), Repository, root}, nil
	}
	return nil, fmt.Errorf("there is no scope %q; choose user, profile or repository", scope)
}

// Root returns the real path of the repository that contains a directory. Outside a repository, it
// returns the real path of the directory.
func Root(dir string) string {
	dir = projects.RealDir(dir)
	for at := dir; ; at = filepath.Dir(at) {
		if _, err := os.Lstat(filepath.Join(at, ".git")); err == nil {
			return at
		}
		if at == filepath.Dir(at) {
			return dir
		}
	}
}

func safeName(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r == '_' || r == '.' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '_'
	}, strings.TrimLeft(name, "."))
}

// heading returns the first line of a file. The heading of a repository's file contains the
// repository's path, by which Marvin recognizes the file.
func (f *file) heading() string {
	if f.of == "" {
		return "# Facts about the user\n\n"
	}
	return "# Facts about the " + string(f.scope) + " " + f.of + "\n\n"
}

// Facts returns the facts about the user, about the given profile, and about the repository that
// contains where.Dir.
func (s *Store) Facts(where Location) (facts []Fact, err error) {
	for _, scope := range []Scope{User, Profile, Repository} {
		if scope == Profile && where.Profile == "" || scope == Repository && where.Dir == "" {
			continue
		}
		file, problem := s.fileOf(scope, where)
		if errors.Is(problem, personal.ErrProfileName) {
			continue // there are no facts for an invalid profile name
		}
		if problem != nil {
			err = errors.Join(err, problem)
			continue
		}
		more, problem := file.read()
		if err = errors.Join(err, problem); facts == nil {
			facts = more // append would copy the slice
			continue
		}
		facts = append(facts, more...)
	}
	return facts, err
}

// All returns the facts of every file.
func (s *Store) All() (facts []Fact, err error) {
	files, err := s.files()
	for _, file := range files {
		more, problem := file.read()
		facts, err = append(facts, more...), errors.Join(err, problem)
	}
	return facts, err
}

func (s *Store) files() (files []*file, err error) {
	dir := s.Dir()
	if dir == "" {
		return nil, persistence.ErrNoHome
	}
	files = append(files, &file{filepath.Join(dir, "user.md"), User, ""})
	for _, scope := range []Scope{Profile, Repository} {
		folder := filepath.Join(dir, map[Scope]string{Profile: "profiles", Repository: "repositories"}[scope])
		entries, problem := os.ReadDir(folder)
		if problem != nil && !errors.Is(problem, fs.ErrNotExist) {
			err = errors.Join(err, problem)
		}
		for _, entry := range entries {
			name, isFacts := strings.CutSuffix(entry.Name(), ".md")
			if !isFacts || strings.HasPrefix(name, ".") {
				continue
			}
			one := &file{filepath.Join(folder, entry.Name()), scope, name}
			if text, _ := persistence.ReadText(one.path); scope == Repository {
				first, _, _ := strings.Cut(text, "\n")
				if path, named := strings.CutPrefix(first, "# Facts about the repository "); named {
					one.of = strings.TrimSpace(path)
				}
			}
			files = append(files, one)
		}
	}
	return files, err
}

func (f *file) read() (facts []Fact, err error) {
	text, err := persistence.ReadText(f.path)
	if err != nil {
		return nil, err
	}
	if strings.Contains(text, "\x00") {
		return nil, &persistence.DamagedError{Path: f.path, Err: errors.New("it is not text in UTF-8, so its facts are not used; convert it with iconv, or move it away")}
	}
	facts = make([]Fact, 0, strings.Count(text, "\n"))
	scan(text, func(raw string, isFact bool) {
		if isFact {
			facts = append(facts, f.parseFact(raw))
		}
	})
	return facts, nil
}

// SetIDs gives an id to each fact that has none, and returns the same slice. Computing the ids
// takes some time.
func (s *Store) SetIDs(facts []Fact) []Fact {
	for i := range facts {
		if facts[i].ID == "" {
			facts[i].ID = facts[i].in.name(&facts[i])
		}
	}
	return facts
}

// AddResult is what [Store.Add] returns.
type AddResult struct {
	Fact     Fact
	Known    bool   // the fact existed already
	Replaced []Fact // facts that the new fact contradicts; they are now in the history
}

// Check converts text to the form in which a fact is stored. It returns an error if the text cannot
// be stored, for example because it contains a secret.
func (s *Store) Check(text string) (string, error) {
	text, err := CleanText(text)
	if err != nil {
		return "", err
	}
	if why := secret(text); why != "" {
		return "", &SecretError{Why: why}
	}
	return text, nil
}

// SecretError reports that text was not stored because it contains a secret.
type SecretError struct{ Why string }

func (e *SecretError) Error() string {
	return "this contains " + e.Why + ", and Marvin never remembers secrets; keep them in a password manager"
}

// Add stores a fact. Facts that contradict the new fact, or whose id or text is in oldFacts, move
// to the history.
func (s *Store) Add(fact Fact, where Location, oldFacts ...string) (added AddResult, err error) {
	if fact.Text, err = s.Check(fact.Text); err != nil {
		return added, err
	}
	in, err := s.fileOf(fact.Scope, where)
	if err != nil {
		return added, err
	}
	fact.in, fact.Of, fact.Source = in, in.of, oneLine(fact.Source)
	fact.Date = cmp.Or(fact.Date, s.home.Now().Format("2006-01-02"))
	fact.ID = in.name(&fact)
	added.Fact = fact
	err = persistence.ChangeText(s.home, in.path, func(text string) (string, error) {
		added.Known, added.Replaced = false, nil
		var kept strings.Builder
		for _, piece := range parse(in, text) {
			switch before := piece.fact; {
			case before == nil:
			case strings.EqualFold(withoutPunctuation(before.Text), withoutPunctuation(fact.Text)):
				added.Known = true
			case SameSubject(before.Text, fact.Text) || slices.ContainsFunc(oldFacts, func(old string) bool {
				return old != "" && (old == in.name(before) || strings.EqualFold(withoutPunctuation(old), withoutPunctuation(before.Text)))
			}):
				added.Replaced = append(added.Replaced, *before)
				continue
			}
			kept.WriteString(piece.raw)
		}
		if added.Known && len(added.Replaced) == 0 {
			return text, nil
		}
		if err := s.addToHistory(in, added.Replaced); err != nil {
			return "", err
		}
		if added.Known {
			return kept.String(), nil
		}
		return in.withFact(kept.String(), fact), nil
	})
	if err == nil {
		s.keepText(fact.Text)
	}
	return added, err
}

// keepText makes the existing erasers leave text unchanged.
func (s *Store) keepText(text string) {
	if _, count := s.ErasersSince(0); count > 0 {
		s.erases(func(erased []Eraser) []Eraser {
			for i := range erased {
				erased[i] = erased[i].sparing(text)
			}
			return erased
		})
	}
}

// withFact appends a fact to the text of a file.
func (f *file) withFact(text string, fact Fact) string {
	if strings.TrimSpace(text) == "" {
		text = f.heading()
	} else if !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + fact.Line()
}

func (s *Store) addToHistory(in *file, facts []Fact) error {
	if len(facts) == 0 {
		return nil
	}
	return persistence.ChangeText(s.home, s.historyOf(in), func(text string) (string, error) {
		for _, fact := range facts {
			fact.Source = strings.TrimPrefix(fact.Source+" · replaced "+s.home.Now().Format("2006-01-02"), " · ")
			text = in.withFact(text, fact)
		}
		return text, nil
	})
}

func (s *Store) historyOf(in *file) string {
	below, _ := filepath.Rel(s.Dir(), in.path)
	return filepath.Join(s.Dir(), "history", below)
}

// Edit changes the text of a fact. The old text goes to the history.
func (s *Store) Edit(id, text string) (added AddResult, err error) {
	if text, err = s.Check(text); err != nil {
		return added, err
	}
	facts, err := s.All()
	at := slices.IndexFunc(s.SetIDs(facts), func(fact Fact) bool { return fact.ID == id })
	if at < 0 {
		return added, errors.Join(fmt.Errorf("there is no fact %s; to list the facts, run marvin memory list", id), err)
	}
	fact := facts[at]
	in := fact.in
	fact.Text, fact.Date = text, s.home.Now().Format("2006-01-02")
	fact.ID = in.name(&fact)
	err = persistence.ChangeText(s.home, in.path, func(whole string) (string, error) {
		var kept strings.Builder
		for _, piece := range parse(in, whole) {
			if piece.fact == nil || in.name(piece.fact) != id {
				kept.WriteString(piece.raw)
				continue
			}
			added.Replaced = append(added.Replaced, *piece.fact)
			if len(added.Replaced) == 1 {
				kept.WriteString(fact.Line())
			}
		}
		return kept.String(), s.addToHistory(in, added.Replaced)
	})
	added.Fact = fact
	if err == nil {
		s.keepText(fact.Text)
	}
	return added, err
}

func oneLine(text string) string {
	text, _ = CleanText(text)
	return text
}
