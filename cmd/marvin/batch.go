package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/errgroup"

	"marvin/actors"
	"marvin/messages"
	"marvin/ui"
	"marvin/ui/headless"
	"marvin/ui/jsonl"
)

type batchCommand struct {
	Jobs   int    `long:"jobs" short:"j" value-name:"N" default:"8" description:"how many prompts are answered at once"`
	Output string `long:"output" short:"o" value-name:"FILE" description:"write the results behind what FILE holds, and leave out the prompts that it holds an answer to; else they go to standard output"`
	Args   struct {
		File string `positional-arg-name:"FILE|-" required:"yes" description:"the prompts, one JSON object a line: id, prompt, and, if wanted, working_dir, provider, model"`
	} `positional-args:"yes"`
}

// batch answers many prompts in one process. Prompts are read as they are needed, and
// results written as they come.
type batch struct {
	parts   *parts
	system  *actors.System
	results *results
	bar     *bar
	tally   *tally
	ids     map[string]int // the line that each came in
	jobs    int
	purse   *actors.Purse
	signals context.Context         // ends with a signal
	stop    context.CancelCauseFunc // ends all of it, with the reason for people
}

// errBatchCost is why a batch ends that spent what it may.
var errBatchCost = errors.New("the cost limit of the batch is reached")

// run exits 0 if every prompt has its answer, from this run or an earlier one.
func (wish batchCommand) run(ctx context.Context, world World, opts options) error {
	opts.NonInteractive, opts.Output = true, ""
	bar := newBar(world)
	defer bar.end()
	world.Stderr, world.Stdout = bar, bar.beside(world.Stdout)
	input, err := openPrompts(world, wish.Args.File)
	if err != nil {
		return err
	}
	defer input.Close()
	if wish.Jobs < 1 {
		return fmt.Errorf("--jobs %d: at least one prompt must be answered at once", wish.Jobs)
	}
	results, err := openResults(wish.Output, input, world.Stdout, func(notice string) { fmt.Fprintln(world.Stderr, "warning:", notice) })
	if err != nil {
		return err
	}
	defer results.close()
	parts, err := wire(world, opts)
	if err != nil {
		return err
	}
	defer parts.close()
	fmt.Fprintln(world.Stderr, parts.choiceLine())
	parts.warnOfAll(false)
	b := &batch{parts: parts, results: results, bar: bar, tally: newTally(world.Now), ids: map[string]int{}, jobs: withinFiles(wish.Jobs), purse: &actors.Purse{}}
	if b.jobs < wish.Jobs {
		fmt.Fprintf(world.Stderr, "warning: this process may open too few files for --jobs %d (ulimit -n): %d prompts at once\n", wish.Jobs, b.jobs)
	}
	return b.run(ctx, input)
}

// run answers all prompts and tells what became of them.
func (b *batch) run(ctx context.Context, input *os.File) error {
	ctx, ignore := signal.NotifyContext(ctx, os.Interrupt)
	defer context.AfterFunc(ctx, ignore)() // a second one ends it at once
	b.signals = ctx
	ctx, b.stop = context.WithCancelCause(ctx)
	defer b.stop(nil)
	b.bar.begin(b.tally, input)
	b.system = b.parts.start()
	b.answerAll(ctx, input)
	err := b.system.Stop()
	b.bar.end()
	b.parts.sayLeft()
	stderr := b.parts.world.Stderr
	if cause := b.ended(ctx); cause != nil {
		err = errors.Join(cause, err)
	}
	if err != nil && !errors.Is(err, syscall.EPIPE) {
		complain(stderr, err)
	}
	b.tally.table(stderr)
	outcome := messages.Failed
	if err == nil && b.tally.well() {
		outcome = messages.Completed
	}
	if topic := b.parts.opts.Ntfy; topic != "" {
		if err := b.parts.announce(topic, headless.Result{Outcome: outcome, Usage: b.tally.usage}); err != nil {
			fmt.Fprintln(stderr, err)
		}
	}
	return accounted{headless.Result{Outcome: outcome, Usage: b.tally.usage}}
}

// ended is why the batch ended early, for people; nil if it did not.
func (b *batch) ended(ctx context.Context) error {
	if b.signals.Err() != nil {
		return errors.New("stopped by a signal; what was answered is kept")
	}
	return context.Cause(ctx)
}

// answerAll reads prompts and has so many of them answered at once.
func (b *batch) answerAll(ctx context.Context, input io.Reader) {
	var group errgroup.Group
	group.SetLimit(b.jobs)
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
func (b *batch) lines(ctx context.Context, input io.Reader) <-chan jsonl.Line {
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
func (b *batch) take(ctx context.Context, line jsonl.Line, group *errgroup.Group) {
	job, err := b.job(line)
	answered, changed := b.results.has(job.id, job.asked)
	switch {
	case err != nil:
		b.finish(result{ID: job.id, Line: line.Number, Outcome: messages.Failed, Error: err.Error()})
	case answered:
		b.tally.skip()
	default:
		if changed {
			fmt.Fprintf(b.parts.world.Stderr, "warning: line %d: the answer to %q that there is belongs to another prompt; this one is asked\n", line.Number, job.id)
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
func (b *batch) answer(ctx context.Context, job job) {
	begun := b.parts.world.Now()
	b.tally.begin()
	outcome := b.ask(ctx, job)
	if outcome.Outcome != messages.Completed {
		if cause := b.ended(ctx); cause != nil {
			outcome.Err = cause.Error()
		}
	}
	b.finish(result{
		ID: job.id, Line: job.line, Outcome: outcome.Outcome, Text: outcome.Text, Error: outcome.Err, Begun: true, Asked: job.asked,
		Usage: outcome.Usage, Cost: outcome.Usage.Cost, Took: b.parts.world.Now().Sub(begun).Round(time.Millisecond).Seconds(),
	})
}

func (b *batch) ask(ctx context.Context, job job) headless.Result {
	conversation := b.parts.conversation(actors.Policy{Coding: true}, nil)
	conversation.Choice, conversation.Dir = job.choice, cmp.Or(job.dir, conversation.Dir)
	conversation.Purse = b.purse
	client, err := b.system.Open(conversation)
	if err != nil {
		return headless.Result{Outcome: messages.Failed, Err: err.Error()}
	}
	runner := headless.Runner{
		Client: &spending{Client: client, batch: b}, Form: headless.JSON, Stdout: io.Discard, Stderr: b.bar.notes(), Grace: 5 * time.Second,
	}
	result := runner.Run(ctx, job.prompt)
	client.Send(messages.Quit{})
	return result
}

// finish writes a result down. Without a place for results there is no point in more.
func (b *batch) finish(r result) {
	if err := b.results.write(r); err != nil {
		b.stop(fmt.Errorf("write the results: %w", err))
	}
	b.tally.end(r)
}

// spending sees what a conversation costs while it runs, so that all together stay
// within the limit.
type spending struct {
	ui.Client
	batch *batch
	cost  float64
}

func (s *spending) Next(ctx context.Context) ([]messages.Envelope, error) {
	events, err := s.Client.Next(ctx)
	for _, envelope := range events {
		if now, ok := envelope.Event.(messages.UsageChanged); ok {
			spent := s.batch.tally.spend(now.Usage.Cost - s.cost)
			s.cost = now.Usage.Cost
			if limit := s.batch.parts.opts.MaxCost; limit > 0 && spent >= limit {
				s.batch.stop(fmt.Errorf("%w ($%g)", errBatchCost, limit))
			}
		}
	}
	return events, err
}
