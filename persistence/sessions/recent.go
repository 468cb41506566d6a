package sessions

import (
	"os"
	"path/filepath"

	"marvin/persistence/internal/store"
)

// RecentOf returns the sessions at the end of the index, at most so many, the most recently used
// first. It opens no other file: with ten thousand sessions a first page takes 2 ms, while
// [Store.List] takes 50. List finds what the index lacks or has wrong.
func RecentOf(s Store, most int) []Info {
	if s.dir == "" {
		return nil
	}
	file, size, err := store.OpenRegular(os.OpenFile, s.indexPath())
	if file == nil || err != nil {
		return nil
	}
	defer file.Close()
	known := map[string]Info{}
	var files []sessionFile
	_ = backwards(file, size, func(line []byte) (bool, error) {
		info, ok := decodeInfo(line)
		if _, later := known[info.ID]; !ok || later || !store.SingleElement(info.ID) {
			return true, nil
		}
		known[info.ID] = info
		file := sessionFile{dir: filepath.Join(s.dir, project(info.Dir)), name: info.ID + ".jsonl"}
		if there, err := os.Lstat(file.path()); err == nil && there.Mode().IsRegular() {
			file.size = there.Size()
			files = append(files, file)
		}
		return len(files) < most, nil
	}) // lines that cannot be read are as good as missing
	list, _, _ := s.told(files, known)
	return list
}
