package settings

import (
	"errors"
	"fmt"
	"path/filepath"

	"marvin/persistence/internal/store"
)

// File is what is kept of a server: what it said it can do, and what of that a person
// approved. The form is the business of who asks; nothing is nil.
func (s Servers) File(name string) ([]byte, error) {
	if !serverName().MatchString(name) {
		return nil, fmt.Errorf("%q is not the name of a server", name)
	}
	return store.ReadWritten(s.home.Path("mcp", name+".json"), store.DocumentLimit)
}

// KeepFile replaces it.
func (s Servers) KeepFile(name string, data []byte) (err error) {
	if s.home.State == "" {
		return store.ErrNoHome
	}
	if !serverName().MatchString(name) {
		return fmt.Errorf("%q is not the name of a server", name)
	}
	path, unlock, err := s.home.LockFile(s.home.Path("mcp", name+".json"), store.LockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return store.Replace(path, data, store.Durable)
}

// ForgetFile removes what is kept of a server.
func (s Servers) ForgetFile(name string) error {
	if s.home.State == "" || !serverName().MatchString(name) {
		return nil
	}
	return store.RemoveIfThere(s.home.Path("mcp", name+".json"))
}

// Dir is the directory of a server's own, in which it works where a conversation has
// none; "" without a home directory.
func (s Servers) Dir(name string) string {
	if s.home.User == "" {
		return ""
	}
	return filepath.Join(s.home.User, ".cache", "marvin-mcp", name)
}
