package language

import (
	"context"
	"path/filepath"
	"slices"

	"marvin/tools"
)

// mostFiles limits how many changed files are sent to the servers.
const mostFiles = 500

// MergeChanges returns each changed file once, under its real path and with its content after all
// changes.
func MergeChanges(changes []tools.FileChange) (files []File) {
	at := map[string]int{}
	for _, change := range changes {
		path := filepath.Join(change.Dir, filepath.FromSlash(change.Name))
		if i, has := at[path]; has {
			files[i].Content = change.After
			continue
		}
		at[path] = len(files)
		files = append(files, File{Path: path, Content: change.After})
	}
	return files[:min(len(files), mostFiles)]
}

// Assignment is a server and the files that it should check. If no server for the files is
// installed, Wish.Program is empty.
type Assignment struct {
	Wish  Wish
	Files []File
}

// Parts returns the servers to ask, each with the files that it should check. Several servers may
// check the same file.
func (s *Set) Parts(files []File, on Ground) (parts []Assignment) {
	add := func(wish Wish, file File) {
		same := func(part Assignment) bool {
			return part.Wish.Program == wish.Program && (wish.Program == "" || part.Wish.Key() == wish.Key())
		}
		if i := slices.IndexFunc(parts, same); i >= 0 {
			parts[i].Files = append(parts[i].Files, file)
			return
		}
		parts = append(parts, Assignment{Wish: wish, Files: []File{file}})
	}
	for _, file := range files {
		if rest, err := filepath.Rel(on.Top, file.Path); err != nil || !filepath.IsLocal(rest) {
			continue
		}
		wishes, _ := s.ServersFor(file.Path, on)
		for _, wish := range wishes {
			add(wish, file)
		}
		if len(wishes) == 0 {
			add(Wish{}, file)
		}
	}
	return parts
}

// mostLooks is the maximum number of checks in one call to CheckLate. If a file changes during a
// check, CheckLate checks the files again.
const mostLooks = 5

// CheckLate checks the current content of files whose first report came too late. If there are no
// problems, text is "".
func CheckLate(ctx context.Context, session *Session, paths []string) (found Findings, text string) {
	for range mostLooks {
		var files []File
		for _, path := range paths {
			if content, err := read(session.Root(), path); err == nil {
				files = append(files, File{Path: path, Content: content})
			}
		}
		report, err := session.Check(ctx, files)
		if err != nil || ctx.Err() != nil {
			break
		}
		if report.Late {
			continue // a file changed during the check
		}
		found.Add(session.Name(), report)
		if text = found.Text(); text != "" {
			text = "🔎 " + session.Name() + " has checked the files as they are now. " + tools.Visible(text)
		}
		break
	}
	return found, text
}
