// Package followup tracks what the next request in a conversation can refer to: the last call, the
// entries of the last list, and the things that recent calls named. Package offline parses the
// requests.
package followup
