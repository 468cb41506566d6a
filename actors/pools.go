package actors

import (
	"context"
	"runtime"
	"sync"

	"golang.org/x/sync/semaphore"

	"marvin/tools"
)

// pools bound how many tool calls of a class run at once in the whole process, and
// keep writes to a working directory apart from everything else that touches it.
type pools struct {
	agents                *semaphore.Weighted // sub-agents, of all calls
	agentLimit, fileLimit int
	slots                 map[tools.Pool]*semaphore.Weighted
	mu                    sync.Mutex
	gates                 map[string]*semaphore.Weighted // by working directory
}

// readers is the weight of an exclusive call: more than calls can ever run.
const readers = 1 << 20

// agentLimit is how many sub-agents may run at once in a process that may open so many
// files; 0 means any number. Each has a connection, and now and then a file; the rest
// of the program has its share first.
func agentLimit(files int) int {
	const most, others = 4096, 96
	if files <= 0 {
		return most
	}
	return min(most, max(1, (files-others)/2))
}

func newPools(files int) *pools {
	limit := agentLimit(files)
	return &pools{
		agents: semaphore.NewWeighted(int64(limit)), agentLimit: limit, fileLimit: files,
		slots: map[tools.Pool]*semaphore.Weighted{
			tools.Net:   semaphore.NewWeighted(16),
			tools.Proc:  semaphore.NewWeighted(int64(max(4, runtime.NumCPU()))),
			tools.Local: semaphore.NewWeighted(8),
			tools.Agent: semaphore.NewWeighted(16),
		},
		gates: map[string]*semaphore.Weighted{},
	}
}

// enter waits for the directory and then for a slot. In this order whoever holds a
// slot is running, so the two waits cannot block each other in a circle.
func (p *pools) enter(ctx context.Context, tool *tools.Tool, dir string) (leave func(), err error) {
	gate, weight := p.gate(dir), int64(0)
	switch tool.Access {
	case tools.Shared:
		weight = 1
	case tools.Exclusive:
		weight = readers
	}
	if err := gate.Acquire(ctx, weight); err != nil {
		return nil, context.Cause(ctx)
	}
	slot := p.slots[tool.Pool]
	if err := slot.Acquire(ctx, 1); err != nil {
		gate.Release(weight)
		return nil, context.Cause(ctx)
	}
	return func() { slot.Release(1); gate.Release(weight) }, nil
}

func (p *pools) gate(dir string) *semaphore.Weighted {
	p.mu.Lock()
	defer p.mu.Unlock()
	gate := p.gates[dir]
	if gate == nil {
		gate = semaphore.NewWeighted(readers)
		p.gates[dir] = gate
	}
	return gate
}
