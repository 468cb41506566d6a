// Package alarms provides tools for alarms. Package tools/internal/ringing rings an alarm even if
// Marvin is not running.
package alarms
