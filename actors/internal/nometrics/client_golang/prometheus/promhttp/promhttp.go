// Package promhttp declares the one name that protoactor uses from the real package; see
// ../../../README.md.
package promhttp

import "net/http"

// Handler responds with 404, because this build collects no metrics.
func Handler() http.Handler { return http.NotFoundHandler() }
