// Package pace combines the small pieces of an answer, so that a screen gets them once per frame
// instead of token by token.
//
// A model sends a hundred tokens a second, and a screen shows eighteen frames a second. Each
// forwarded piece wakes every actor between the model and the screen. The first text, text after a
// pause, and the end of an answer are forwarded at once.
//
// Rejected alternative: reading the connection only once per frame. The end of an answer then came
// 65 ms late, because only reading shows that the answer has ended.
package pace
