// Package schedules keeps what Marvin does at a time: prompts and watches.
//
// Each is one file, schedules/ID.json in Marvin's data directory, with its last runs. A claim, the
// next time and a result are one change of that file. A process that runs a schedule holds a lock
// of the kernel on it, which ends with the process: a run that began and
// has no such process was interrupted.
package schedules
