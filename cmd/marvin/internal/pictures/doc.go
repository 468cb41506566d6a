// Package pictures reads the pictures of prompts and of the clipboard.
package pictures
