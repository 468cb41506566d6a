// Package pictures reads pictures from files and the clipboard, and copies text to the clipboard.
package pictures
