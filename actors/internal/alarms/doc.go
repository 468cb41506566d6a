// Package alarms is the actor that waits for alarms as long as a user talks to this Marvin.
package alarms
