// Package kernel makes the Props of every actor.
//
// An idle session, turn, provider or call handles its next message on the sender's goroutine (see
// [Synchronous]). Separate goroutines could change the order of the calls in a reply, and the order
// of the log records of a session and its turn.
//
// Speed is not the reason. At one token per millisecond, each token takes 40 to 50 µs of CPU time,
// mostly for the timer and the front end. Separate goroutines took 55 to 63 µs per token. At 100
// tokens per second, this difference is 0.1% of a core. In a burst of 200,000 tokens, each token
// takes 1.3 µs. Separate goroutines took 0.6 µs, because the mailboxes collected messages.
//
// A front end sends ops through package entrance. Otherwise, the front end's goroutine would handle
// messages of a session.
package kernel
