// Package followup finds out what the next request of a conversation may point to: the last call,
// the entries of the last list, and the things that were named. It knows no grammar: package
// offline reads the words of the requests.
package followup
