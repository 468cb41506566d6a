package batch

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/fleet"
	"marvin/cmd/marvin/internal/pictures"
	"marvin/cmd/marvin/internal/remote"
	"marvin/cmd/marvin/internal/resources"
	"marvin/messages"
	"marvin/ui"
	"marvin/ui/headless"
)

type Command struct {
	remote.FleetFlags
	Detach bool   `long:"detach" description:"with --fleet: send the prompts and exit\nThe same command without --detach fetches the results."`
	Batch  string `long:"batch" value-name:"NAME" description:"with --fleet: the name of this batch\nAnother machine can fetch the results by this name. By default, the name is derived from the files."`
	Jobs   int    `long:"jobs" short:"j" value-name:"N" default:"8" description:"how many prompts are answered at a time"`
	Output string `long:"output" short:"o" value-name:"FILE" description:"append the results to FILE; skip answered prompts\nBy default, results go to standard output."`
	Args   struct {
		File string `positional-arg-name:"FILE|-" required:"yes" description:"the prompts, one JSON object per line\nThe fields are \"id\", \"prompt\", and optionally \"working_dir\", \"provider\", \"model\", \"role\" and \"images\"; for a fleet, there are also \"label\", \"git\", \"commit\" and \"repeat\"."`
	} `positional-args:"yes"`
}

// Run answers each prompt that has no answer yet. The exit status is 0 if none of these prompts
// fails.
func (wish Command) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	if wish.Fleet == "" { // CollectLess costs memory, and a batch for a fleet can have a million prompts
		resources.CollectLess(world)
	}
	opts.NonInteractive, opts.Output = true, ""
	bar := batch.NewBar(world.Stderr, cli.ProgressTerminal(world))
	defer bar.End()
	world.Stderr = bar
	if cli.Terminal(world.Stdout) {
		world.Stdout = bar.Wrap(world.Stdout)
	}
	pipe := world.Stdin
	if pipe != nil && cli.Terminal(pipe) {
		pipe = nil
	}
	input, err := batch.OpenPrompts(wish.Args.File, world.Dir, pipe)
	if err != nil {
		return err
	}
	defer input.Close()
	if wish.Jobs < 1 {
		return fmt.Errorf("with --jobs %d, no prompts would be answered; give a number such as 16", wish.Jobs)
	}
	results, err := batch.OpenResults(wish.Output, input, world.Stdout, func(notice string) { fmt.Fprintln(world.Stderr, "warning:", notice) })
	if err != nil {
		return err
	}
	defer results.Close()
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	defer parts.Close()
	prompts := &batch.Batch{
		Choice:  actors.Choice{Provider: parts.Selection.Provider, Model: parts.Selection.Model},
		Results: results, Bar: bar, MaxCost: opts.MaxCost, Stderr: world.Stderr, Now: world.Now,
	}
	if wish.Fleet != "" {
		if len(parts.Config.Words.Given) > 0 {
			return errors.New("each worker has its own system prompt: give --system-prompt and --append-system-prompt to \"marvin worker\"")
		}
		prompts.Choice = actors.Choice{Provider: opts.Provider, Model: opts.Model} // if --provider and --model are missing, each worker uses its own model
		leave, err := wish.send(ctx, world, opts, prompts)
		if err != nil {
			return err
		}
		defer leave()
		return answerAll(ctx, parts, input, prompts)
	}
	fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	parts.WarnOfAll(false)
	jobs := batch.ConcurrencyWithin(resources.OpenFiles(), wish.Jobs)
	if jobs < wish.Jobs {
		fmt.Fprintf(world.Stderr, "warning: --jobs %d needs more open files than this process may have (ulimit -n), so Marvin answers %s at a time\n", wish.Jobs, messages.Counted(jobs, "prompt"))
	}
	prompts.Jobs = jobs
	return answerAll(ctx, parts, input, prompts)
}

