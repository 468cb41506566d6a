package background

import (
	"strings"
	"time"

	"marvin/messages"
	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/proc"
	"marvin/tools/internal/text"
)

// Account is what a job leaves behind of itself.
type Account struct {
	State  tools.JobState
	Note   string // why it is in this state, for people
	Rounds int    // of tools
	Result string // a review's text after its last call
	Usage  messages.Usage
}

// What is read of a review's two streams: the answer of a model fits many times.
const (
	resultBytes = 512 << 10
	errorBytes  = 64 << 10
)

// ReviewAccount reads what a review left behind. Its last line on standard error is what it
// cost, on success and error, and the line before an error: without either it died.
func ReviewAccount(files joblist.Jobs, id string) Account {
	said := Account{State: tools.JobDead, Note: "its process is gone, and it left no account"}
	stdout, _, _ := files.Output(id, false, resultBytes)
	said.Rounds, said.Result = answer(string(stdout))
	stderr, _, _ := files.Output(id, true, errorBytes)
	lines := strings.Split(strings.TrimRight(strings.ToValidUTF8(string(stderr), "�"), "\n"), "\n")
	cost, ended := messages.ReadCostLine(lines[len(lines)-1])
	if !ended { // killed while it wrote it
		return said
	}
	said.Usage = cost
	said.State, said.Note = tools.JobCompleted, ""
	for _, line := range lines {
		if why, failed := strings.CutPrefix(line, "Error: "); failed {
			said.State, said.Note = tools.JobFailed, tools.Visible(why)
		}
	}
	return said
}

// answer returns the rounds of tools in a run's output, and the text after the last.
func answer(stdout string) (rounds int, words string) {
	words = stdout
	for line := range strings.Lines(stdout) {
		if strings.HasPrefix(line, "  🔧 ") {
			rounds++
		}
	}
	if at := strings.LastIndex(stdout, "  🔧 "); at >= 0 && (at == 0 || stdout[at-1] == '\n') {
		_, words, _ = strings.Cut(stdout[at:], "\n")
	}
	return rounds, strings.TrimSpace(strings.ToValidUTF8(words, "�"))
}

// into writes the account into the file of a job. One that was cancelled stays so: its
// process ended by a signal because of that.
func (a Account) into(job *joblist.Job, ended time.Time) {
	if job.Status != string(tools.JobCancelled) {
		job.Status = string(a.State)
	}
	job.Phase, job.Round, job.PIDs = job.Status, max(job.Round, a.Rounds), nil
	if job.EndedAt == 0 {
		job.EndedAt = ended.Unix()
	}
	if a.Result != "" {
		result, _ := tools.Limits{Bytes: resultBytes}.Cut(a.Result)
		job.Result = &result
	}
	if a.Note != "" && a.State != tools.JobCompleted {
		job.Error = &a.Note
	}
}

// known is a job as its file has it.
func known(files joblist.Jobs, file joblist.Job) tools.Job {
	job := tools.Job{
		ID: file.ID, Kind: tools.JobCommand, Title: shorten(file.Title), Dir: file.Dir, PID: file.PID, State: tools.JobState(file.Status),
		Started: time.Unix(file.StartedAt, 0), Stray: true, Log: files.LogPath(file.ID),
		Process: tools.Process{PID: file.PID, Started: file.Process, Mark: file.Mark},
	}
	switch kind := tools.JobKind(file.Type); kind {
	case tools.JobReview, tools.JobCI:
		job.Kind = kind
	}
	if job.Title == "" {
		job.Title = string(job.Kind)
	}
	if file.EndedAt != 0 {
		job.Ended = time.Unix(file.EndedAt, 0)
	}
	if file.Error != nil {
		job.Note = shorten(*file.Error)
	}
	return job
}

// shorten makes a text of a file safe to show in a line.
func shorten(said string) string { return text.Clip(text.OneLine(tools.Visible(said)), 300) }

func owned(file joblist.Job) bool {
	return file.Owner > 0 && proc.Identity{PID: file.Owner, Started: file.OwnerProcess}.Alive()
}

// Recorded are the jobs of a project according to their files, with the truth about
// those whose process is gone.
func Recorded(home *persistence.Home, dir string) ([]tools.Job, error) {
	files := joblist.Of(home, dir)
	list, err := files.List()
	all := make([]tools.Job, 0, len(list))
	for _, file := range list {
		job := known(files, file)
		if job.Running() && !Alive(job) {
			stray := &Running{Job: job, files: files, now: home.Now}
			if owned(file) { // its Marvin is about to say so itself, and knows more
				said := stray.account(tools.JobRunning, "")
				job.State, job.Note = said.State, said.Note
			} else {
				job, _, _ = stray.Settle(tools.JobRunning, "", false) // the state holds even if it cannot be stored
			}
		}
		all = append(all, job)
	}
	return all, err
}

// Adopt takes over the jobs of a project whose Marvin is gone: running ones, and ended ones that
// were never reported, each once.
func Adopt(home *persistence.Home, dir string) (running []*Running, ended []tools.Job, err error) {
	files := joblist.Of(home, dir)
	list, err := files.List()
	self := proc.Self()
	for _, file := range list {
		if file.Told || file.Owner == 0 || owned(file) {
			continue
		}
		mine := false
		failed := files.Update(file.ID, func(now *joblist.Job) error {
			mine = !now.Told && !owned(*now)
			if mine {
				now.Owner, now.OwnerProcess = self.PID, self.Started
				file = *now
			}
			return nil
		})
		if failed != nil || !mine {
			continue // another Marvin was quicker, or nothing can be written here
		}
		job := known(files, file)
		job.Stray = false
		stray := &Running{Job: job, files: files, now: home.Now}
		switch {
		case job.Running() && Alive(job):
			running = append(running, stray)
		case job.Running():
			job, _, _ = stray.Settle(tools.JobRunning, "", true)
			ended = append(ended, job)
		default:
			MarkReported(home, dir, job.ID)
			ended = append(ended, job)
		}
	}
	return running, ended, err
}

// MarkReported records that the end of a job was reported.
func MarkReported(home *persistence.Home, dir, id string) {
	files := joblist.Of(home, dir)
	file, err := files.Get(id)
	switch {
	case err != nil || file.Told || file.Status == string(tools.JobRunning):
	case file.Type != string(tools.JobReview):
		_ = files.Remove(id)
	default: // if that fails, it is reported again
		_ = files.Update(id, func(job *joblist.Job) error { job.Told = true; return nil })
	}
}

// cancelStray ends a job that this process does not look after.
func cancelStray(home *persistence.Home, job tools.Job) (tools.Job, error) {
	files := joblist.Of(home, job.Dir)
	said := Account{State: tools.JobCancelled, Note: "cancelled"}
	ended := home.Now()
	// Write the file first: a watcher would take the end for a failure.
	if err := files.Update(job.ID, func(file *joblist.Job) error { said.into(file, ended); file.Told = true; return nil }); err != nil {
		return job, err
	}
	if err := Stop(job); err != nil {
		_ = files.Update(job.ID, func(file *joblist.Job) error {
			file.Status, file.Phase, file.Told, file.EndedAt, file.Error = string(tools.JobRunning), "running", false, 0, nil
			file.PIDs = []int{file.PID}
			return nil
		})
		return job, err
	}
	job.State, job.Note, job.Ended = tools.JobCancelled, "cancelled", ended
	if job.Kind != tools.JobReview {
		_ = files.Remove(job.ID)
	}
	return job, nil
}
