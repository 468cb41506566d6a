// Package edit contains the common code of tools that change files. They refuse a file that changed
// since the conversation read it, remember what they wrote, and show users a diff.
package edit
