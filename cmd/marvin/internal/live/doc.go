// Package live manages running conversations: their list, their log, running without a terminal,
// and their open questions.
package live
