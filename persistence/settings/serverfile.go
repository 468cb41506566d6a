package settings

import (
	"fmt"
	"path/filepath"

	"marvin/persistence/internal/store"
)

// File returns the data stored about a server: the capabilities that the server announced, and
// those that the user approved. The caller defines the format. The data is nil if nothing is
// stored.
func (s Servers) File(name string) ([]byte, error) {
	if !serverName().MatchString(name) {
		return nil, fmt.Errorf("%q is not the name of a server", name)
	}
	return store.ReadWritten(s.home.Path("mcp", name+".json"), store.DocumentLimit)
}

// KeepFile replaces the data that [Servers.File] returns.
func (s Servers) KeepFile(name string, data []byte) error {
	if !serverName().MatchString(name) {
		return fmt.Errorf("%q is not the name of a server", name)
	}
	return s.home.Write(s.home.Path("mcp", name+".json"), data, store.Durable)
}

// ForgetFile removes the data that [Servers.File] returns.
func (s Servers) ForgetFile(name string) error {
	if s.home.State == "" || !serverName().MatchString(name) {
		return nil
	}
	return store.RemoveIfThere(s.home.Path("mcp", name+".json"))
}

// Dir returns a server's private directory, or "" if there is no home directory. A server
// runs in its private directory if the conversation has no working directory.
func (s Servers) Dir(name string) string {
	if s.home.User == "" {
		return ""
	}
	return filepath.Join(s.home.User, ".cache", "marvin-mcp", name)
}
