// Package promhttp declares the only name of the real package that protoactor uses; see
// ../../../README.md.
package promhttp

import "net/http"

// Handler answers 404: this build collects no metrics.
func Handler() http.Handler { return http.NotFoundHandler() }
