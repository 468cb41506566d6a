package stream

import (
	"net/http"
	"strings"
)

// ErrorKind maps a word in the code of an error to an HTTP status.
type ErrorKind struct {
	Word   string
	Status int
}

// StatusOf returns the HTTP status for an error inside a stream, from its code.
func StatusOf(code string, kinds []ErrorKind) int {
	for _, kind := range kinds {
		if strings.Contains(code, kind.Word) {
			return kind.Status
		}
	}
	return http.StatusBadGateway
}
