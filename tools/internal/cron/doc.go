// Package cron adds and removes single lines of the user's crontab.
//
// A crontab is somebody's work of years and has no backup. So it is only changed
// after crontab(1) was understood: a failure to read is no empty table, a table that
// is larger than what is read is left alone, and every line that its owner did not
// claim is written back byte for byte. Who calls holds a lock, because crontab(1)
// knows no other way than replacing the whole.
//
// Decided against at(1): it is rarely installed, and systemd timers: they live in
// another place on every system.
package cron
