// Package calendar keeps appointments in an iCalendar file.
//
// The file may come from another program, with time zones, alarms and properties that
// this one does not know. So it is never written anew: an event is added as lines in
// front of the end, and removed as the lines it stands in; every other byte stays.
//
// Decided against golang-ical for this (measured with v0.3.4): a calendar that is read
// and written back has other values (commas of CATEGORIES and of X- properties become
// escaped, quoted parameters lose their quotes), and one broken line anywhere makes
// all of it unreadable. Repetitions are computed by rrule-go, whose tables cost every
// start 0.09 ms and 50 KB (measured, v1.8.2).
package calendar