// answerAll runs the batch and prints the summary.
func answerAll(ctx context.Context, p *app.App, input *os.File, prompts *batch.Batch) error {
	ctx, ignore := signal.NotifyContext(ctx, os.Interrupt)
	// After the first interrupt, another interrupt ends the process.
	defer context.AfterFunc(ctx, ignore)()
	prompts.Host = batchHost{parts: p, system: p.Start()}
	ended := prompts.Run(ctx, input, p.System.Stop)
	p.SayLeft()
	stderr := p.World.Stderr
	if ended.Err != nil && !errors.Is(ended.Err, syscall.EPIPE) {
		cli.Complain(p.World, ended.Err)
	}
	ended.Table(stderr)
	result := headless.Result{Outcome: ended.Outcome, Usage: ended.Usage}
	if topic := p.Opts.Ntfy; topic != "" {
		if err := p.Announce(topic, result); err != nil {
			fmt.Fprintln(stderr, err)
		}
	}
	return cli.CostError{Result: result}
}

// batchHost implements [batch.Host].
type batchHost struct {
	parts  *app.App
	system *actors.System
}

// Open implements [batch.Host].
func (h batchHost) Open(talk batch.Talk) (ui.Client, error) {
	conversation := h.parts.Conversation(actors.Policy{Coding: true}, nil)
	conversation.Choice, conversation.Dir = talk.Choice, cmp.Or(talk.Dir, conversation.Dir)
	conversation.Spending, conversation.BeforeChange = talk.Spending, talk.Intends
	policy := &conversation.Policy
	policy.Limits, policy.ReadOnly = policy.Limits.Within(talk.Limits), policy.ReadOnly || talk.Held.ReadOnly
	policy.Only = talk.Held.Tools
	return h.system.Open(conversation)
}

// Choose implements [batch.Host].
func (h batchHost) Choose(choice actors.Choice) (actors.Choice, error) {
	selection, err := h.parts.Selected(choice)
	return actors.Choice{Provider: selection.Provider, Model: selection.Model}, err
}

// Role implements [batch.Host].
func (h batchHost) Role(name string) (actors.Choice, error) {
	list := h.parts.Config.Models.Role(name)
	if len(list) == 0 {
		return actors.Choice{}, fmt.Errorf("none of the models that config.yaml lists for the role %s is available here; add one under \"roles:\"", name)
	}
	return h.Choose(list[0])
}

// Picture implements [batch.Host].
func (h batchHost) Picture(path, dir string) (messages.Picture, error) {
	return pictures.Read(h.parts.World, path, cmp.Or(dir, h.parts.Dir))
}

// Dir implements [batch.Host].
func (h batchHost) Dir(path string) (string, error) {
	if !filepath.IsAbs(path) && path[0] != '~' {
		path = filepath.Join(h.parts.Dir, path)
	}
	return cli.AbsoluteDir(h.parts.World, path)
}

// send connects the batch to a fleet. It returns a function that closes the connection.
func (wish Command) send(ctx context.Context, world cli.World, opts cli.Options, prompts *batch.Batch) (func(), error) {
	joined, err := wish.Open(ctx, world, "batch")
	if err != nil {
		return nil, err
	}
	host, _ := os.Hostname() // the host is shown by "marvin fleet status", and affects the default batch name
	sender, err := joined.Sender(ctx, wish.batchName(world, host), fleet.Begin{
		Name: wish.Args.File, Host: host, At: world.Now(), MaxCost: opts.MaxCost, Limits: fleet.Limits{Rounds: opts.MaxRounds, Time: opts.MaxTime},
	}, world.Now)
	if err != nil {
		joined.Close()
		return nil, err
	}
	prompts.Away, prompts.Detach = sender, wish.Detach
	return func() { sender.Close(); joined.Close() }, nil
}

// batchName returns the name from --batch. The default name depends on the files and the host, so
// that a repeated command continues its batch. If the command names no file, the name is random.
func (wish Command) batchName(world cli.World, host string) string {
	whole := func(path string) string {
		if path == "" || path == "-" {
			return path
		}
		if !filepath.IsAbs(path) {
			path = filepath.Join(world.Dir, path)
		}
		return filepath.Clean(path)
	}
	from, to := whole(wish.Args.File), whole(wish.Output)
	if wish.Batch != "" {
		return wish.Batch
	}
	if from == "-" && (to == "" || to == "-") {
		return strings.ToLower(rand.Text()[:12])
	}
	sum := sha256.Sum256([]byte(host + "\x00" + from + "\x00" + to))
	return hex.EncodeToString(sum[:6])
}
