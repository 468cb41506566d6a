// Package schedules stores prompts and watches that run at certain times.
//
// The file schedules/ID.json in Marvin's data directory contains one prompt or watch and its last
// runs. This file changes once when a run is claimed, once when the next time is set, and once when
// a result is stored. The running process holds a lock. The kernel removes the lock when the
// process ends. So if a run has begun and no process holds the lock, the run was interrupted.
package schedules
