// Package live implements the commands about running conversations, and the web page.
package live
