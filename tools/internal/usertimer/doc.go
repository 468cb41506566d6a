// Package usertimer uses timers of the user's systemd to start a program at given times.
//
// It stores its units as files in the directory that the user's systemd reads: the timers, and one
// service. Each timer starts its own instance of the service. A timer only starts the program; the
// program decides whether anything is due, so additional timers do no harm.
package usertimer
