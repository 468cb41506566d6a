// Package web gives tools access to the network. Tools have no other access.
//
// Tools contain the production URLs of the services that they use. A single transport checks each
// URL, replaces the hosts in the user's hosts table, and pauses between requests to services that
// require pauses. Then it applies the proxy settings and the address policy. The policy checks the
// address of every direct connection, including connections after a redirect. An earlier check of
// the same host name is not enough, because the name can get a new address. A server in the user's
// table may have any address, even one on this machine.
//
// Creating a client is cheap. The client reads the environment and connects when it sends its first
// request.
//
// The client has no total timeout, because a download may take as long as its tool allows. The
// client does not cache responses, and does not retry failed requests.
package web
