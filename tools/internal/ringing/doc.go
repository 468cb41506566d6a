// Package ringing makes alarms and reminders ring when they are due.
//
// An alarm consists of a data file and, if cron works, a crontab line that runs `marvin ring-alarm
// LABEL`. Only the data file contains the user's text, because cron passes crontab lines to a
// shell. A crontab line has neither a year nor seconds, so the process that cron starts checks the
// file and waits for the exact second.
//
// Every interactive Marvin process watches the data files and shows due alarms to its user. Only
// the process that removes a data file rings the alarm on the desktop and through ntfy.
//
// Alarms go only to ntfy topics that Marvin generated or that the user labeled for alarms. Any
// other topic could be public.
package ringing
