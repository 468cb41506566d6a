// Package actors keeps conversations alive: order, ownership, failure and time.
//
// This package starts the tree of actors and offers it to front ends. With the packages below it,
// it is the only room that knows protoactor. The actors are in internal/session, internal/turn and
// internal/call. Imports go one way: session, turn, call, the actors that serve them, mail, conv,
// kernel.
//
//	marvin                       one per process
//	├── recorder                 writes documents
//	├── ntfy                     asks for messages when a prompt is sent
//	├── alarm clock              waits for alarms; both only where a person talks
//	├── jobs                     looks after work in the background
//	│   └── job-<n>              owns one process, which may outlive it
//	└── session/<n>              one per conversation
//	    ├── provider/<name>      one per provider in use
//	    └── router-<turn>        one per prompt: the turn
//	        └── worker/<call>    one per tool call
//
// What happens when is decided by who owns whom. "Busy" is no flag but "a turn
// is alive"; the session learns of its end by the turn's obituary, which comes
// on success, error, cancel, crash and stop alike, so no path can leave it set.
// Cancelling is polite first (a message; the child reports what it has and ends
// itself) and firm after a grace period (Stop). Both end in the same obituary.
//
// A session consists of parts (internal/session/parts.go). Each keeps its own state and is given what
// it works with when it is made; none knows the session, which says what follows from what.
// So does a worker (internal/call/parts.go).
//
// Receive is a table of contents and never waits. Work that takes time is a
// function with a context, started by task.Do, which mails exactly one outcome;
// time is task.After; obituaries are re-mailed by task.Gone so that they are read
// behind everything the child said. These three are the only door to goroutines
// and timers in this room; a test looks for others.
//
// Failure means panic and is for bugs, with one legible exception: a provider
// that went silent says kernel.ReplaceMe and is restarted by its session. Expected
// errors are values in messages.
//
// Decided against, each for a measured reason (see the design notes on
// protoactor): bounded mailboxes (the sender spins), ReceiveTimeout (data race),
// ReenterAfter (overtakes ordinary mail), Stash (LIFO), EventStream for screens,
// router pools (divide by zero when empty). Every Props carries the guard of
// internal/kernel, because a panic while stopping would otherwise resurrect the actor.
package actors
