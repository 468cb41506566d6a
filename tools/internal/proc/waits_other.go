//go:build !linux

package proc

// doings are not known where there is no /proc: nothing is ever taken for waiting.
func (s *session) doings() []doing { return nil }
