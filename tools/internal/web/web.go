// Package web is the one way of tools to the network.
package web

import "net/http"

// NewClient makes the client that tools share.
func NewClient(hosts map[string]string) *http.Client { return &http.Client{} }
