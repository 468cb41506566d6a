package joblist

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
	"syscall"

	"marvin/persistence/internal/store"
)

// List returns the readable jobs of the project, oldest first. The error describes the unreadable
// jobs.
func (j Jobs) List() (all []Job, err error) {
	if j.dir == "" {
		return nil, nil
	}
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	dir, err := root.OpenFile(jobsDir, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	names, err := dir.Readdirnames(-1)
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		id, isJob := strings.CutSuffix(name, ".json")
		if !isJob || !jobName(id) {
			continue
		}
		job, _, failed := j.read(root, path.Join(jobsDir, name))
		switch {
		case failed == nil:
			all = append(all, job)
		case !errors.Is(failed, ErrNoJob): // ErrNoJob occurs if the job was just removed
			err = errors.Join(err, failed)
		}
	}
	slices.SortFunc(all, func(a, b Job) int {
		if a.StartedAt != b.StartedAt {
			return int(a.StartedAt - b.StartedAt)
		}
		return strings.Compare(a.ID, b.ID)
	})
	return all, err
}

// Output returns at most limit bytes from the end of a job's standard output, and the total size of
// the output. If stderr is true, Output reads standard error instead. A missing file counts as
// empty.
func (j Jobs) Output(id string, stderr bool, limit int64) (text []byte, size int64, err error) {
	root, _, err := j.open(id)
	if err != nil {
		return nil, 0, err
	}
	defer root.Close()
	suffix := ".log"
	if stderr {
		suffix = ".err"
	}
	file, size, err := store.OpenRegular(root.OpenFile, logName(id, suffix))
	if file == nil {
		return nil, 0, err
	}
	defer file.Close()
	text, err = io.ReadAll(io.NewSectionReader(file, max(0, size-limit), min(limit, size)))
	return text, size, err
}

// OutputSize returns the number of bytes that a job wrote to standard output.
func (j Jobs) OutputSize(id string) (int64, error) {
	_, size, err := j.Output(id, false, 0)
	return size, err
}

// OutputFrom returns at most the given number of bytes of a job's standard output, beginning at the
// given offset.
func (j Jobs) OutputFrom(id string, offset, limit int64) ([]byte, error) {
	root, _, err := j.open(id)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	file, size, err := store.OpenRegular(root.OpenFile, logName(id, ".log"))
	if file == nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.NewSectionReader(file, offset, max(0, min(limit, size-offset))))
}
