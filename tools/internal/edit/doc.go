// Package edit contains the common code of tools that change files. These tools refuse a file that
// changed since the conversation read it. They remember what they wrote, and show users a diff.
package edit
