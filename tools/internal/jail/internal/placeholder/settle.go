package placeholder

import (
	"slices"
	"sync"
	"time"
)

// unsettled is the list of ended commands whose placeholders might still exist.
type unsettled struct {
	mu  sync.Mutex
	all []<-chan struct{} // one channel for each command; see [Table.SettleLater]
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

// settling is the maximum time that [Table.Settle] waits. Removing placeholders takes longer only
// if the disk hangs. The caller's next operation will report a hanging disk.
const settling = 5 * time.Second

// SettleLater makes [Table.Settle] wait until the channel is closed. The channel must be closed
// after the placeholders of an ended command have been removed.
func (h *Table) SettleLater(ended <-chan struct{}) { h.unsettled.add(ended) }

// Settle waits until the placeholders of all ended commands are removed or the time limit is
// reached. The removal usually takes a few hundred µs after a command ends.
func (h *Table) Settle() {
	h.unsettled.mu.Lock()
	all := slices.Clone(h.unsettled.all)
	h.unsettled.mu.Unlock()
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
