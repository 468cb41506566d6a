// Package resources tunes garbage collection, reads the limit on open files, protects the process's
// memory, and redirects file descriptors.
package resources
