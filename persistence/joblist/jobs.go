package joblist

import (
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"marvin/persistence/internal/store"
)

// Job is a background job, which runs in its own process. The file .marvin/jobs/<id>.json in the
// project contains the job. The fields ID through Error come from Marvin's Python version. PID,
// Ticket and Started come from the TypeScript version.
type Job struct {
	ID         string            `json:"id"`
	Type       string            `json:"type"`   // code-review, or command
	Status     string            `json:"status"` // a tools.JobState
	StartedAt  int64             `json:"started_at"`
	Dir        string            `json:"working_dir"`
	Branch     string            `json:"branch"`
	Files      int               `json:"files_count"`
	References int               `json:"ref_count"`
	MaxRounds  int               `json:"max_rounds"`
	Phase      string            `json:"phase"`
	Round      int               `json:"round"` // rounds of tool calls
	Rounds     []json.RawMessage `json:"round_results"`
	PIDs       []int             `json:"active_pids"`
	Result     *string           `json:"result"`
	Error      *string           `json:"error"`

	PID     int    `json:"pid"`
	Ticket  string `json:"ticket"`
	Started string `json:"started"` // ISO 8601

	Title        string `json:"title"`
	Process      string `json:"process_start"` // start time of the process; reveals a reused PID
	Mark         string `json:"mark"`
	Owner        int    `json:"owner_pid"` // the Marvin process that supervises the job
	OwnerProcess string `json:"owner_start"`
	EndedAt      int64  `json:"ended_at,omitempty"`
	Told         bool   `json:"told"` // set if the job's end was reported
}

// Jobs manages the background jobs of a project.
type Jobs struct {
	home *store.Home
	dir  string
}

// New returns the jobs of a project. dir is the absolute path of the project's directory.
func New(h *store.Home, dir string) Jobs { return Jobs{home: h, dir: dir} }

// ErrNoJob reports that no job has the given id.
var ErrNoJob = errors.New("no such background job")

const jobsDir = ".marvin/jobs"

// jobLimit is the maximum size, in bytes, of a job's file. A repository can contain a job file of
// any size.
const jobLimit = 1 << 20

// Create chooses an id for a new job and creates the job's two output files, which the caller must
// close. Like the other methods, it follows no link out of the project.
func (j Jobs) Create(kind string) (id string, stdout, stderr *os.File, err error) {
	root, err := os.OpenRoot(j.dir)
	if err != nil {
		return "", nil, nil, err
	}
	defer root.Close()
	if err := errors.Join(store.MakeLogs(root, store.LogsDir), makeJobs(root)); err != nil {
		return "", nil, nil, fmt.Errorf("prepare the directory %s for a background job: %w", filepath.Join(j.dir, ".marvin"), err)
	}
	open := func(name string) (*os.File, error) {
		return root.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE|os.O_EXCL, 0o600)
	}
	for range 100 {
		id = kind + "-" + strings.ToLower(rand.Text()[:5])
		if stdout, err = open(logName(id, ".log")); errors.Is(err, fs.ErrExist) {
			continue
		} else if err != nil {
			break
		}
		if stderr, err = open(logName(id, ".err")); err == nil {
			return id, stdout, stderr, nil
		}
		stdout.Close()
		break
	}
	return "", nil, nil, fmt.Errorf("create an output file for a job: %w", err)
}

func logName(id, suffix string) string { return path.Join(store.LogsDir, id+suffix) }

// LogPath returns the path of a job's output file.
func (j Jobs) LogPath(id string) string { return filepath.Join(j.dir, logName(id, ".log")) }

func makeJobs(root *os.Root) error {
	isNew, err := store.MakeInside(root, jobsDir)
	if err == nil {
		err = store.Hide(root, jobsDir, isNew)
	}
	return err
}

// Discard removes the output files of a job that never started.
func (j Jobs) Discard(id string) {
	if root, err := os.OpenRoot(j.dir); err == nil {
		_ = root.Remove(logName(id, ".log"))
		_ = root.Remove(logName(id, ".err"))
		_ = root.Close()
	}
}

