// Package timers measures time for a person: countdowns and stopwatches.
//
// A countdown rings as an alarm does, which is what it is besides its line in the memory: by
// cron where that works, else in an open Marvin. So it outlives a run that answers one
// question, and another Marvin can look at it and stop it. A stopwatch ends with its Marvin.
// Time goes by the wall clock, because a laptop that slept must not make a pot of tea take
// an hour.
package timers
