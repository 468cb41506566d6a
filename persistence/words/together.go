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
	fewest       = 40 // files for which a part of its own is worth while
)

// together does something with each of n, in several parts at a time, and notes what they
// found in their order. A panic of a part becomes one of the caller.
func (u *unit) together(n int, do func(part *unit, i int)) {
	u.files, u.seen = slices.Grow(u.files, n), slices.Grow(u.seen, n)
	parts := []*unit{u}
	for len(parts) < min(n/fewest, runtime.GOMAXPROCS(0), mostTogether) {
		parts = append(parts, &unit{})
	}
	broken := make([]any, len(parts))
	each := (n + len(parts) - 1) / len(parts)
	run := func(at int) {
		defer func() { broken[at] = recover() }()
		for i := at * each; i < min(n, (at+1)*each); i++ {
			do(parts[at], i)
		}
	}
	var group errgroup.Group
	for at := 1; at < len(parts); at++ {
		group.Go(func() error { run(at); return nil })
	}
	run(0)
	_ = group.Wait() // none fails
	for at, part := range parts {
		if broken[at] != nil {
			panic(broken[at])
		}
		if at > 0 {
			u.files, u.seen = append(u.files, part.files...), append(u.seen, part.seen...)
			u.problems, u.opened = append(u.problems, part.problems...), u.opened+part.opened
		}
	}
}
