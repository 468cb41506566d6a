// Package permissions has the command about what calls may happen.
package permissions
