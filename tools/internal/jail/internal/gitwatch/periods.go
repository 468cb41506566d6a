package gitwatch

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"marvin/tools/internal/jail/internal/disk"
)

// A period is a span of time in which a Marvin process may have run sandboxed commands, in any
// directory. If the ctime of a file lies outside all periods, the user changed the file, because no
// command can set a ctime. Each period that has ended has an empty file beside the records. The
// file's name contains the beginning and the end, so Marvin processes that exit at the same time
// need no lock. Each period that has not ended has a directory of records.
type period struct{ begin, end time.Time }

const (
	periodPrefix = "ran-"
	mostPeriods  = 100 // the maximum number of periods that [joined] returns
)

func (p period) name() string {
	return fmt.Sprintf("%s%d-%d", periodPrefix, p.begin.UnixNano(), p.end.UnixNano())
}

// byCommands reports whether a command of any Marvin process may have changed one of the paths.
func (w *Watch) byCommands(paths []string) bool {
	all := []period{{w.began, time.Now()}}
	if w.records != "" {
		all = append(all, periods(filepath.Dir(w.records))...)
	}
	return slices.ContainsFunc(paths, func(path string) bool {
		stat, ok := disk.Of(path)
		return ok && slices.ContainsFunc(all, func(one period) bool { return stat.ChangedIn(one.begin, one.end) })
	})
}

func periods(in string) []period {
	all := ended(in)
	entries, _ := os.ReadDir(in) // no directory means no other Marvin process
	for _, entry := range entries {
		if info, err := os.Stat(filepath.Join(in, entry.Name(), lockName)); err == nil {
			all = append(all, period{info.ModTime(), time.Now()})
		}
	}
	return all
}

func ended(in string) (all []period) {
	entries, _ := os.ReadDir(in)
	for _, entry := range entries {
		var begin, end int64
		if _, err := fmt.Sscanf(entry.Name(), periodPrefix+"%d-%d", &begin, &end); err == nil {
			all = append(all, period{time.Unix(0, begin), time.Unix(0, end)})
		}
	}
	slices.SortFunc(all, func(a, b period) int { return a.begin.Compare(b.begin) })
	return all
}

// endPeriod records that the period of a Marvin process has ended. dir contains the records of the
// ended process.
func endPeriod(dir string) error {
	info, err := os.Stat(filepath.Join(dir, lockName))
	if err != nil {
		return err
	}
	in := filepath.Dir(dir)
	before := ended(in)
	now := joined(append(before, period{info.ModTime(), time.Now()}))
	// The new files are written first, so that the files always cover all periods.
	for _, one := range now {
		err = errors.Join(err, os.WriteFile(filepath.Join(in, one.name()), nil, 0o600))
	}
	for _, one := range before {
		if err == nil && !slices.ContainsFunc(now, func(kept period) bool { return kept.name() == one.name() }) {
			_ = os.Remove(filepath.Join(in, one.name()))
		}
	}
	return err
}

// joined returns the periods in order, with overlapping periods merged. If more than mostPeriods
// would be left, it also merges the periods with the smallest gaps.
func joined(all []period) []period {
	slices.SortFunc(all, func(a, b period) int { return a.begin.Compare(b.begin) })
	for {
		nearest := 0
		for i := 1; i < len(all); i++ {
			if nearest == 0 || gap(all, i) < gap(all, nearest) {
				nearest = i
			}
		}
		if nearest == 0 || gap(all, nearest) > 0 && len(all) <= mostPeriods {
			return all
		}
		all[nearest-1].end = slices.MaxFunc([]time.Time{all[nearest-1].end, all[nearest].end}, time.Time.Compare)
		all = slices.Delete(all, nearest, nearest+1)
	}
}

func gap(all []period, i int) time.Duration { return all[i].begin.Sub(all[i-1].end) }