// Add stores a new job. The job's file is synced, so that the file survives a power cut.
func (j Jobs) Add(job Job) error {
	return j.change(job.ID, func(root *os.Root, name string) error {
		if err := j.write(root, name, job, nil); err != nil {
			return err
		}
		return store.SyncUp(root, name)
	})
}

// Update changes a stored job under a lock. If the callback fails, nothing is written. Update does
// not sync the directory, because a job does not survive a power cut.
func (j Jobs) Update(id string, change func(*Job) error) error {
	return j.change(id, func(root *os.Root, name string) error {
		job, others, err := j.read(root, name)
		if err != nil {
			return err
		}
		if err := change(&job); err != nil {
			return err
		}
		return j.write(root, name, job, others)
	})
}

// Remove removes a job's file, but not the job's output.
func (j Jobs) Remove(id string) error {
	return j.change(id, func(root *os.Root, name string) error {
		if err := root.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		return nil
	})
}

// change invokes the callback under the lock that all jobs share. With a lock per job, each job
// would leave a lock file.
func (j Jobs) change(id string, do func(root *os.Root, name string) error) (err error) {
	root, name, err := j.open(id)
	if err != nil {
		return err
	}
	defer root.Close()
	if info, err := root.Stat(jobsDir); err != nil || !info.IsDir() {
		return errors.Join(err, fmt.Errorf("%w: %s", ErrNoJob, id))
	}
	unlock, err := j.home.Lock(filepath.Join(j.dir, jobsDir, "jobs"), store.LockWait)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	return do(root, name)
}

func (j Jobs) open(id string) (root *os.Root, name string, err error) {
	if !jobName(id) {
		return nil, "", fmt.Errorf("%w: %q", ErrNoJob, id)
	}
	root, err = os.OpenRoot(j.dir)
	return root, path.Join(jobsDir, id+".json"), err
}

// jobName reports whether id is valid. The id becomes part of a file name.
func jobName(id string) bool {
	return id != "" && len(id) <= 80 && id[0] != '.' && id[0] != '-' &&
		!strings.ContainsFunc(id, func(r rune) bool {
			return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '_'
		})
}

// Get reads one job.
func (j Jobs) Get(id string) (Job, error) {
	root, name, err := j.open(id)
	if err != nil {
		return Job{}, err
	}
	defer root.Close()
	job, _, err := j.read(root, name)
	return job, err
}

func (j Jobs) read(root *os.Root, name string) (Job, map[string]json.RawMessage, error) {
	file, size, err := store.OpenRegular(root.OpenFile, name)
	if err != nil {
		return Job{}, nil, err
	}
	id := strings.TrimSuffix(path.Base(name), ".json")
	if file == nil {
		return Job{}, nil, fmt.Errorf("%w: %s", ErrNoJob, id)
	}
	defer file.Close()
	shown := filepath.Join(j.dir, name)
	if size > jobLimit {
		return Job{}, nil, &store.DamagedError{Path: shown, Err: fmt.Errorf("its size of %d bytes is above the limit", size)}
	}
	data, err := io.ReadAll(io.LimitReader(file, jobLimit))
	if err != nil {
		return Job{}, nil, err
	}
	job, others, err := store.Decode[Job](data)
	if err != nil {
		return Job{}, nil, &store.DamagedError{Path: shown, Err: err}
	}
	job.ID, job.Dir = id, j.dir // the stored directory is wrong if the project was copied
	return job, others, nil
}

// write replaces a job's file. The caller must hold the lock.
func (j Jobs) write(root *os.Root, name string, job Job, others map[string]json.RawMessage) error {
	if job.Rounds == nil {
		job.Rounds = []json.RawMessage{}
	}
	if job.PIDs == nil {
		job.PIDs = []int{}
	}
	data, err := store.Encode(job, others)
	if err != nil {
		return err
	}
	temporary := path.Join(jobsDir, "."+path.Base(name)+".tmp")
	if err := root.Remove(temporary); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := store.WriteInside(root, temporary, data); err != nil {
		return fmt.Errorf("write the job file %s: %w", filepath.Join(j.dir, name), err)
	}
	return root.Rename(temporary, name)
}
