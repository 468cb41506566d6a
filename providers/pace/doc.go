// Package pace combines the small pieces of an answer, so that a screen gets them once per frame
// and not token by token.
//
// A model sends a hundred tokens a second, and each wakes every actor on its way to a screen that
// shows eighteen frames a second. The first words, the words after a pause and the last words of an
// answer are forwarded at once.
//
// Decided against: reading the connection once per frame. That saves the wake-up of the reader too,
// but a connection does not show that an answer has ended, and its last words came 65 ms late.
package pace
