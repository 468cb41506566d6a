// Package hooks has the command about hooks.
package hooks
