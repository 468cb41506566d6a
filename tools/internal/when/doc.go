// Package when parses times and amounts in English, German and French: "half past seven",
// "übermorgen um 10", "vendredi prochain 18h30", "in an hour and a half", "2026-12-03 10:00",
// "1.000,50 €".
//
// A text must have exactly one meaning. If several are likely, the error is [Ambiguous] and lists
// them, because an alarm at the wrong time is worse than a question. Every assumption becomes a
// note for the user. For example, a note says that a time has passed today, so tomorrow is assumed.
// Another note reports a time that a clock change skips or repeats.
//
// A number alone is a time of day, never a duration. For example, "7" is seven o'clock in the
// morning.
//
// Existing libraries (olebedev/when, araddon/dateparse, tj/go-naturaldate) are not used. They do
// not support German or French, compile their patterns at startup, and choose a meaning even for an
// ambiguous text.
package when
