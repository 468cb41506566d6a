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

// runningDir is the subdirectory of [Config.Data] that contains the records of running commands:
// see [gitwatch.Recover].
const runningDir = "running"

// newWatch returns a watch with a new record. The caller holds the lock.
func (k *Keeper) newWatch() *gitwatch.Watch { return gitwatch.New(k.tell, k.records.New()) }

// keepRecords repairs the changes made by commands of killed Marvin processes, and opens the
// records of this process. The caller must hold the lock.
func (k *Keeper) keepRecords() {
	if k.config.Data == "" || k.records != nil {
		return
	}
	k.recover()
	k.records, _ = gitwatch.OpenRecords(filepath.Join(k.config.Data, runningDir), k.temp.whole)
}

func (k *Keeper) recover() {
	if k.config.Data != "" {
		gitwatch.Recover(filepath.Join(k.config.Data, runningDir), func(temp string) bool { return placeholder.LivingMounts()[filepath.Join(temp, tempName)] }, k.tell)
	}
}

// gitPlace returns the paths that gitwatch watches for a jail.
func (j *Jail) gitPlace() gitwatch.Place {
	return gitwatch.Place{
		Home: j.keeper.home(), Write: j.plan.Write, Links: j.plan.Links, Protect: j.plan.Protect, Gits: j.gits, Trees: j.trees,
		Mounts: lack(j.keeper.lacks.Load())&noMounts == 0,
	}
}

// tell adds a repair to the list that [Keeper.PutRight] returns.
func (k *Keeper) tell(what string) {
	k.righted.Lock()
	defer k.righted.Unlock()
	if !slices.Contains(k.righted.all, what) {
		k.righted.all = append(k.righted.all, what)
	}
}

// PutRight describes the repairs since its last call, or returns "" if there were none. A repair is
// needed if the user's own git would run or obey a file that a command left in a repository. Marvin
// removes the file or moves it aside, and restores the earlier file if there was one.
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

// LookAgain repairs the repositories while commands run. It must be called before Marvin runs git
// outside the sandbox.
func (k *Keeper) LookAgain() {
	if k == nil {
		return
	}
	k.mu.Lock()
	all := slices.Collect(maps.Values(k.jails))
	k.mu.Unlock()
	for _, one := range all {
		one.watch.RevertNow(one.gitPlace())
	}
}
