// Package pace combines the small pieces of an answer, so that a screen gets them once per frame
// and not token by token.
//
// A model sends a hundred tokens a second, and each token wakes every actor on the way to a screen
// that shows eighteen frames a second. The first text, text after a pause, and the end of an answer
// are forwarded at once.
//
// Reading the connection only once per frame would also spare the reader a wake-up. But a
// connection does not show that an answer has ended, so the end of the answer came 65 ms late.
package pace
