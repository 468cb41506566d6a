package app

import (
	"sync"
)

// showings records, by hash, which project files this process has shown to the user.
type showings struct {
	mutex sync.Mutex
	of    map[string]bool
}

// ShownBefore adds the hash of a shown file to s, and reports whether s already contained the hash.
func (s *showings) ShownBefore(hash string) bool {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	if s.of[hash] {
		return true
	}
	if s.of == nil {
		s.of = map[string]bool{}
	}
	s.of[hash] = true
	return false
}
