// Package repeat converts descriptions of repetitions in English, German and French to RFC 5545
// rules, for the calendar and for schedules.
package repeat
