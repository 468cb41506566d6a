// Package edit is the common part of tools that change files: they refuse a file that changed since
// the conversation read it, remember what they wrote, and show users a diff.
package edit
