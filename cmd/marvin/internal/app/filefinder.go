package app

import (
	"context"
	"sync"
	"time"

	"marvin/cmd/marvin/internal/cli"
	"marvin/tools"
	"marvin/tools/coding"
	pathindex "marvin/ui/paths"
)

// FileFinder completes paths that follow "@". It caches the paths, and refreshes an old cache.
type FileFinder struct {
	mutex sync.Mutex
	list  listing
	reads bool // a goroutine is refreshing the list
}

type listing struct {
	dir   string
	index *pathindex.Index
	made  time.Time
	took  time.Duration
}

// Limits of the finder.
const (
	listingAge    = 10 * time.Second
	listingLimit  = time.Minute
	MaxFoundTools = 50
)

func (l listing) old(now time.Time) bool { return now.Sub(l.made) > max(listingAge, 10*l.took) }

// Find returns the files below dir that match the typed word, the best match first. It must not run
// in the event loop, because it sometimes reads all directories below dir.
func (f *FileFinder) Find(world cli.World, dir, word string, recent []string) []string {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	if f.list.index == nil || f.list.dir != dir {
		f.list = filesBelow(world, dir, &pathindex.Index{})
	}
	found := f.list.index.Find(word, MaxFoundTools, recent)
	switch old := f.list.old(world.Now()); {
	case old && len(found) == 0: // a new file is not in the old list
		f.list = filesBelow(world, dir, f.list.index.EmptyLike())
		found = f.list.index.Find(word, MaxFoundTools, recent)
	case old && !f.reads:
		f.reads = true
		another := f.list.index.EmptyLike()
		go func() {
			list := filesBelow(world, dir, another)
			f.mutex.Lock()
			defer f.mutex.Unlock()
			if f.reads = false; f.list.dir == dir {
				f.list = list
			}
		}()
	}
	return found
}

func filesBelow(world cli.World, dir string, index *pathindex.Index) listing {
	ctx, cancel := context.WithTimeout(context.Background(), listingLimit)
	defer cancel()
	begun := world.Now()
	_ = coding.EachPath(ctx, dir, tools.Distrust(world.Environ, dir), index.Add)
	return listing{dir: dir, index: index, made: begun, took: world.Now().Sub(begun)}
}
