// Package kernel makes the Props of every actor.
//
// Session, turn, provider and call run on the goroutine of their sender while they are idle (see
// [Synchronous]). The reason is order: calls join in the order of the reply, and the records of a
// session and of its turn reach the log in one order, which separate goroutines would not keep.
//
// Speed is no reason. Measured with a model that sends one token per millisecond, a token takes 40
// to 50 µs of CPU, most of it for the timer and the front end, against 55 to 63 µs with separate
// goroutines; at 100 tokens per second that saves 0.1 % of a core. In a burst of 200,000 tokens a
// token costs 1.3 µs against 0.6 µs, because no mailbox fills up. A front end does not run a
// session: package entrance passes its ops on.
package kernel
