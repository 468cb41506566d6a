// Package talk starts the front ends: plain mode, the full screen, a single answer, and the
// protocol for other programs.
package talk
