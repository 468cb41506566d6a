// Package textfile converts the content of text files to UTF-8, whatever their encoding.
package textfile
