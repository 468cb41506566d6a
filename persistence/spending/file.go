package spending

import (
	"errors"
	"fmt"
	"slices"

	"marvin/persistence/internal/store"
)

// Lifetime manages the lifetime totals of one user.
type Lifetime struct{ home *store.Home }

// Of returns the lifetime totals of the user with the given home.
func Of(h *store.Home) Lifetime { return Lifetime{h} }

// Many processes can exit at the same time, and the shell waits for each of them. So each process
// appends its totals to a journal in 0.02 ms. Only the process that gets the lock merges the
// journal into usage.json. After unlocking, that process checks the journal for new lines.
//
// Without the journal, each process would lock and replace usage.json. A rename takes 0.3 ms on
// ext4, and the median wait was 23 ms with 32 processes on 2 cores.

// usageFile is the content of usage.json. Merged lists the IDs of the merged journal lines. If a
// crash leaves such lines in the journal, they are not counted twice.
type usageFile struct {
	Usage
	Merged []string `json:"merged_parts,omitempty"`
}

// usageLimit is the maximum size of usage.json in bytes. The file may be large because earlier
// versions of Marvin stored every tool name that a model made up. The next merge shrinks it.
const usageLimit = 256 << 20

func (l Lifetime) document() store.Document[usageFile] {
	return store.Document[usageFile]{Home: l.home, Path: l.home.Path("usage.json"), Survives: store.Durable, Most: usageLimit}
}

// Usage reads the lifetime totals.
func (l Lifetime) Usage() (Usage, error) {
	// Read the journal first. If another process merges lines before usage.json is read, the IDs of
	// these lines are in Merged.
	journal, err := l.journal().read()
	if err != nil {
		return Usage{}, err
	}
	file, err := l.document().Load()
	file.merge(journal)
	return file.Usage, err
}

// Add adds delta to the totals. It never waits for another process to merge. No addition is lost,
// even if many processes add at the same time. After an error, do not add the same delta again,
// because a later call can still merge it.
func (l Lifetime) Add(delta Usage) error {
	if err := l.Charge(delta); err != nil {
		return err
	}
	return l.Merge()
}

// Charge adds delta to the lifetime totals. It takes 0.05 ms, because it only appends a line to the
// journal without waiting for the disk.
func (l Lifetime) Charge(delta Usage) error {
	if l.home.State == "" {
		return store.ErrNoHome
	}
	if err := l.journal().append(delta.limited()); err != nil {
		return fmt.Errorf("store the usage: %w", err)
	}
	return nil
}

// Merge merges the journal into usage.json. It does nothing if another process is merging.
func (l Lifetime) Merge() error {
	var damage error
	for {
		done, err := l.mergeOnce()
		if store.OnlyDamage(err) {
			damage = errors.Join(damage, err)
		} else if errors.Is(err, store.ErrLocked) {
			return damage
		} else if err != nil {
			return errors.Join(damage, err)
		}
		left, err := l.journal().read()
		if err != nil || !slices.ContainsFunc(left.parts, func(part usagePart) bool { return !slices.Contains(done, part.ID) }) {
			return errors.Join(damage, err)
		}
	}
}

// mergeOnce merges the journal into usage.json and returns the IDs of the merged lines.
func (l Lifetime) mergeOnce() (done []string, err error) {
	document := l.document()
	path, unlock, err := l.home.LockFile(document.Path, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, unlock()) }()
	journal, err := l.journal().read()
	if err != nil || journal.size == 0 {
		return nil, err
	}
	err = document.Update(path, func(file *usageFile) error {
		file.merge(journal)
		done = file.Merged
		return nil
	})
	if err != nil && !store.OnlyDamage(err) {
		return nil, err // usage.json was not updated, so the journal keeps its lines
	}
	return done, errors.Join(err, l.journal().removeMerged(journal))
}

// merge adds each journal line to the totals, except lines listed in f.Merged.
func (f *usageFile) merge(journal journalContent) {
	var merged []string
	for _, part := range journal.parts {
		if !slices.Contains(f.Merged, part.ID) {
			f.add(part.Usage)
		}
		merged = append(merged, part.ID)
	}
	f.Merged = merged
}
