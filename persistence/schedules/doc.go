// Package schedules stores prompts and watches that run at certain times.
//
// The file schedules/ID.json in Marvin's data directory contains one prompt or watch and its last
// runs. The file is written when a run is claimed, when the time of the next run is set, and when a
// result is stored. The process that executes a run holds a lock, which the kernel releases when
// the process ends. So if a run has begun and no process holds the lock, the run was interrupted.
package schedules
