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
	"marvin/cmd/marvin/internal/idtable"
	"marvin/messages"
	"marvin/messages/jsonlines"
)

// Batch is a run that answers many prompts, in this process or on a fleet. It never holds all
// prompts or all results in memory.
type Batch struct {
	Host    Host
	Choice  actors.Choice // the default provider and model
	Away    Remote        // the fleet that answers the prompts; nil means this process
	Detach  bool          // if set, Run returns after sending all prompts to a fleet
	Results *Results
	Bar     *Bar
	Jobs    int     // the number of prompts to answer at the same time
	MaxCost float64 // US dollars for the whole batch; 0 for no limit
	Stderr  io.Writer
	Now     func() time.Time

	tally    *tally
	ids      ids
	asker    *Asker
	owed     owed // answers still expected from a fleet
	spending *actors.Spending
	signals  context.Context         // canceled by a signal
	stop     context.CancelCauseFunc // ends the batch with the given cause
}

// Ended is the result of a batch.
type Ended struct {
	Outcome messages.Outcome // messages.Failed if an error occurred or a prompt was not completed
	Usage   messages.Usage
	Table   func(io.Writer) // writes the summary of the batch
	Err     error           // why the batch ended early, or nil
}

var errBatchCost = errors.New("the cost limit of the batch is reached")

// Run answers all prompts, and then calls the given function to release the host's resources.
func (b *Batch) Run(ctx context.Context, input *os.File, stop func() error) Ended {
	b.tally, b.spending = newTally(b.Now), &actors.Spending{}
	b.ids = ids{&idtable.Table{}}
	b.asker = &Asker{Host: b.Host, Choice: b.Choice, Notes: Deduplicated(b.Bar), Now: b.Now}
	b.signals = ctx
	ctx, b.stop = context.WithCancelCause(ctx)
	defer b.stop(nil)
	b.Bar.begin(b.progress, input)
	if b.Away != nil {
		b.sendAll(ctx, input)
	} else {
		b.answerAll(ctx, input, b.answerHere)
	}
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

// ended returns the reason why the batch ended early, or nil.
func (b *Batch) ended(ctx context.Context) error {
	if b.signals.Err() != nil {
		return errors.New("stopped by a signal; the answers so far are stored")
	}
	return context.Cause(ctx)
}

func (b *Batch) progress(all int) string {
	if b.Away != nil {
		running, workers := b.Away.Workers()
		return b.tally.line(all, running, ", "+messages.Counted(workers, "worker"))
	}
	return b.tally.line(all, -1, "")
}

// answerAll reads prompts until the input ends or ctx is done. It answers at most b.Jobs prompts at
// the same time.
func (b *Batch) answerAll(ctx context.Context, input io.Reader, answer func(context.Context, Prompt)) {
	var group errgroup.Group
	group.SetLimit(b.Jobs)
	defer func() { _ = group.Wait() }() // every goroutine returns nil
	lines := b.readLines(ctx, input)
	for {
		select {
		case line, ok := <-lines:
			if !ok {
				return
			}
			b.startAnswer(ctx, line, &group, answer)
		case <-ctx.Done():
			return
		}
	}
}

// readLines reads the input in a goroutine, because a read from a pipe may block forever.
func (b *Batch) readLines(ctx context.Context, input io.Reader) <-chan jsonlines.Line {
	lines := make(chan jsonlines.Line)
	go func() {
		defer close(lines)
		reader := jsonlines.NewReader(input)
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

// startAnswer starts a goroutine in the group that answers the line's prompt. It blocks while the
// group is full, and skips a prompt that has a stored answer.
func (b *Batch) startAnswer(ctx context.Context, line jsonlines.Line, group *errgroup.Group, answer func(context.Context, Prompt)) {
	prompt, err := b.prompt(line)
	if err != nil {
		b.finish(prompt.failed(err))
		return
	}
	answered, changed := b.Results.hasAnswer(prompt.ID, prompt.Asked)
	if answered {
		b.tally.skip()
		return
	}
	if changed {
		fmt.Fprintf(b.Stderr, "warning: line %d: the answer stored for the id %q is for a different prompt, so Marvin sends this prompt\n", line.Number, prompt.ID)
	}
	group.Go(func() error {
		if ctx.Err() == nil { // a canceled run leaves the prompt for the next run
			answer(ctx, prompt)
		}
		return nil
	})
}

func (b *Batch) answerHere(ctx context.Context, prompt Prompt) {
	talk, err := b.asker.settle(prompt)
	if err != nil {
		b.finish(prompt.failed(err))
		return
	}
	talk.Spending = b.spending
	b.tally.begin()
	result := b.asker.answer(ctx, prompt, talk, b.spend)
	if result.Outcome != messages.Completed {
		if cause := b.ended(ctx); cause != nil {
			result.Error = cause.Error()
		}
	}
	b.finish(result)
}

// spend adds cost to the total, and ends the batch when the total reaches MaxCost.
func (b *Batch) spend(cost float64) {
	if spent := b.tally.spend(cost); b.MaxCost > 0 && spent >= b.MaxCost {
		b.stop(fmt.Errorf("%w ($%g)", errBatchCost, b.MaxCost))
	}
}

// finish writes a result. A write error ends the batch.
func (b *Batch) finish(r Result) {
	if err := b.Results.write(r); err != nil {
		b.stop(fmt.Errorf("write the results: %w", err))
	}
	b.tally.end(r)
}
