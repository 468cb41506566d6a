// Package schedule implements the commands about work at certain times: schedule, watch, today and
// alarms.
package schedule
