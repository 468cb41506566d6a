// Package schedule implements the commands for scheduled work: schedule, watch, today and alarms.
package schedule
