// Package schedule runs scheduled prompts and checks scheduled watches.
//
// Cron, a systemd timer or a [Supervisor] starts "marvin schedule fire", which executes the due
// runs of the entries that package persistence/schedules stores. A lock on each entry keeps two
// processes from executing the same run. The crontab contains IDs instead of the user's text,
// because cron passes each line to a shell.
package schedule
