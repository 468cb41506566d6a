package batch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/actors"
	"marvin/messages"
	"marvin/ui"
	"marvin/ui/headless"
	"marvin/ui/jsonl"
)

// Host is the program around a batch.
type Host interface {
	// Open begins a conversation of its own in a directory, "" for the usual one. What all
	// of them spend is in the purse.
	Open(choice actors.Choice, dir string, purse *actors.Purse) (ui.Client, error)
	// Choose looks up who answers. A missing key is an error.
	Choose(actors.Choice) (actors.Choice, error)
	// Dir is the whole path of a working directory that a line names.
	Dir(path string) (string, error)
}

// Batch answers many prompts in one process. Prompts are read as they are needed, and
// results written as they come.
type Batch struct {
	Host    Host
	Choice  actors.Choice // who answers where a line names nobody
	Results *Results
	Bar     *Bar
	Jobs    int     // prompts that are answered at once
	MaxCost float64 // US dollars for all together; 0 for no limit
	Stderr  io.Writer
	Now     func() time.Time

	tally   *tally
	ids     map[string]int // the line that each came in
	purse   *actors.Purse
	signals context.Context         // ends with a signal
	stop    context.CancelCauseFunc // ends all of it, with the reason for people
}

// Ended is what became of a batch.
type Ended struct {
	Outcome messages.Outcome // Completed if every prompt has its answer, now or before
	Usage   messages.Usage
	Table   func(io.Writer) // the last word for people
	Err     error           // why it ended early
}

// errBatchCost is why a batch ends that spent what it may.
var errBatchCost = errors.New("the cost limit of the batch is reached")

// Run answers all prompts, and at the end calls stop, which ends what the host began.
func (b *Batch) Run(ctx context.Context, input *os.File, stop func() error) Ended {
	b.tally, b.ids, b.purse = newTally(b.Now), map[string]int{}, &actors.Purse{}
	b.signals = ctx
	ctx, b.stop = context.WithCancelCause(ctx)
	defer b.stop(nil)
	b.Bar.begin(b.tally, input)
	b.answerAll(ctx, input)
	err := stop()
	b.Bar.End()
	if cause := b.ended(ctx); cause != nil {
		err = errors.Join(cause, err)
	}
	ended := Ended{Outcome: messages.Failed, Usage: b.tally.usage, Table: b.tally.table, Err: err}
	if err == nil && b.tally.well() {
		ended.Outcome = messages.Completed
	}
	return ended
}

// ended is why the batch ended early, for people; nil if it did not.
func (b *Batch) ended(ctx context.Context) error {
	if b.signals.Err() != nil {
		return errors.New("stopped by a signal; what was answered is kept")
	}
	return context.Cause(ctx)
}

// answerAll reads prompts and has so many of them answered at once.
func (b *Batch) answerAll(ctx context.Context, input io.Reader) {
	var group errgroup.Group
	group.SetLimit(b.Jobs)
	defer func() { _ = group.Wait() }() // its functions return no errors
	lines := b.lines(ctx, input)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			b.take(ctx, line, &group)
		case <-ctx.Done():
			return
		}
	}
}

// lines are those of the input. Reading them is a goroutine of its own, because a pipe
// may never say more.
func (b *Batch) lines(ctx context.Context, input io.Reader) <-chan jsonl.Line {
	lines := make(chan jsonl.Line)
	go func() {
		defer close(lines)
		reader := jsonl.NewReader(input)
		for {
			line, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			if err != nil {
				b.stop(fmt.Errorf("read the prompts: %w", err))
				return
			}
			select {
			case lines <- line:
			case <-ctx.Done():
				return
			}
		}
	}()
	return lines
}

// take has a line answered once there is room.
func (b *Batch) take(ctx context.Context, line jsonl.Line, group *errgroup.Group) {
	job, err := b.job(line)
	answered, changed := b.Results.has(job.id, job.asked)
	switch {
	case err != nil:
		b.finish(result{ID: job.id, Line: line.Number, Outcome: messages.Failed, Error: err.Error()})
	case answered:
		b.tally.skip()
	default:
		if changed {
			fmt.Fprintf(b.Stderr, "warning: line %d: the answer to %q that there is belongs to another prompt; this one is asked\n", line.Number, job.id)
		}
		group.Go(func() error {
			if ctx.Err() == nil { // what did not begin is for the next run
				b.answer(ctx, job)
			}
			return nil
		})
	}
}

// answer asks one prompt in a conversation of its own.
func (b *Batch) answer(ctx context.Context, job job) {
	begun := b.Now()
	b.tally.begin()
	outcome := b.ask(ctx, job)
	if outcome.Outcome != messages.Completed {
		if cause := b.ended(ctx); cause != nil {
			outcome.Err = cause.Error()
		}
	}
	b.finish(result{
		ID: job.id, Line: job.line, Outcome: outcome.Outcome, Text: outcome.Text, Error: outcome.Err, Begun: true, Asked: job.asked,
		Usage: outcome.Usage, Cost: outcome.Usage.Cost, Took: b.Now().Sub(begun).Round(time.Millisecond).Seconds(),
	})
}

func (b *Batch) ask(ctx context.Context, job job) headless.Result {
	client, err := b.Host.Open(job.choice, job.dir, b.purse)
	if err != nil {
		return headless.Result{Outcome: messages.Failed, Err: err.Error()}
	}
	runner := headless.Runner{
		Client: &spending{Client: client, batch: b}, Form: headless.JSON, Stdout: io.Discard, Stderr: b.Bar.notes(), Grace: 5 * time.Second,
	}
	result := runner.Run(ctx, job.prompt)
	client.Send(messages.Quit{})
	return result
}

// finish writes a result down. Without a place for results there is no point in more.
func (b *Batch) finish(r result) {
	if err := b.Results.write(r); err != nil {
		b.stop(fmt.Errorf("write the results: %w", err))
	}
	b.tally.end(r)
}

// spending sees what a conversation costs while it runs, so that all together stay
// within the limit.
type spending struct {
	ui.Client
	batch *Batch
	cost  float64
}

func (s *spending) Next(ctx context.Context) ([]messages.Envelope, error) {
	events, err := s.Client.Next(ctx)
	for _, envelope := range events {
		if now, ok := envelope.Event.(messages.UsageChanged); ok {
			spent := s.batch.tally.spend(now.Usage.Cost - s.cost)
			s.cost = now.Usage.Cost
			if limit := s.batch.MaxCost; limit > 0 && spent >= limit {
				s.batch.stop(fmt.Errorf("%w ($%g)", errBatchCost, limit))
			}
		}
	}
	return events, err
}
