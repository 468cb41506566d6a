package remote

import (
	"cmp"
	"context"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"marvin/actors"
	"marvin/cmd/marvin/internal/batch"
	"marvin/cmd/marvin/internal/cli"
	"marvin/cmd/marvin/internal/fleet"
	"marvin/messages"
	"marvin/persistence/settings"
	"marvin/tools"
)

// Runner runs tasks of sub-agents on the fleet that config.yaml names. It implements
// [actors.RemoteRunner]. It connects on first use and keeps the connection.
type Runner struct {
	world cli.World
	label string
	flags FleetFlags
	named func(text string) (actors.Choice, bool)

	mu     sync.Mutex
	joined *fleet.Fleet
	calls  map[string]*batchTasks // by batch; only batches with tasks

	// The callbacks have their own mutex, because Runner.say runs while Runner.join holds mu.
	hearing sync.Mutex
	next    int
	hears   map[int]func(tools.TaskProgress) // progress callbacks of the running tasks
}

// New returns a runner for the configured fleet, or nil if no fleet is configured.
func New(world cli.World, settings settings.Config, named func(string) (actors.Choice, bool)) actors.RemoteRunner {
	if settings.Fleet.URL == "" {
		return nil
	}
	flags := FleetFlags{Away: 30 * time.Second}.withLogin(world.Getenv("MARVIN_FLEET_CREDS"), world.Getenv("MARVIN_FLEET_NKEY"))
	flags = flags.Configured(settings.Fleet, world.Home)
	return &Runner{world: world, label: settings.Fleet.Label, flags: flags, named: named, hears: map[int]func(tools.TaskProgress){}, calls: map[string]*batchTasks{}}
}

// Do implements [actors.RemoteRunner].
func (e *Runner) Do(ctx context.Context, errand actors.RemoteTask, say func(tools.TaskProgress)) tools.Report {
	failed := func(err error) tools.Report {
		if ctx.Err() != nil {
			return tools.Report{Outcome: messages.Cancelled}
		}
		return tools.Report{Outcome: messages.Failed, Err: err.Error()}
	}
	defer e.hear(say)()
	joined, err := e.join(ctx)
	if err != nil {
		return failed(err)
	}
	ended, err := e.registerTask(ctx, joined, batchOfCall(errand))
	if err != nil {
		return failed(err)
	}
	defer ended()
	host, _ := os.Hostname() // only shown to the user
	sender, err := joined.Sender(ctx, batchOfCall(errand), fleet.Begin{
		Name: "sub-agents: " + errand.Task.Name, Host: host, At: e.world.Now(), MaxCost: errand.Limits.Cost,
		Limits: fleet.Limits{Rounds: errand.Limits.Rounds, Time: errand.Limits.Time}, Live: true,
		Held: batch.Restrictions{ReadOnly: errand.Task.ReadOnly, Tools: errand.Task.Tools},
	}, e.world.Now)
	if err != nil {
		return failed(err)
	}
	defer sender.Close()
	result, err := sender.Ask(ctx, e.prompt(errand), say)
	if err != nil && result.ID == "" {
		return failed(err)
	}
	return tools.Report{Outcome: result.Outcome, Text: result.Text, Err: result.Error, Usage: result.Usage, Patch: result.Patch}
}

func batchOfCall(errand actors.RemoteTask) string { return "agents-" + errand.Call }

// batchTasks counts the running tasks of a batch.
type batchTasks struct {
	running int
	cleared chan struct{} // closed when the batch's records are deleted; nil while tasks run
}

// registerTask counts a running task of a batch. The caller must call the returned function when
// the task has ended. If no other task of the batch is running, that function deletes the batch's
// results and records, but only if ctx was not canceled. Until they are deleted, registerTask waits:
// otherwise the records of the new task would be deleted, too.
func (e *Runner) registerTask(ctx context.Context, joined *fleet.Fleet, id string) (ended func(), err error) {
	e.mu.Lock()
	for e.calls[id] != nil && e.calls[id].cleared != nil {
		cleared := e.calls[id].cleared
		e.mu.Unlock()
		select {
		case <-cleared:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
		e.mu.Lock()
	}
	defer e.mu.Unlock()
	if e.calls[id] == nil {
		e.calls[id] = &batchTasks{}
	}
	tasks := e.calls[id]
	tasks.running++
	return func() {
		e.mu.Lock()
		defer e.mu.Unlock()
		if tasks.running--; tasks.running > 0 {
			return
		}
		if ctx.Err() == nil {
			tasks.cleared = make(chan struct{})
			defer close(tasks.cleared)
			e.mu.Unlock()
			timed, stop := context.WithTimeout(ctx, 5*time.Second)
			_ = joined.Clear(timed, id) // an error only leaves old lines in "marvin fleet status"
			stop()
			e.mu.Lock()
		}
		delete(e.calls, id)
	}, nil
}

func (e *Runner) prompt(errand actors.RemoteTask) batch.Prompt {
	task := errand.Task
	prompt := batch.Prompt{ID: strconv.Itoa(errand.Number), Line: errand.Number, Text: task.Prompt, Dir: task.Dir, Asked: errand.Call}
	prompt.Label, prompt.Git, prompt.Commit = e.label, task.Git, task.Commit
	switch choice, named := e.named(task.Model); {
	case slices.Contains(settings.Roles, task.Model):
		prompt.Role = task.Model
	case named:
		prompt.Provider, prompt.Model = choice.Provider, choice.Model
	default:
		prompt.Provider, prompt.Model = task.Provider, task.Model
	}
	return prompt
}

func (e *Runner) join(ctx context.Context) (*fleet.Fleet, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.joined != nil && e.joined.Lost() == nil {
		return e.joined, nil
	}
	address := e.flags.address("agents")
	address.Say = e.say
	joined, err := fleet.Open(ctx, address)
	if err == nil {
		e.joined = joined
	}
	return joined, err
}

// say adds a message to the progress of every running task.
func (e *Runner) say(text string) {
	e.hearing.Lock()
	defer e.hearing.Unlock()
	for _, hears := range e.hears {
		hears(tools.TaskProgress{Title: text})
	}
}

func (e *Runner) hear(say func(tools.TaskProgress)) (stop func()) {
	e.hearing.Lock()
	defer e.hearing.Unlock()
	e.next++
	number := e.next
	e.hears[number] = say
	return func() {
		e.hearing.Lock()
		defer e.hearing.Unlock()
		delete(e.hears, number)
	}
}

// Close ends the connection, if there was one.
func (e *Runner) Close() {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.joined != nil {
		e.joined.Close()
	}
}

func (f FleetFlags) address(role string) fleet.Address {
	return fleet.Address{
		Servers: f.Fleet, Stream: cmp.Or(string(f.Stream), usualStream), Creds: f.Creds, NKey: f.NKey,
		CA: f.CA, Cert: f.Cert, Key: f.CertKey, Name: "marvin " + role, AckWait: f.Away,
	}
}
