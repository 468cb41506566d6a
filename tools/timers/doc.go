// Package timers measures time for the user: countdowns and stopwatches.
//
// A countdown is a timer in memory and also sets an alarm, which rings through cron or, without
// cron, in an open Marvin. So the countdown continues after this Marvin ends, and another Marvin
// can show and stop it. A stopwatch ends with its Marvin. Timers use the wall clock, because the
// monotonic clock does not advance while a laptop sleeps.
package timers
