package words

import (
	"runtime"
	"slices"

	"golang.org/x/sync/errgroup"
)

// Hundreds of files are some thousand calls of the kernel, which the processors share: a
// person waits for the first answer of a conversation until they are read.
const (
	mostTogether = 4  // parts at once
	fewest       = 40 // files that justify one more goroutine
)

// together does something with each of n, in several parts at a time, and notes what they
// found in their order. A panic of a part becomes one of the caller.
func (u *unit) together(n int, do func(part *unit, i int)) {
	u.files, u.seen = slices.Grow(u.files, n), slices.Grow(u.seen, n)
	count := max(1, min(n/fewest, runtime.GOMAXPROCS(0), mostTogether))
	each := (n + count - 1) / count
	parts := []*unit{u}
	for len(parts) < count {
		parts = append(parts, &unit{files: make([]File, 0, each), seen: make([]seen, 0, each)})
	}
	run := func(at int) {
		for i := at * each; i < min(n, (at+1)*each); i++ {
			do(parts[at], i)
		}
	}
	waits := make([]func(), len(parts))
	for at := 1; at < len(parts); at++ {
		waits[at] = aside(func() { run(at) })
	}
	run(0)
	for at, part := range parts[1:] {
		waits[at+1]()
		u.files, u.seen = append(u.files, part.files...), append(u.seen, part.seen...)
		u.problems, u.opened = append(u.problems, part.problems...), u.opened+part.opened
	}
}

// aside runs something beside its caller, who waits for its end. A panic of it becomes one
// of who waits.
func aside(run func()) (wait func()) {
	var group errgroup.Group
	var broken any
	group.Go(func() error {
		defer func() { broken = recover() }()
		run()
		return nil
	})
	return func() {
		_ = group.Wait() // it does not fail
		if broken != nil {
			panic(broken)
		}
	}
}
