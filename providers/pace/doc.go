// Package pace combines the small pieces of an answer, so that a screen gets them once per frame
// instead of token by token.
//
// A model sends a hundred tokens a second, and a screen shows nineteen frames a second. Each
// forwarded piece wakes every actor between the model and the screen. An answer's beginning, its
// end, and the text after a pause are forwarded immediately.
//
// Reading from the connection only once per frame was tried and rejected. Only a read detects the
// end of an answer, so answers ended 65 ms late.
package pace
