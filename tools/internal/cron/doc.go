// Package cron adds and removes single lines of the user's crontab.
//
// A crontab may be the work of years and has no backup. So the package changes the crontab only if
// it has understood the output of crontab(1). After a read error, the table does not count as
// empty. A table larger than the read limit is not changed. All lines except Marvin's own are
// written back byte for byte. The caller holds a lock, because crontab(1) can only replace the
// whole table.
//
// at(1) is not used, because it is rarely installed.
package cron
