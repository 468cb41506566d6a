// Package textfile decodes the text of a file, whatever its encoding.
package textfile
