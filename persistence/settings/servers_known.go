package settings

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"marvin/persistence/internal/store"
)

// ServerSummary is a cached summary of the data that Marvin stores about servers. Reading the full
// data for 160 tools would take 6 ms. The summary becomes invalid when the servers or their files
// change.
type ServerSummary struct {
	home *store.Home
	of   []byte
}

// Known creates the [ServerSummary] of the given servers. Of each server's file, it examines only
// the size and modification time.
func (s Servers) Known(servers map[string]Server) ServerSummary {
	h := s.home
	if h.State == "" {
		return ServerSummary{}
	}
	var of strings.Builder
	for _, name := range slices.Sorted(maps.Keys(servers)) {
		server := servers[name]
		fmt.Fprintf(&of, "%q %s %q %v", name, server.Hash(), server.Reads, server.Off)
		if info, err := os.Lstat(h.Path("mcp", name+".json")); err == nil {
			fmt.Fprintf(&of, " %d %d", info.Size(), info.ModTime().UnixNano())
		}
		of.WriteByte('\n')
	}
	return ServerSummary{home: h, of: []byte(of.String())}
}

// Read decodes the cached summary. It returns false if the cache is missing or out of date.
func (k ServerSummary) Read(into any) bool { return k.home != nil && k.memo().Read(k.of, into) }

// Keep writes a summary to the cache and ignores errors. The summary becomes invalid if the servers
// or their files have changed since the call to [Servers.Known].
func (k ServerSummary) Keep(known any) {
	if k.home == nil {
		return
	}
	if encoded, err := json.Marshal(known); err == nil {
		k.memo().Keep(k.of, encoded)
	}
}

// memo returns the cache file. No server name begins with a dot, so ".known" cannot collide with a
// server's file.
func (k ServerSummary) memo() store.Memo {
	return store.Memo{Home: k.home, Path: k.home.Path("mcp", ".known")}
}
