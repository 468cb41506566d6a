package batch

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/app"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/fleet"
	"marvin/cmd/marvin/internal/remote"
	"marvin/cmd/marvin/internal/resources"
	"marvin/messages"
	"marvin/messages/lists"
	"marvin/persistence/settings"
	"marvin/tools"
	"marvin/tools/git"
	"marvin/ui"
	"marvin/ui/headless"
)

type WorkerCommand struct {
	remote.FleetFlags
	Jobs   int      `long:"jobs" short:"j" value-name:"N" default:"8" description:"how many prompts are answered at a time"`
	Labels string   `long:"labels" value-name:"A,B" description:"labels that prompts can require, such as gpu,eu"`
	Serve  []string `long:"serve" value-name:"DIR" description:"allow prompts in this directory; repeatable\nPrompts may also name directories below it. The default is the working directory."`
	Git    []string `long:"git-from" value-name:"URL" description:"allow checkouts from this address; repeatable\nGive the beginning of the address, such as https://github.com/our/. By default, nothing is checked out."`
	Name   string   `long:"name" value-name:"NAME" description:"the name of this worker"`
}

// Run answers prompts until SIGTERM, an interrupt or "marvin fleet drain". It then finishes the
// running prompts.
func (wish WorkerCommand) Run(ctx context.Context, world cli.World, opts cli.Options) error {
	resources.CollectLess(world)
	opts.NonInteractive, opts.Output = true, ""
	ctx, ignore := signal.NotifyContext(ctx, os.Interrupt)
	defer context.AfterFunc(ctx, ignore)() // a second interrupt ends the process at once
	parts, err := app.New(world, opts)
	if err != nil {
		return err
	}
	defer parts.Close()
	about, err := wish.announcement(parts)
	if err != nil {
		return err
	}
	joined, err := wish.Open(ctx, world, "worker")
	if err != nil {
		return err
	}
	defer joined.Close()
	fmt.Fprintln(world.Stderr, parts.ChoiceLine())
	parts.WarnOfAll(false)
	fmt.Fprintf(world.Stderr, "worker %s: up to %s at a time, directories %s%s\n", about.Worker, messages.Counted(about.Jobs, "prompt"), strings.Join(about.Dirs, ", "), labelled(about.Labels))
	removeLeftCheckouts(parts, wish.Git)
	system := parts.Start()
	asking := &fleetWorker{parts: parts, from: wish.Git, asker: batch.Asker{
		Host: servedHost{batchHost{parts: parts, system: system}, about.Dirs}, Choice: actors.Choice{Provider: parts.Selection.Provider, Model: parts.Selection.Model},
		Notes: batch.Deduplicated(world.Stderr), Now: world.Now,
	}}
	worker := fleet.Worker{Fleet: joined, About: about, Say: world.Stderr, Answer: asking.answer}
	err = errors.Join(worker.Run(ctx), system.Stop())
	parts.SayLeft()
	if err != nil {
		return err
	}
	return cli.CostError{Result: headless.Result{Outcome: messages.Completed, Usage: asking.usage}}
}

func labelled(labels []string) string {
	if len(labels) == 0 {
		return ""
	}
	return ", labels " + strings.Join(labels, ", ")
}

func (wish WorkerCommand) announcement(p *app.App) (fleet.Announcement, error) {
	if wish.Jobs < 1 {
		return fleet.Announcement{}, fmt.Errorf("with --jobs %d, no prompts would be answered; give a number such as 4", wish.Jobs)
	}
	host, _ := os.Hostname() // the host name is optional information for users
	about := fleet.Announcement{
		Worker: cmp.Or(wish.Name, cleanHost(host)+"-"+strings.ToLower(rand.Text()[:5])), Host: host, Marvin: p.World.Version, Protocol: fleet.Protocol,
		Model: p.Selection.Provider + "/" + p.Selection.Model, Jobs: batch.ConcurrencyWithin(resources.OpenFiles(), wish.Jobs), Git: len(wish.Git) > 0 && !p.ReadOnly,
	}
	if !fleet.ValidName(about.Worker) {
		return about, fmt.Errorf("--name %q: a name has at most 40 characters: letters, digits, - and _", about.Worker)
	}
	for label := range strings.SplitSeq(wish.Labels, ",") {
		if label = strings.TrimSpace(label); label != "" {
			about.Labels = append(about.Labels, label)
		}
	}
	for _, provider := range p.Accounts.Pool.All() {
		if _, err := p.Selected(actors.Choice{Provider: provider.Name}); err == nil {
			about.Providers = append(about.Providers, provider.Name)
		}
	}
	about.Roles = lists.Filter(settings.Roles, func(role string) bool { return len(p.Config.Models.Role(role)) > 0 })
	if len(wish.Serve) == 0 {
		about.Dirs = []string{p.Dir}
	}
	for _, dir := range wish.Serve {
		whole, err := cli.AbsoluteDir(p.World, dir)
		if err != nil {
			return about, fmt.Errorf("--serve: %w", err)
		}
		about.Dirs = append(about.Dirs, whole)
	}
	return about, nil
}

