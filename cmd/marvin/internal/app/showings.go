package app

import (
	"sync"
)

// showings records which texts the user was shown in this process.
type showings struct {
	mutex sync.Mutex
	of    map[string]bool
}

// Again reports whether the text was shown before, and records it.
func (s *showings) Again(hash string) bool {
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
