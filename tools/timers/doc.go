// Package timers measures time for the user: countdowns and stopwatches.
//
// Each countdown has a timer in memory and an alarm. The alarm rings through cron or, without cron,
// in a running Marvin process. It rings even if the Marvin process that started the countdown has
// ended. Other Marvin processes can show and stop the countdown. A stopwatch ends with the Marvin
// process that started it. Timers use the wall clock, because the monotonic clock does not advance
// while a laptop sleeps.
package timers
