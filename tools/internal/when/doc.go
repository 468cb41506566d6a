// Package when reads what people write for times and amounts, in English, German and
// French: "half past seven", "übermorgen um 10", "vendredi prochain 18h30", "in an hour and
// a half", "2026-12-03 10:00", "1.000,50 €".
//
// It is the only place of the tools that does. What it reads is one thing or an error:
// where two readings are likely, the error is [Ambiguous] and names both, because an alarm
// at the wrong time is worse than a question. Everything that was assumed is a note, in
// words for the person: a time of day that is past and so is tomorrow's, an hour that does
// not exist or comes twice when the clocks change.
//
// A number alone is a time of day, never a length: "7" is seven o'clock, in the morning.
//
// Decided against a library (olebedev/when, araddon/dateparse, tj/go-naturaldate): they
// know one language, compile their patterns at the start, and guess where this one asks.
package when
