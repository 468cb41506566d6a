// Package kernel makes the Props of every actor.
//
// An idle session, turn, provider or call handles its next message on the sender's goroutine (see
// [Synchronous]). This keeps an order that separate goroutines would lose. The calls of a reply
// take their positions in the order in which the reply lists them, and the records of a session and
// of its turn reach the log in a fixed order.
//
// Speed is not the reason. If a model sends one token per millisecond, a token takes 40 to 50 µs of
// CPU, most of it for the timer and the front end. With separate goroutines it took 55 to 63 µs. At
// 100 tokens per second, the difference is 0.1 % of a core. A burst of 200,000 tokens takes 1.3 µs
// per token. With separate goroutines it took 0.6 µs, because the messages collected in mailboxes.
//
// A front end sends its ops through package entrance, so that the front end's own goroutine does
// not handle the messages of a session.
package kernel
