// Package timers measures time for a person: countdowns and stopwatches.
//
// They live in memory and end with Marvin; alarms that outlive it belong to another
// category. Time goes by the wall clock, because a laptop that slept must not make a
// pot of tea take an hour.
//
// Decided against: ringing. A tool cannot interrupt, so a timer is looked at.
package timers
