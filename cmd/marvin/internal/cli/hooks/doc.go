// Package hooks implements "marvin hooks".
package hooks
