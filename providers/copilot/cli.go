package copilot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"

	sdk "github.com/github/copilot-sdk/go"
)

// CLIConfig configures how Marvin finds and starts the CLI.
type CLIConfig struct {
	// Environ is the environment that the CLI inherits, including tokens, proxies and keys. Its
	// PATH is searched for the CLI.
	Environ []string
	// StartLimit is the time limit for starting the CLI; 0 means 20 s.
	StartLimit time.Duration
}

// CLI is the Copilot CLI: one process for any number of models. It is safe for concurrent use.
type CLI struct {
	config CLIConfig
	// starting is a lock that is held while the process starts. It is a channel, so that a caller
	// can stop waiting when the context ends.
	starting chan struct{}
	work     sync.WaitGroup // background work that Stop waits for

	mu      sync.Mutex
	current *process          // the process that models use, or nil
	living  map[*process]bool // processes that have not exited
	users   int               // number of open models that have asked a question
	ended   bool
}

var errEnded = errors.New("the Copilot CLI was stopped because Marvin is exiting")

// NewCLI returns a CLI. The program is found and started when the first question is asked.
func NewCLI(config CLIConfig) *CLI {
	config.StartLimit = cmp.Or(config.StartLimit, startLimit)
	return &CLI{config: config, starting: make(chan struct{}, 1), living: map[*process]bool{}}
}

// Stop ends the CLI and waits until all its processes are gone. Processes that are still running
// when ctx ends are killed. Answers in progress fail.
func (c *CLI) Stop(ctx context.Context) {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	closed := make(chan struct{})
	go func() {
		c.work.Wait()
		close(closed)
	}()
	select {
	case <-closed: // all background work has finished
	case <-ctx.Done():
	}
	c.mu.Lock()
	processes := slices.Collect(maps.Keys(c.living))
	c.mu.Unlock()
	var all sync.WaitGroup
	for _, p := range processes {
		all.Go(func() { p.stop(ctx) })
	}
	all.Wait()
	<-closed // without a process, the background work ends at once
}

// ensureRunning returns the running process, or starts one. It calls report(c.config.StartLimit)
// before a start, and report(0) afterward.
func (c *CLI) ensureRunning(ctx context.Context, report func(atMost time.Duration)) (*process, error) {
	if !c.runs() {
		report(c.config.StartLimit)
		defer report(0)
	}
	select {
	case c.starting <- struct{}{}:
		defer func() { <-c.starting }()
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
	c.mu.Lock()
	p, ended := c.current, c.ended
	c.mu.Unlock()
	if ended {
		return nil, errEnded
	}
	if p != nil && p.alive.Err() == nil {
		return p, nil
	}
	return c.start(ctx)
}

func (c *CLI) runs() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.current != nil && c.current.alive.Err() == nil
}

func (c *CLI) start(ctx context.Context) (*process, error) {
	path, err := Find(c.config.Environ)
	if err != nil {
		return nil, err
	}
	own, err := ownKey(c.config.Environ)
	if err != nil {
		return nil, err
	}
	p, err := c.launch(path)
	if err != nil {
		return nil, err
	}
	if err := p.connect(ctx, c.config.StartLimit); err != nil {
		return nil, err
	}
	if own == nil {
		if err := checkLogin(ctx, p); err != nil {
			p.stop(ctx) // a running process does not notice a new login
			return nil, err
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.current = p
	return p, nil
}

// checkLogin checks the login before the first turn. Without a login, the turn would fail with an
// error that does not mention the login.
func checkLogin(ctx context.Context, p *process) error {
	return p.call(ctx, func(ctx context.Context, client *sdk.Client) error {
		status, err := client.GetAuthStatus(ctx)
		if err != nil {
			return fmt.Errorf("ask the Copilot CLI who is logged in: %w", err)
		}
		if !status.IsAuthenticated {
			return notLoggedIn
		}
		return nil
	})
}

// launch creates a process and registers it for Stop.
func (c *CLI) launch(path string) (*process, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return nil, errEnded
	}
	p, err := launch(path, c.config.Environ, c.forget)
	if err == nil {
		c.living[p] = true
	}
	return p, err
}

func (c *CLI) forget(p *process) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.living, p)
}

func (c *CLI) join() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.users++
}

// leave unregisters a model. If no model remains, the process is stopped to free 290 MB.
func (c *CLI) leave() {
	c.mu.Lock()
	c.users--
	p := c.current
	last := c.users == 0 && p != nil
	if last {
		c.current = nil
	}
	c.mu.Unlock()
	if last {
		p.stop(context.Background())
	}
}

// background executes the given function in a new goroutine. [CLI.Stop] waits for the goroutine,
// unless it was already called.
func (c *CLI) background(work func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		go work() // c.Stop waits only for goroutines that started earlier
		return
	}
	c.work.Go(work)
}
