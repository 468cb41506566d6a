// Package code implements "marvin lsp" and "marvin ci".
package code
