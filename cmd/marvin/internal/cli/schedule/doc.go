// Package schedule has the commands about work at a time: schedule, watch, today and alarms.
package schedule
