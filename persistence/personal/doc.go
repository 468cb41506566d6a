// Package personal stores the documents of a profile (preferences, bookmarks, places, calendar and
// topics) and the user's alarms. Changes to the documents can be recorded and undone.
package personal