// cleanHost returns at most 30 bytes of the first label of a host name. It replaces all characters
// except ASCII letters and digits with "-".
func cleanHost(host string) string {
	host, _, _ = strings.Cut(host, ".")
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, host[:min(len(host), 30)])
}

// fleetWorker answers prompts from a fleet.
type fleetWorker struct {
	parts *app.App
	asker batch.Asker
	from  []string // allowed prefixes of repository addresses

	mu    sync.Mutex
	usage messages.Usage
}

func (s *fleetWorker) answer(ctx context.Context, ask fleet.Ask) batch.Result {
	talk := batch.Talk{Intends: ask.Intends, Held: ask.Held, Doing: ask.Doing, Limits: actors.Limits{Cost: ask.Left, Rounds: ask.Limits.Rounds, Time: ask.Limits.Time}}
	var result batch.Result
	if ask.Prompt.Git == "" {
		result = s.asker.Answer(ctx, ask.Prompt, talk, ask.Spend)
	} else {
		result = s.answerInCheckout(ctx, ask, talk)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.usage = s.usage.Plus(result.Usage)
	return result
}

// servedHost restricts prompts to the served directories.
type servedHost struct {
	batchHost
	dirs []string
}

// Open implements [batch.Host]. A prompt without a directory runs in the worker's working
// directory, or in the first served directory if the working directory is not served.
func (h servedHost) Open(talk batch.Talk) (ui.Client, error) {
	if talk.Dir == "" {
		if _, err := h.Dir(h.parts.Dir); err != nil {
			talk.Dir = h.dirs[0]
		}
	}
	return h.batchHost.Open(talk)
}

// Dir implements [batch.Host].
func (h servedHost) Dir(path string) (string, error) {
	dir, err := h.batchHost.Dir(path)
	if err != nil {
		return "", err
	}
	for _, served := range h.dirs {
		if rest, err := filepath.Rel(served, dir); err == nil && rest != ".." && !strings.HasPrefix(rest, "../") {
			return dir, nil
		}
	}
	return "", fmt.Errorf("this worker accepts no prompts in %s; it serves %s", dir, strings.Join(h.dirs, ", "))
}

// patchTime is the time limit for collecting a patch. Canceling the prompt does not stop the
// collection.
const patchTime = time.Minute

// removeLeftCheckouts removes the checkouts of workers that were killed.
func removeLeftCheckouts(p *app.App, from []string) {
	if len(from) == 0 || p.Config.Home.User == "" {
		return
	}
	removed, err := git.Sweep(p.Config.Home.User)
	if removed > 0 {
		fmt.Fprintf(p.World.Stderr, "removed %s left behind by killed workers\n", messages.Counted(removed, "checkout"))
	}
	if err != nil {
		fmt.Fprintln(p.World.Stderr, "warning: removing checkouts left behind by killed workers:", err)
	}
}

// mayCheckOut reports whether --git-from allows checkouts from a repository address.
func (s *fleetWorker) mayCheckOut(address string) bool {
	return plainPath(address) && slices.ContainsFunc(s.from, func(from string) bool {
		return address == from || strings.HasPrefix(address, strings.TrimSuffix(from, "/")+"/")
	})
}

// plainPath reports whether all servers read an address as the same path. It rejects "..", encoded
// characters, and everything else that a server could read as a different path.
func plainPath(address string) bool {
	_, rest, _ := strings.Cut(address, "://")
	rest = cmp.Or(rest, address)
	return !strings.Contains(address, "..") && !strings.Contains(rest, "//") && !strings.Contains(rest, "/./") && !strings.HasSuffix(rest, "/.") &&
		!strings.ContainsAny(address, "%\\?#;\x00\t\r\n ")
}

// answerInCheckout answers a prompt in a new checkout, and then removes the checkout. The result
// contains the changes as a patch, even if the turn fails.
func (s *fleetWorker) answerInCheckout(ctx context.Context, ask fleet.Ask, talk batch.Talk) batch.Result {
	p, failed := s.parts, batch.Result{Outcome: messages.Failed}
	if !s.mayCheckOut(ask.Prompt.Git) {
		failed.Error = "this worker may not check out from " + ask.Prompt.Git + " (its option --git-from does not allow that address)"
		return failed
	}
	checkout, err := git.Borrow(ctx, tools.Env{
		Home: p.Config.Home.User, State: p.Config.Home.State, Coding: true, Now: p.World.Now, Environ: p.World.Environ,
		Held: tools.Held{Sandbox: p.Config.Sandbox}, Progress: func(string) {}, Seen: &tools.Stamps{},
	}, ask.Prompt.Git, ask.Prompt.Commit)
	if err != nil {
		failed.Error = err.Error()
		return failed
	}
	talk.Dir = checkout.Dir
	result := s.asker.Answer(ctx, ask.Prompt, talk, ask.Spend)
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patchTime)
	defer cancel()
	patch, err := checkout.Patch(ctx)
	if err = errors.Join(err, checkout.Close()); err != nil {
		result.Error = strings.TrimPrefix(fmt.Sprintf("%s; %v", result.Error, err), "; ")
		if result.Outcome == messages.Completed {
			result.Outcome = messages.Incomplete
		}
	}
	result.Patch = patch
	return result
}
