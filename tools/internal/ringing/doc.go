// Package ringing makes alarms and reminders ring when they are due.
//
// An alarm is a data file (persistence) and, if cron works, a line in the crontab that runs `marvin
// ring-alarm LABEL`. The user's text is only in the data file, because in the crontab it would be
// shell source. A crontab line has neither a year nor seconds, so the process that cron starts
// checks the file and waits for the exact second.
//
// Every interactive Marvin watches the same files. The process that removes the file rings on the
// desktop and through ntfy, so this happens only once, however many Marvins run. Each Marvin shows
// the alarm to its own user.
//
// Alarms go only to the user's own ntfy topics: those that Marvin generated, and those that are
// labeled for alarms. Any other topic may be public.
package ringing
