// Package ringing makes alarms and reminders ring when they are due.
//
// An alarm is a data file (persistence) and, if cron works, a line in the crontab that runs `marvin
// ring-alarm LABEL`. The user's text is only in the data file, because in the crontab it would be
// shell source. Cron knows no year and no seconds, so the started process checks the file and waits
// for the second.
//
// Every interactive Marvin watches the same files. The process that removes the file rings on the
// desktop and through ntfy, so this happens only once, however many Marvins run. Each Marvin shows
// the alarm to its own user.
//
// Through ntfy, alarms go only to the user's own topics, which Marvin generated or which are
// labeled for alarms. Any other topic may be public.
package ringing
