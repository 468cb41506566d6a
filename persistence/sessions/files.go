package sessions

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"marvin/persistence/internal/store"
)

// onAllCores calls the given function for each number from 0 to count-1 and returns after the last
// call. Each core runs one call at a time.
func onAllCores(count int, do func(n int)) {
	var next atomic.Int64
	var all sync.WaitGroup
	for range min(count, runtime.GOMAXPROCS(0)) {
		all.Go(func() {
			for n := int(next.Add(1)) - 1; n < count; n = int(next.Add(1)) - 1 {
				do(n)
			}
		})
	}
	all.Wait()
}

// sessionFile is a file in a project's directory. It does not store the whole path, because the
// paths of ten thousand sessions would take 1 MB.
type sessionFile struct {
	dir, name string
	size      int64
}

func (f sessionFile) path() string { return filepath.Join(f.dir, f.name) }
func (f sessionFile) id() string   { return strings.TrimSuffix(f.name, ".jsonl") }

func (s Store) files() (files []sessionFile) {
	projects, err := os.ReadDir(s.dir)
	if err != nil {
		return nil // there are no sessions yet
	}
	found := make([][]sessionFile, len(projects))
	onAllCores(len(projects), func(n int) { // reading ten thousand sizes takes 48 ms on one core
		if projects[n].IsDir() {
			found[n] = s.filesOf(projects[n].Name())
		}
	})
	return slices.Concat(found...)
}

func (s Store) filesOf(project string) (files []sessionFile) {
	path := filepath.Join(s.dir, project)
	dir, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(-1)             // unsorted, because the caller sorts the list
	files = make([]sessionFile, 0, len(names)/2) // about half of the names are lock files
	for _, name := range names {
		if !strings.HasSuffix(name, ".jsonl") || strings.HasPrefix(name, ".") {
			continue
		}
		if size, ok := store.SizeIn(dir, name); ok {
			files = append(files, sessionFile{path, name, size})
		}
	}
	return files
}
