// Package calendar stores appointments in an iCalendar file.
//
// The file may come from another program, with time zones, alarms and unknown properties. So the
// package never rewrites the whole file. It inserts the lines of a new event before the end of the
// calendar, and changes or deletes only the lines of one event. Every other byte is preserved.
//
// The package does not use golang-ical (tested with v0.3.4), because golang-ical does not preserve
// a calendar: it escapes the commas in CATEGORIES and X- properties, and removes the quotes from
// quoted parameters. It also rejects the whole calendar because of a single broken line. The
// package computes repetitions with rrule-go, whose tables add 0.09 ms and 50 KB to every start of
// Marvin (measured, v1.8.2).
package calendar
