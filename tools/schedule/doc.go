// Package schedule runs prompts and watches at their scheduled times.
//
// Cron, a systemd timer or an open Marvin wakes Marvin up, only as a signal to check the schedules.
// Marvin decides from the files of persistence/schedules, under a lock, which runs are due and
// which process executes them, so that each run happens once. Only those files contain the user's
// words: in the crontab they would be shell source.
package schedule
