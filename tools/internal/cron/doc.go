// Package cron adds and removes single lines of the user's crontab.
//
// A crontab may be the work of years and has no backup. So it is changed only if the output of
// crontab(1) was understood: a read error is not an empty table, a table larger than the read limit
// is left alone, and every unclaimed line is written back byte for byte. The caller holds a lock,
// because crontab(1) can only replace the whole table.
//
// Decided against at(1), which is rarely installed.
package cron
