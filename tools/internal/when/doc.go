// Package when parses times and amounts in English, German and French: "half past seven",
// "übermorgen um 10", "vendredi prochain 18h30", "in an hour and a half", "2026-12-03 10:00",
// "1.000,50 €".
//
// All tools use it. A text that does not have exactly one meaning is an error. If two readings are
// likely, the error is [Ambiguous] and names both, because an alarm at the wrong time is worse than
// a question. Every assumption becomes a note for the user: for example, that a past time of day
// means tomorrow, or that an hour is missing or occurs twice when the clocks change.
//
// A number alone is a time of day, never a duration. For example, "7" is seven o'clock in the
// morning.
//
// Existing libraries (olebedev/when, araddon/dateparse, tj/go-naturaldate) are not used. They know
// one language, compile their patterns at start, and choose a meaning even for an ambiguous text.
package when
