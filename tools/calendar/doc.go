// Package calendar stores appointments in an iCalendar file.
//
// The file may come from another program, with time zones, alarms and unknown properties. So it is
// never rewritten as a whole: an event is inserted as lines before the end, and removed by deleting
// only its lines; every other byte is preserved.
//
// golang-ical was rejected (measured with v0.3.4): reading and writing a calendar changes it
// (commas in CATEGORIES and X- properties become escaped, quoted parameters lose their quotes), and
// one broken line makes the whole calendar unreadable. rrule-go computes repetitions; its tables
// add 0.09 ms and 50 KB to every start (measured, v1.8.2).
package calendar
