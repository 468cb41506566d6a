package main

import (
	"context"
	"strings"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/coding"
	pathindex "marvin/ui/paths"
)

// fileFinder finds files by a part of their path, behind @. Nothing is read before somebody
// types that; then the paths are kept, and read again when they are old.
type fileFinder struct {
	mutex sync.Mutex
	dir   string
	index *pathindex.Index
	made  time.Time
	took  time.Duration
}

// Limits of the finder. A list of files is old after listingAge, or ten times what it took.
const (
	listingAge   = 10 * time.Second
	listingLimit = time.Minute
	mostFound    = 50
)

// find lists the files below dir that a word may mean, the best first. It waits for a
// listing, and for no other: who asks does so beside the loop of the screen.
func (f *fileFinder) find(world World, dir, word string, recent []string) []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	now := world.Now()
	if f.index == nil || f.dir != dir || now.Sub(f.made) > max(listingAge, 10*f.took) {
		ctx, cancel := context.WithTimeout(context.Background(), listingLimit)
		defer cancel()
		index := &pathindex.Index{}
		_ = coding.EachPath(ctx, dir, tools.Distrust(world.Environ, dir), index.Add) // what was not listed is not found
		f.dir, f.index, f.made, f.took = dir, index, now, world.Now().Sub(now)
	}
	return f.index.Find(word, mostFound, recent)
}

// files are the paths below the directory of a conversation that a word may mean.
func (f *fileFinder) files(p *parts, dir, word string) []string {
	if dir == "" {
		dir = p.world.Dir
	}
	if dir == p.world.Home || dir == "/" { // everything there is would be read
		return nil
	}
	return f.find(p.world, dir, word, mentioned(p))
}

// mentioned are the paths that were typed behind @ lately, the last one first.
func mentioned(p *parts) (list []string) {
	typed, _ := p.config.Home.Profile(p.profile).Inputs() // none are no recent ones
	for i := len(typed) - 1; i >= 0 && len(list) < mostFound; i-- {
		for word := range strings.FieldsSeq(typed[i]) {
			if path, ok := strings.CutPrefix(word, "@"); ok && path != "" {
				list = append(list, path)
			}
		}
	}
	return list
}
