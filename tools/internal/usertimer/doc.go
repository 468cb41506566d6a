// Package usertimer uses timers of the user's systemd to start a program at given times.
//
// It stores the timers, and one service with an instance for each timer, as files in the directory
// that the user's systemd reads. A timer only starts the program; the program decides whether
// anything is due, so additional timers do no harm.
package usertimer
