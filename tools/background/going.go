package background

import (
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"marvin/persistence"
	"marvin/persistence/joblist"
	"marvin/tools"
	"marvin/tools/internal/proc"
)

// mostOutput is the maximum size in bytes of a log that takeOver creates. A job that starts in the
// background writes its log itself.
const mostOutput = 1 << 30

// takeOver turns a running command into a job. No output is lost.
func takeOver(home *persistence.Home, wish tools.JobWish) (*Running, error) {
	child, ok := wish.Going.(waiter)
	if !ok {
		return nil, errors.New("the command cannot continue as a background job")
	}
	files, process := joblist.New(home, wish.Dir), wish.Going.Process()
	id, stdout, stderr, err := files.Create(prefix(wish.Kind))
	if err != nil {
		return nil, err
	}
	_ = stderr.Close()
	log := &bounded{file: stdout, room: mostOutput}
	running := &Running{files: files, now: home.Now, child: closingWaiter{child, stdout}, Job: tools.Job{
		ID: id, Kind: wish.Kind, Title: wish.Title, Dir: wish.Dir, PID: process.PID, State: tools.JobRunning,
		Started: home.Now(), Process: process, Log: files.LogPath(id), Open: wish.Open, Tied: true,
	}}
	if err := files.Add(record(running.Job, wish)); err != nil {
		files.Discard(id)
		return nil, errors.Join(err, stdout.Close())
	}
	return running, wish.Going.Divert(log)
}

type closingWaiter struct {
	waiter
	log *os.File
}

func (c closingWaiter) Wait() proc.Ending {
	defer func() { _ = c.log.Close() }()
	return c.waiter.Wait()
}

// bounded is a writer that keeps a limited number of bytes and, if there are more, appends a note
// that the output was cut. It is not safe for concurrent use.
type bounded struct {
	file io.Writer
	room int
}

func (b *bounded) Write(p []byte) (int, error) {
	if b.room <= 0 {
		return len(p), nil
	}
	n, err := b.file.Write(p[:min(len(p), b.room)])
	if b.room -= n; b.room <= 0 {
		_, err = fmt.Fprintf(b.file, "\n[… the output is longer; only the first %d bytes are stored]\n", mostOutput)
	}
	return len(p), err
}

// ErrNoInput means that the job accepts no input.
var ErrNoInput = proc.ErrNoInput

// patience is the maximum time that [Running.Write] waits for a job to read its input.
const patience = 5 * time.Second

// Write sends text to the job's input. If end is true, Write closes the input afterwards.
func (r *Running) Write(text string, end bool) error {
	if r.input == nil {
		return ErrNoInput
	}
	err := r.input.Write(text, patience)
	if end {
		err = errors.Join(err, r.input.CloseInput())
	}
	return err
}
