// Package personal stores the documents of a profile: preferences, bookmarks, places, calendar,
// topics and alarms. Each change can be recorded and undone.
package personal
