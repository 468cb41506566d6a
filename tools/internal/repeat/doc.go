// Package repeat converts descriptions such as "every monday" to RFC 5545 rules, for the calendar
// and for schedules. The descriptions can be in English, German or French.
package repeat
