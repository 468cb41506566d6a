// Package usertimer uses timers of the user's systemd to start a program at given times.
//
// It writes unit files for the timers and for one service into the directory that the user's
// systemd reads. Each timer starts its own instance of the service. The started program decides
// whether anything is due, so additional timers do no harm.
package usertimer
