// Package pictures reads picture files for prompts, and reads and sets the clipboard.
package pictures
