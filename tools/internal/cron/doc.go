// Package cron adds and removes single lines of the user's crontab.
//
// A crontab has no backup. If reading fails or the crontab exceeds the size limit, the package does
// not change it. All lines except Marvin's own are written back byte for byte. A change holds a
// lock, because crontab(1) can only replace the whole table.
//
// at(1) is not used, because it is rarely installed.
package cron
