package language

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"time"
)

// mostWork is the maximum wait for tasks that check unchanged files. Problems found later are
// reported with the next change.
const mostWork = 500 * time.Millisecond

// mostWorks is the maximum number of open tasks, because some servers may never end a task.
const mostWorks = 100

// works tracks the tasks of one kind that a server announces with "$/progress". Waiting for these
// tasks is faster than waiting for silence: an edit with gopls takes 18 ms instead of 68 ms.
type works struct {
	mu    sync.Mutex
	open  map[string]bool // by token
	begun int             // number of tasks that have begun
	none  chan struct{}   // closed when the last open task ends; nil if no task is open
}

// hear decodes params, the parameters of a "$/progress" message, and records the beginning or the
// end of a task. It ignores tasks whose titles do not begin with kind.
func (w *works) hear(kind string, params json.RawMessage) {
	var said struct {
		Token json.RawMessage `json:"token"`
		Value struct{ Kind, Title string }
	}
	if kind == "" || json.Unmarshal(params, &said) != nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	token := string(said.Token)
	switch {
	case said.Value.Kind == "begin" && strings.HasPrefix(said.Value.Title, kind) && len(w.open) < mostWorks:
		if len(w.open) == 0 {
			w.open, w.none = map[string]bool{}, make(chan struct{})
		}
		w.open[token] = true
		w.begun++
	case said.Value.Kind == "end" && w.open[token]:
		delete(w.open, token)
		if len(w.open) == 0 {
			close(w.none)
			w.none = nil
		}
	}
}

// state returns the number of tasks begun, and a channel that is closed when the last open task
// ends. The channel is nil if no task is open.
func (w *works) state() (begun int, none <-chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.begun, w.none
}

// hearOthers waits for reports about unchanged files. oldTasks is the number of tasks that began
// before the update. If no later task has begun, hearOthers waits only for a short silence.
func hearOthers(ctx context.Context, s *Session, oldTasks int) error {
	begun, none := s.works.state()
	if begun == oldTasks {
		_, err := s.listen(ctx, nil, othersWait)
		return err
	}
	if none == nil {
		return nil
	}
	ctx, stop := context.WithTimeout(ctx, s.mostWork)
	defer stop()
	select {
	case <-none:
	case <-s.conn.over:
		return s.explainFailure(s.conn.failure())
	case <-ctx.Done():
	}
	return nil
}
