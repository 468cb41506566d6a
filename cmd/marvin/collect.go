package main

import (
	"runtime"
	"runtime/debug"
)

// How much the heap grows before garbage is collected, in percent of what lives; Go's own
// start is 4 MB at 100.
const (
	collectUsual = 100
	collectFirst = 200
	collectRare  = 400
)

// collectLater puts the first collection off from 4 MB to 8, and leaves the ones behind it
// as they are. A prompt and its answer take about 4 MB together, so that whatever was read
// besides, ten MCP servers or a long file of the project, made a collection of it: 2 to 3 ms
// of CPU, and 1 MiB more at the peak than without (least and median of 80 runs, 2 cores).
func collectLater(getenv func(string) string) {
	if getenv("GOGC") != "" {
		return
	}
	debug.SetGCPercent(collectFirst)
	// No tiny object: those share a block, and live as long as the last in it.
	runtime.AddCleanup(new([2]uintptr), collectAgain, collectUsual)
}

// collectAgain ends that, unless who answers many prompts said otherwise since.
func collectAgain(usual int) {
	if before := debug.SetGCPercent(usual); before != collectFirst {
		debug.SetGCPercent(before)
	}
}

// collectLess has the collector of garbage run a fourth as often in processes that answer
// many prompts: 1.5 ms of CPU for a prompt in the place of 2.4, for 15 to 20 MB.
func collectLess(world World) {
	if world.Getenv("GOGC") == "" {
		debug.SetGCPercent(collectRare)
	}
}
