// Package web is the one way of tools to the network.
//
// Tools keep the production URLs of the services they ask. Below them sits one
// transport with, from above to below: what a URL may look like at all, the table
// of hosts that the user keeps on servers of their own, a pause between requests to
// services that ask for one, the proxy, and the address policy. The policy is checked
// on the address that is really dialled, for every hop, because a name can mean
// another address the next time it is asked for. Hosts that the table names may be
// anywhere, also on this machine.
//
// Making the client costs nothing: the environment is read and connections are made
// on the first request.
//
// Decided against: a total timeout in the client (a download takes as long as its
// tool allows), caching, and repeating failed requests.
package web
