// Package schedules stores entries that run at certain times. An [Entry] is a prompt or a watch.
//
// The file schedules/ID.json in Marvin's data directory contains one entry and its most recent
// runs. The file is written when a process claims a run, when the time of the next run is set, and
// when a result is stored. The process that executes a run holds a lock, which the kernel releases
// when the process ends. If a run has begun but its lock is not held, the run was interrupted.
package schedules
