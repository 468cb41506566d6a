// Package talk starts the front ends: lines, full screen, one answer, and programs.
package talk
