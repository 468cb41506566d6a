// Package gate lets a foreign server contact only the hosts that it contacted when it was observed.
//
// The gate is a proxy that lives as long as the server. It is the only way out of the server's own
// network, so a program that ignores the proxy reaches nothing (see tools/internal/jail). While a
// server is observed, the gate lets everything through and records the hosts. It forwards data
// without reading it. A browser or downloader that works for Marvin's own tools uses
// tools/internal/relay instead, which decrypts TLS.
package gate
