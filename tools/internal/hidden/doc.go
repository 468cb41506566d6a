// Package hidden makes invisible characters visible, or removes them.
package hidden
