// Package prometheus is a stub that declares only what protoactor uses; see ../README.md.
package prometheus

import (
	"errors"

	"go.opentelemetry.io/otel/sdk/metric"
)

// Exporter exists only as a type. No value of this type is ever created.
type Exporter struct{ metric.Reader }

// New always fails, so protoactor runs without metrics.
func New() (*Exporter, error) {
	return nil, errors.New("this build of Marvin has no Prometheus exporter (actors/internal/nometrics)")
}
