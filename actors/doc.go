// Package actors runs conversations as a tree of actors.
//
// This package starts the tree and offers it to front ends. Only this package and its subpackages
// know protoactor. The main actors are in internal/session, internal/turn and internal/call.
// Imports go only in this order: session, turn, call, the other actors, mail, conv, kernel.
//
//	marvin                       one per process
//	├── recorder                 writes documents
//	├── ntfy                     fetches messages when a prompt is sent; only with a user
//	├── alarm clock              waits for alarms; only with a user
//	├── jobs                     manages background jobs
//	│   └── job-<n>              owns one process, which may outlive the actor
//	└── session/<n>              one per conversation
//	    ├── provider/<name>      one per provider in use
//	    └── router-<turn>        one per prompt: the turn
//	        └── worker/<call>    one per tool call
//
// Ownership decides the order of events. A conversation is busy while the actor of its turn lives.
// No flag records this. The session learns that a turn has ended from the obituary of the turn's
// actor. Even a crash produces an obituary, so a conversation cannot stay busy by mistake. A parent
// cancels a child by sending it a message, and the child reports its results and ends itself. A
// child that has not ended after a grace period is stopped by its parent. The same obituary follows
// in both cases.
//
// A session consists of parts (internal/session/parts.go). Each part keeps its own state, gets its
// dependencies when it is made, and does not know the session. The session connects the parts. A
// worker is built in the same way (internal/call/parts.go).
//
// Receive only passes each message to its handler, and never waits. Slow work belongs in a function
// with a context. task.Do runs such a function and mails exactly one outcome. Timers are made with
// task.After. An obituary would overtake the last messages of a child, so task.MailTerminated turns
// the obituary into a task.ChildGone, which arrives after these messages. Only package task starts
// goroutines and timers in this part of the program. A test checks this.
//
// A panic means a bug, with one exception: a provider that receives nothing from its model panics
// with kernel.ReplaceMe, so that the session restarts the provider. Expected errors are values in
// messages.
//
// Some features of protoactor are not used, because they are slow or faulty. With bounded mailboxes
// the sender spins, ReceiveTimeout has a data race, and ReenterAfter overtakes ordinary mail. Stash
// reverses the order of messages, and a router pool divides by zero when it is empty. EventStream
// is not used for screens. Every Props has the guard of internal/kernel, because an actor that
// panics while it stops would otherwise be restarted.
package actors
