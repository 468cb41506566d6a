// Package followup tracks what the next request in a conversation may refer to: the last call, the
// entries in the last list, and the things that were named. It knows no grammar. Package offline
// reads the words of the requests.
package followup
