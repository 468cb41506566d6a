// Package schedules stores prompts and watches that run at certain times.
//
// Each is one file, schedules/ID.json in Marvin's data directory, with its last runs. Claiming a
// run, setting the next time and storing a result are each one change of that file. A process that
// runs a schedule holds a kernel lock on it, which ends with the process: a run that began and has
// no such process was interrupted.
package schedules
