// Package timers measures time for the user: countdowns and stopwatches.
//
// A countdown rings as an alarm, and is one besides its line in memory: through cron if possible,
// else in an open Marvin. So it outlives a headless run, and another Marvin can show and stop it. A
// stopwatch ends with its Marvin. Time is the wall clock, because a laptop that slept must not
// delay a pot of tea by an hour.
package timers
