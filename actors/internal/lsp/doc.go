// Package lsp contains the actors of language servers and the client with which calls use them.
package lsp
