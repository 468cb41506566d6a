// Package gate lets a foreign server contact only the hosts that it contacted when it was observed.
//
// The gate is a proxy that lives as long as the server. In the server's own network it is the only
// way out, so a program that ignores it reaches nothing (see tools/internal/jail). While a server
// is observed, the gate lets everything through and records the hosts. It forwards data without
// reading it; tools/internal/relay, which ends the TLS of a browser, is for the requests of
// Marvin's own tools.
package gate
