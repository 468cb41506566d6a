// Package usertimer creates systemd user timers that start a program at given times.
//
// The package writes one unit file for each timer and one for the service that runs the program.
// Each timer starts its own instance of the service. The program decides whether anything is due,
// so an extra timer does no harm.
package usertimer
