// Package lsp contains the actors that manage language servers, and the client through which calls
// use the servers.
package lsp
