// Package alarms implements the actor that waits for alarms and delivers them to conversations.
package alarms
