// Package live lists running conversations, prints their logs, and answers their open questions. It
// also runs conversations without a terminal.
package live
