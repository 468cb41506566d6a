// Package cron adds and removes single lines of the user's crontab.
//
// A crontab may be the work of years and has no backup. So the package changes it only after
// reading it completely. A read error does not mean that the crontab is empty, and a crontab above
// the size limit is not changed. All lines except Marvin's own are written back byte for byte. A
// change holds a lock, because crontab(1) can only replace the whole table.
//
// at(1) is not used, because it is rarely installed.
package cron
