// Package edit is what tools that change files have in common: they refuse a file
// that changed since the conversation read it, remember what they wrote, and show
// people a diff.
package edit
