// Package alarms sets alarms that ring whether Marvin is running or not.
//
// This package contains the tools. Package tools/internal/ringing rings the alarms. A label is part
// of file names and crontab lines, so it contains only letters, digits, - and _.
package alarms
