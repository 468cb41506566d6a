package language

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// While a server such as pyright or typescript-language-server is still reading the project, it
// searches only files that are open. The functions below open the files that contain a name, so
// that a rename covers these files.

// Limits of the search for a name.
const (
	mostMentions  = 50 // the maximum number of files to open; must be less than [mostOpen]
	longestSearch = 2 * time.Second
)

// mentions returns the project files that contain a name and have a type that the server knows.
func mentions(ctx context.Context, s *held, name string) (paths []string) {
	ctx, stop := context.WithTimeout(ctx, longestSearch)
	defer stop()
	name, _, _ = strings.Cut(name, "#")
	for _, path := range slices.Sorted(maps.Keys(s.walk())) {
		if ctx.Err() != nil || len(paths) == mostMentions {
			break
		}
		if !s.server.matches(path) {
			continue
		}
		if content, err := s.ground.Read(path); err == nil && bytes.Contains(content, []byte(name)) {
			paths = append(paths, path)
		}
	}
	return paths
}

// acquaint sends the server the current content of the files that contain a name.
func acquaint(ctx context.Context, s *held, name string) error {
	for _, path := range mentions(ctx, s, name) {
		if err := s.show(path, false); err != nil {
			return err
		}
	}
	return nil
}
