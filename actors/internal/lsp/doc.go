// Package lsp contains the actors that manage language servers. A call uses the servers through a
// [Client].
package lsp
