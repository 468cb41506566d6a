package git

import (
	"context"
	"fmt"
	"sync"
	"time"

	"marvin/tools"
	"marvin/tools/internal/gitcmd"
)

const (
	lookTime  = 30 * time.Second
	writeTime = 2 * time.Minute // hooks can run tests, and filters can fetch large files
)

// Service provides the git tools. All sessions share one Service. The zero value is ready to use.
type Service struct {
	mu      sync.Mutex
	writers map[string]chan struct{} // a one-slot semaphore per repository
	agreed  approvals
}

// New returns a service.
func New() *Service { return &Service{} }

// Tools returns the tools of this category.
func (s *Service) Tools() []tools.Tool {
	return []tools.Tool{
		statusTool(), diffTool(), s.commitTool(), logTool(), blameTool(), branchTool(), s.checkoutTool(),
	}
}

// reserve waits until no other commit or checkout call uses the repository and git's index lock is
// free. It fails if the lock stays too long. The caller must call release.
func (s *Service) reserve(ctx context.Context, env tools.Env, repository *gitcmd.Repository) (release func(), err error) {
	s.mu.Lock()
	if s.writers == nil {
		s.writers = map[string]chan struct{}{}
	}
	place, ok := s.writers[repository.Common]
	if !ok {
		place = make(chan struct{}, 1)
		s.writers[repository.Common] = place
	}
	s.mu.Unlock()
	select {
	case place <- struct{}{}:
	case <-ctx.Done():
		return nil, fmt.Errorf("waiting for another commit in %s: %w", repository.Common, context.Cause(ctx))
	}
	release = func() { <-place }
	if err := repository.AwaitLock(ctx, env.Now); err != nil {
		release()
		return nil, err
	}
	return release, nil
}
