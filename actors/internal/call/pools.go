package call

import (
	"context"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/semaphore"

	"marvin/tools"
)

// Pools limit the concurrent tool calls in each [tools.Pool], across the whole process. While a
// call writes to a working directory, no other call runs in that directory.
type Pools struct {
	agents                *semaphore.Weighted // limits the number of sub-agents across all calls
	agentLimit, fileLimit int
	slots                 map[tools.Pool]*semaphore.Weighted
	mu                    sync.Mutex
	gates                 map[string]*gate // by working directory
}

// gateSize is the size of a directory's semaphore and the weight of an exclusive call. A shared
// call has weight 1. Fewer than gateSize calls can run at once.
const gateSize = 1 << 20

// agentLimit returns the maximum number of concurrent sub-agents. The argument is the process's
// limit on open files, or 0 if there is no limit. Each sub-agent needs a connection and sometimes a
// file. Some files are reserved for the rest of the program.
func agentLimit(files int) int {
	const most, others = 4096, 96
	if files <= 0 {
		return most
	}
	return min(most, max(1, (files-others)/2))
}

// commandLimit returns the maximum number of concurrent commands. The default does not depend on
// the number of processors, because most commands mainly wait. Each command needs about
// eight open files.
func commandLimit(files, wanted int) int {
	const usual, perCommand, others = 64, 8, 96
	if wanted <= 0 {
		wanted = usual
	}
	if files <= 0 {
		return wanted
	}
	return min(wanted, max(4, (files-others)/perCommand))
}

func NewPools(files, commands int) *Pools {
	limit := agentLimit(files)
	return &Pools{
		agents: semaphore.NewWeighted(int64(limit)), agentLimit: limit, fileLimit: files,
		slots: map[tools.Pool]*semaphore.Weighted{
			tools.Net:     semaphore.NewWeighted(16),
			tools.Proc:    semaphore.NewWeighted(int64(max(4, runtime.NumCPU()))),
			tools.Local:   semaphore.NewWeighted(8),
			tools.Agent:   semaphore.NewWeighted(16),
			tools.Command: semaphore.NewWeighted(int64(commandLimit(files, commands))),
		},
		gates: map[string]*gate{},
	}
}

// waitNotice is the waiting time after which the user learns why a call waits.
const waitNotice = 2 * time.Second

// enter waits for the directory and then for a slot. Because of this order, a call with a slot
// never waits for another call, so no deadlock is possible. If one of the waits takes longer than
// [waitNotice], the callback receives the reason.
func (p *Pools) enter(ctx context.Context, tool *tools.Tool, dir string, say func(string)) (leave func(), err error) {
	release := func() {}
	if weight := weightOf(tool.Access); weight > 0 {
		gate := p.gate(dir)
		if err := acquire(ctx, gate.calls, weight, func() { say("Waiting until other calls finish in " + dir) }); err != nil {
			p.forget(dir, gate)
			return nil, err
		}
		release = func() { gate.calls.Release(weight); p.forget(dir, gate) }
	}
	slot := p.slots[tool.Pool]
	if err := acquire(ctx, slot, 1, func() { say(busy[tool.Pool]) }); err != nil {
		release()
		return nil, err
	}
	return func() { slot.Release(1); release() }, nil
}

// busy contains the notices to the user about pools without a free slot.
var busy = map[tools.Pool]string{
	tools.Local:   "Waiting for a free slot: 8 local calls are running",
	tools.Net:     "Waiting for a free slot: 16 network calls are running",
	tools.Proc:    "Waiting for a free slot: other searches and git calls are running",
	tools.Agent:   "Waiting for a free slot: 16 calls that start sub-agents or ask questions are running",
	tools.Command: "Waiting for a free slot: the maximum number of commands is running (\"commands\" under \"limits:\" in config.yaml)",
}

func weightOf(access tools.Access) int64 {
	switch access {
	case tools.Shared:
		return 1
	case tools.Exclusive:
		return gateSize
	}
	return 0
}

// acquire takes the given weight from the semaphore. If the wait exceeds [waitNotice], the callback
// runs once, on a separate goroutine.
func acquire(ctx context.Context, from *semaphore.Weighted, weight int64, late func()) error {
	if from.TryAcquire(weight) {
		return nil
	}
	timer := time.AfterFunc(waitNotice, late)
	defer timer.Stop()
	if err := from.Acquire(ctx, weight); err != nil {
		return context.Cause(ctx)
	}
	return nil
}

// gate restricts the calls in one directory.
type gate struct {
	calls *semaphore.Weighted
	users int // the number of calls that hold the gate or wait for it
}

func (p *Pools) gate(dir string) *gate {
	p.mu.Lock()
	defer p.mu.Unlock()
	one := p.gates[dir]
	if one == nil {
		one = &gate{calls: semaphore.NewWeighted(gateSize)}
		p.gates[dir] = one
	}
	one.users++
	return one
}

// forget decrements gate.users. If the result is 0, it deletes the gate.
func (p *Pools) forget(dir string, one *gate) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if one.users--; one.users == 0 {
		delete(p.gates, dir)
	}
}
