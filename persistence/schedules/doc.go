// Package schedules stores prompts and watches that run at certain times.
//
// Each is one file, schedules/ID.json in Marvin's data directory, with its last runs. Claiming a
// run, setting the next time and storing a result each change this file once. The process that runs
// a schedule holds a lock of the kernel on it, which ends with the process. So if a run has begun
// and no process holds the lock, the run was interrupted.
package schedules
