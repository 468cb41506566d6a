// Package personal keeps the documents of a profile: preferences, bookmarks, places, calendar, topics and
// alarms. A change of one can be noted and undone.
package personal
