// Package kernel makes the Props of every actor.
//
// Session, turn, provider and call run on the goroutine of their sender while they are idle (see
// [Synchronous]). Measured with a model that says one token in a millisecond: 40 to 50 µs of CPU for
// each token, most of it for the timer and the front end, against 55 to 63 µs with a goroutine for
// each. At 100 tokens in a second that is 0.1 % of a core. In a burst of 200,000 tokens it costs
// 1.3 µs for each token against 0.6 µs, because no mailbox fills up. So speed alone is no reason for
// it. What is: calls join the line in the order of the reply, and the records of a session and of its
// turn reach the log in one order; without it that order is another one. A front end does not run a
// session: package entrance passes its ops on.
package kernel
