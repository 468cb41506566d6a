// Package lsp are the actors of language servers, and what a call asks them.
package lsp
