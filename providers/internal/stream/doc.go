// Package stream sends a request to a server that answers with server-sent events, and reports
// failures as errors from package providers. The protocol packages interpret the events.
package stream
