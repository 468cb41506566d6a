// Package spelling expands escapes and braces in bash words.
package spelling
