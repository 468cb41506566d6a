// Package promhttp has the one name that protoactor links; see ../../../README.md.
package promhttp

import "net/http"

// Handler answers 404: this build collects no metrics.
func Handler() http.Handler { return http.NotFoundHandler() }
