// Package ringing makes alarms and reminders ring at their time.
//
// An alarm is a data file (persistence) and, where cron works, a line in the crontab
// that runs `marvin ring-alarm LABEL`. What a person wrote is in the data file only, never
// in the crontab: there it would be shell source. Cron knows no year and no seconds,
// so whoever is started looks at the file, and waits for the second.
//
// A Marvin in which a person talks watches the same files. Who takes the file away
// rings on the desktop and through ntfy, so that this happens once however many
// Marvins run; each of them shows the alarm to its own person.
//
// Through ntfy alarms go only to topics that are the user's own: those that Marvin
// made up, or that are labelled for it. Others may be read by anybody.
package ringing
