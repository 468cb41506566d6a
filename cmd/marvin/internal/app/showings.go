package app

import (
	"sync"
)

// showings remembers what a person was shown in this process.
type showings struct {
	mutex sync.Mutex
	of    map[string]bool
}

// Again says whether it was shown before, and notes that it is now.
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
