// Package usertimer starts a program at given times by timers of the user's systemd.
//
// It stores the timers, and one service with an instance for each timer, as files in the directory
// that the user's systemd reads. A timer only starts the program; the program decides whether
// anything is due, so additional timers do no harm.
package usertimer
