// Package gate restricts an external server to the hosts in its profile.
//
// A gate is a proxy that runs until the server stops. The server's network has no other route, so a
// server that ignores the proxy reaches nothing (see tools/internal/jail). While Marvin observes
// the server, the gate allows all hosts and records them for the profile. Unlike
// tools/internal/relay, a gate does not decrypt TLS.
package gate
