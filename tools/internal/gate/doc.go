// Package gate lets a foreign server contact only the hosts that it contacted while it was
// observed.
//
// A gate is a proxy that runs as long as the server. It is the only way out of the server's own
// network, so a server that ignores the proxy reaches nothing (see tools/internal/jail). While the
// server is observed, the gate lets everything through and records the hosts. It does not decrypt
// TLS, unlike tools/internal/relay, which is for programs that Marvin's own tools run.
package gate
