// Package app wires the rooms: it turns options, settings and the world into a running tree.
package app
