// Package promhttp declares the one name that protoactor uses from the real package; see
// ../../../README.md.
package promhttp

import "net/http"

// Handler answers 404: this build collects no metrics.
func Handler() http.Handler { return http.NotFoundHandler() }
