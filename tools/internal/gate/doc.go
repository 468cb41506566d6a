// Package gate restricts an external server to the hosts that the server contacted under
// observation.
//
// A gate is a proxy that runs until the server stops. The server's network has no other route, so a
// server that ignores the proxy reaches nothing (see tools/internal/jail). During observation, the
// gate allows all hosts and records them. Unlike tools/internal/relay, a gate does not decrypt TLS.
package gate
