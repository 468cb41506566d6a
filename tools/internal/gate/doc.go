// Package gate lets a foreign server contact only the hosts it was seen to contact.
//
// It is a proxy with the lifetime of the server. In the server's own network it is the only way
// out, so a program that ignores it reaches nothing (see tools/internal/jail). While a server is
// observed, the gate lets everything through and notes the hosts. It forwards data without reading
// it; tools/internal/relay, which ends the TLS of a browser, is for what Marvin's own tools load.
package gate
