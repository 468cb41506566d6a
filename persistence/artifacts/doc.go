// Package artifacts stores the long tool outputs of a conversation under numbers.
package artifacts
