// Package alarms implements the actor that waits for alarms while a user has a conversation in this
// process.
package alarms
