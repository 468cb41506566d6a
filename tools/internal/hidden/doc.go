// Package hidden makes characters that nobody sees visible, or removes them.
package hidden
