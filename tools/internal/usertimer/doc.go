// Package usertimer starts a program at times by timers of the user's systemd.
//
// It keeps one service with an instance for each timer, and the timers, as files in the directory
// that the user's systemd reads. A timer only starts the program; the program decides whether
// anything is due, so that a timer too many does no harm.
package usertimer
