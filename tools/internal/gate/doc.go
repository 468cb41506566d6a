// Package gate lets a server of others' speak to the hosts that it was seen to speak to.
//
// It is a proxy that lives as long as the server: in a network that is the server's own it
// is all there is, so that a program that does not ask it reaches nobody (see
// tools/internal/jail). While a server is observed it lets everything through and notes the
// hosts. It carries what the program says without looking into it; tools/internal/relay,
// which ends the TLS of a browser, is for what Marvin's own tools load.
package gate
