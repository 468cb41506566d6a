package language

import (
	"bytes"
	"context"
	"maps"
	"slices"
	"strings"
	"time"
)

// Files that contain a name. Some servers answer from the files they were shown until they have
// read the rest: right after the start, pyright and typescript-language-server did not find uses in
// other files, and a rename missed them. So they are shown those files first.

// Limits of the search for a name.
const (
	mostMentions  = 50 // files that are shown to a server; it is fewer than [mostOpen]
	longestSearch = 2 * time.Second
)

// mentions are files of the project that say a name, of the kinds that the server knows.
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

// acquaint shows the server the files that say a name, as they are now.
func acquaint(ctx context.Context, s *held, name string) error {
	for _, path := range mentions(ctx, s, name) {
		if err := show(s, path); err != nil {
			return err
		}
	}
	return nil
}

// show has the server know a file as it is on the disk now; one that is no text is passed over.
func show(s *held, path string) error {
	s.turn.Lock()
	defer s.turn.Unlock()
	content, err := s.ground.Read(path)
	if err != nil || !sendable(content) {
		return nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.put(path, string(content))
	return err
}
