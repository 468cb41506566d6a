package stream

import (
	"net/http"
	"strings"
)

// ErrorKind maps a word in an error code to an HTTP status.
type ErrorKind struct {
	Word   string
	Status int
}

// StatusOf returns the HTTP status of the first kind whose Word occurs in the error code. If there
// is no such kind, StatusOf returns 502.
func StatusOf(code string, kinds []ErrorKind) int {
	for _, kind := range kinds {
		if strings.Contains(code, kind.Word) {
			return kind.Status
		}
	}
	return http.StatusBadGateway
}
