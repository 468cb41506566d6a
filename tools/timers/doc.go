// Package timers measures time for the user: countdowns and stopwatches.
//
// A countdown consists of a timer in memory and an alarm, which rings through cron or, without
// cron, in a running Marvin process. The alarm rings even if this Marvin process ends, and another
// Marvin process can show and stop the countdown. A stopwatch ends with the Marvin process that
// started it. Timers use the wall clock, because the monotonic clock does not advance while a
// laptop sleeps.
package timers
