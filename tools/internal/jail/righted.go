package jail

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"marvin/tools/internal/jail/internal/gitwatch"
	"marvin/tools/internal/jail/internal/placeholder"
)

// runningDir is the directory, in Marvin's own, of the records of running commands: see
// [gitwatch.Recover].
const runningDir = "running"

// newWatch makes the watch of a jail. The keeper is locked.
func (k *Keeper) newWatch() *gitwatch.Watch { return gitwatch.New(k.tell, k.records.New()) }

// keepRecords begins to write down what commands must leave as it is, and puts right what those of
// killed Marvins left. Without a directory of its own Marvin can do neither. The keeper is locked.
func (k *Keeper) keepRecords() {
	if k.config.Data == "" || k.records != nil {
		return
	}
	k.recover()
	k.records, _ = gitwatch.OpenRecords(filepath.Join(k.config.Data, runningDir), k.temp.whole)
}

func (k *Keeper) recover() {
	if k.config.Data != "" {
		gitwatch.Recover(filepath.Join(k.config.Data, runningDir), func(temp string) bool { return placeholder.Inhabited()[filepath.Join(temp, tempName)] }, k.tell)
	}
}

// gitPlace is what git watches of a jail.
func (j *Jail) gitPlace() gitwatch.Place {
	return gitwatch.Place{
		Home: j.keeper.home(), Write: j.plan.Write, Links: j.plan.Links, Protect: j.plan.Protect, Gits: j.gits, Trees: j.trees,
		Mounts: lack(j.keeper.lacks.Load())&noMounts == 0,
	}
}

// tell notes what was put right, for [Keeper.PutRight].
func (k *Keeper) tell(what string) {
	k.righted.Lock()
	defer k.righted.Unlock()
	if !slices.Contains(k.righted.all, what) {
		k.righted.all = append(k.righted.all, what)
	}
}

// PutRight says once what commands left in repositories that the user's own git would have run, or
// written through; "" for nothing. All of it was removed, or put back as it was.
func (k *Keeper) PutRight() string {
	if k == nil {
		return ""
	}
	k.righted.Lock()
	defer k.righted.Unlock()
	all := k.righted.all
	k.righted.all = nil
	if more := len(all) - mostNamed; more > 0 {
		all = append(all[:mostNamed], fmt.Sprintf("%d more", more))
	}
	return strings.Join(all, "; ")
}

// LookAgain looks at the repositories while commands run, as they must be right before git
// runs outside of the sandbox.
func (k *Keeper) LookAgain() {
	if k == nil {
		return
	}
	k.mu.Lock()
	all := slices.Collect(maps.Values(k.jails))
	k.mu.Unlock()
	for _, one := range all {
		one.watch.Again(one.gitPlace())
	}
}
