// Package alarms sets alarms that ring whether Marvin runs or not.
//
// How they ring is in tools/internal/ringing; here is how they are asked for. The labels
// name files and lines of the crontab, so they are words and nothing else.
package alarms
