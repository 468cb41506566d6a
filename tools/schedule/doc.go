// Package schedule runs prompts and watches at their scheduled times.
//
// Cron, a systemd timer or an open Marvin starts each check of the schedules. The check itself
// reads the files of persistence/schedules. Under a lock, the check decides which runs are due and
// which process executes them, so each run happens once. The crontab does not contain the user's
// words, because a shell interprets each line of the crontab.
package schedule
