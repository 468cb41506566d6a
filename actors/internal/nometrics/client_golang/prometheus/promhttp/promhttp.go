// Package promhttp is a stub that declares only what protoactor uses; see ../../../README.md.
package promhttp

import "net/http"

// Handler responds with 404, because this build collects no metrics.
func Handler() http.Handler { return http.NotFoundHandler() }
