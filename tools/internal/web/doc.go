// Package web gives tools access to the network. Tools have no other access.
//
// Tools contain the production URLs of the services that they use. A single transport checks each
// URL and applies the proxy settings. If the user's hosts table replaces the host, the replacement
// can have any address, even one on this machine. For other hosts, the transport pauses between
// requests if the service requires pauses, and applies the address policy. The policy checks the
// address of every direct connection, even after a redirect, because a host name can get a new
// address.
//
// Creating a client is cheap: only a request reads the environment and opens a connection.
//
// The client has no total timeout, because a download may take as long as its tool allows. The
// client does not cache responses, and does not retry failed requests.
package web
