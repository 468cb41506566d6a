// Package kernel makes the Props of every actor.
//
// An idle session, turn, provider or call handles its next message on the sender's goroutine (see
// [Synchronous]). On separate goroutines, the calls in one reply could change their order. So could
// the log records that a session and its turn write.
//
// Speed is not the reason. At one token per millisecond, each token takes 40 to 50 µs of CPU,
// mostly for the timer and the front end; separate goroutines took 55 to 63 µs. At 100 tokens per
// second, the difference is 0.1% of a core. In a burst of 200,000 tokens, each token takes 1.3 µs;
// separate goroutines took 0.6 µs, because messages collected in mailboxes.
//
// A front end sends ops through package entrance, so that its own goroutine handles no messages of
// a session.
package kernel
