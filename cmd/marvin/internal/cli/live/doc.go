// Package live has the commands about running conversations, and the web page.
package live
