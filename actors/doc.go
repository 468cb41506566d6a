// Package actors keeps conversations alive: order, ownership, failure and time.
//
// This package starts the tree of actors and offers it to front ends. With the packages below it,
// it is the only room that knows protoactor. The actors are in internal/session, internal/turn and
// internal/call. Imports go one way: session, turn, call, the actors that serve them, mail, conv,
// kernel.
//
//	marvin                       one per process
//	├── recorder                 writes documents
//	├── ntfy                     fetches messages when a prompt is sent
//	├── alarm clock              waits for alarms; both only with a user
//	├── jobs                     manages background jobs
//	│   └── job-<n>              owns one process, which may outlive it
//	└── session/<n>              one per conversation
//	    ├── provider/<name>      one per provider in use
//	    └── router-<turn>        one per prompt: the turn
//	        └── worker/<call>    one per tool call
//
// Ownership decides the order of events. A conversation is busy as long as the actor of its turn
// lives; there is no flag for it. The session learns of the end of a turn from the actor's
// obituary, which comes after success, error, cancel, crash and stop alike, so a conversation cannot
// stay busy by mistake. A cancel is first a message: the child reports its results and ends itself.
// After a grace period the child is stopped. Both end in the same obituary.
//
// A session consists of parts (internal/session/parts.go). Each part keeps its own state, gets its
// dependencies when it is made, and does not know the session; the session connects them. A worker
// is built in the same way (internal/call/parts.go).
//
// Receive is a table of contents and never waits. Work that takes time is a function with a
// context, started by task.Do, which mails exactly one outcome. Timers are task.After. task.Gone
// mails obituaries again, so that they are read after everything that the child sent. Only these
// three start goroutines and timers in this room; a test looks for others.
//
// A panic means a bug, with one exception: a provider that sends nothing panics with
// kernel.ReplaceMe, and its session restarts it. Expected errors are values in messages.
//
// Not used, each for a measured reason: bounded mailboxes (the sender spins), ReceiveTimeout (data
// race), ReenterAfter (overtakes ordinary mail), Stash (LIFO), EventStream for screens, router pools
// (divide by zero when empty). Every Props has the guard of internal/kernel, because a panic while
// stopping would otherwise resurrect the actor.
package actors
