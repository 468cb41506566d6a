// Package repeat reads how people say that something repeats, in English, German and French, and
// makes a rule of RFC 5545 of it. The calendar and schedules use it.
package repeat
