// Package schedule runs prompts and watches at their times.
//
// Cron wakes Marvin, or a timer of systemd, or an open Marvin does; each only says "look now".
// Whether something is due, and who runs it, is decided from the files of persistence/schedules
// under a lock, so that one of them runs it. The user's words are only in those files: in the
// crontab they would be shell source.
package schedule
