// Package live manages running conversations: it lists them, prints their logs, runs them without a
// terminal, and answers their open questions.
package live
