package mcpservers

import (
	"marvin/messages"
)

// Renew reads the configuration again and applies the changes. Actors must not call Renew, because
// it reads from disk.
func (d Client) Renew() []messages.Notice {
	if d.deps.Reread == nil {
		return nil
	}
	d.deps.Others.Reading.Lock()
	defer d.deps.Others.Reading.Unlock()
	next, changed := d.deps.Reread()
	if !changed {
		return nil
	}
	d.deps.Tools.Load() // wait until the stored tools are loaded
	left, begun := d.deps.Others.Replace(&next, d.deps.Tools)
	if len(left) > 0 {
		d.root.Send(d.table, leaveServers{names: left})
	}
	for _, name := range begun {
		d.stock(name, next.Servers[name])
	}
	if len(next.Servers) > 0 {
		d.deps.Tools.Seek(d.discover)
	}
	return next.Told
}
