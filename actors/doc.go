// Package actors runs conversations as a tree of actors.
//
// This package starts the tree and gives front ends access to it. Only this package and its
// subpackages know protoactor. The main actors are in internal/session, internal/turn and
// internal/call. A package imports no earlier package of this list: session, turn, call, the other
// actors, mail, conv, kernel.
//
//	marvin                       one per process
//	├── recorder                 writes documents
//	├── ntfy                     fetches messages when a prompt is sent, if a user is present
//	├── alarm clock              waits for alarms, if a user is present
//	├── jobs                     manages background jobs
//	│   └── job-<n>              owns one process, which may outlive the actor
//	└── session/<n>              one per conversation
//	    ├── provider/<name>      one per provider in use
//	    └── router-<turn>        one per prompt: the turn
//	        └── worker/<call>    one per tool call
//
// A conversation is busy while the actor of its turn lives; no flag records that state. The
// obituary of the turn's actor tells the session that the turn has ended. Even a crash produces an
// obituary, so a conversation cannot stay busy by mistake. To cancel a child, a parent sends it a
// message, and the child reports its results and ends itself. If the child has not ended after a
// grace period, the parent stops the child. Either way, the parent receives the same obituary.
//
// A session consists of parts (internal/session/parts.go). Each part keeps its own state, gets its
// dependencies when it is made, and does not know the session. The session connects the parts. A
// worker is built in the same way (internal/call/parts.go).
//
// An actor's Receive method passes each message to its handler and never waits. Slow work belongs
// in a function with a context. task.Do runs such a function and mails exactly one result. Timers
// are made with task.After. An obituary would overtake the last messages of a child, so
// task.MailTerminated turns the obituary into a task.ChildGone, which arrives after these messages.
// A test checks that only package task contains go statements in this part of the program.
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
