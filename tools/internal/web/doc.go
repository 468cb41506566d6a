// Package web gives tools access to the network. Tools have no other way.
//
// Tools contain the production URLs of the services that they use. One transport does the
// following, in this order. It checks what a URL may look like, replaces hosts that the user's
// table lists, and pauses between requests to services that ask for it. Then it applies the proxy
// and the address policy. The policy checks the address of every connection, also after a redirect.
// An earlier check of the same host name is not enough, because a host name can get a new address.
// A server that the table names may have any address, even one of this machine.
//
// A new client costs nothing: it reads the environment and connects at the first request.
//
// The client has no total timeout, because a download may take as long as its tool allows. It does
// not cache responses, and does not repeat failed requests.
package web
