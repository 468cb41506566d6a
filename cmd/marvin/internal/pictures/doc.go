// Package pictures reads the pictures that belong to prompts, and the picture in the clipboard.
package pictures
