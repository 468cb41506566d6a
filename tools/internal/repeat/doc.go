// Package repeat parses descriptions of repetitions in English, German and French, and converts
// them to rules of RFC 5545. The calendar and schedules use it.
package repeat
