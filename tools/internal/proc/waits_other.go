//go:build !linux

package proc

// doings returns nil, because without /proc nothing is known about processes.
func (s *session) doings() []processState { return nil }
