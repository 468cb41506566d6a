// Package schedule runs prompts and watches at their scheduled times.
//
// Cron, a systemd timer or a running Marvin starts each check of the schedules. The check reads the
// files written by persistence/schedules. It decides under a lock which runs are due and which
// process executes them, so each run happens once. The crontab does not contain the user's words,
// because cron passes each line to a shell.
package schedule
