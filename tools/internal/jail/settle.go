package jail

import (
	"slices"
	"sync"
	"time"
)

// unsettled are ended commands with placeholders still to be removed.
type unsettled struct {
	mu  sync.Mutex
	all []<-chan struct{} // closed when that is done
}

func (u *unsettled) add(ended <-chan struct{}) {
	u.mu.Lock()
	defer u.mu.Unlock()
	for len(u.all) > 0 && closed(u.all[0]) {
		u.all = u.all[1:]
	}
	u.all = append(u.all, ended)
}

func closed(ended <-chan struct{}) bool {
	select {
	case <-ended:
		return true
	default:
		return false
	}
}

// settling bounds how long a call waits for that: beyond it the disk does not answer, which the
// call itself then finds out and says.
const settling = 5 * time.Second

// Settle returns when nothing is left that was made in the project for commands which are
// over: see [Entry.Beside]. That takes some hundred µs from the end of the last one.
func (k *Keeper) Settle() {
	if k == nil {
		return
	}
	k.holds.unsettled.mu.Lock()
	all := slices.Clone(k.holds.unsettled.all)
	k.holds.unsettled.mu.Unlock()
	var late <-chan time.Time
	for _, ended := range all {
		if closed(ended) {
			continue
		}
		if late == nil {
			late = time.After(settling)
		}
		select {
		case <-ended:
		case <-late:
			return
		}
	}
}
