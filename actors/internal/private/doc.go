// Package private lets only allowed providers receive text from private directories.
package private
