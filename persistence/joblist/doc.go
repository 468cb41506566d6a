// Package joblist stores the background jobs of a project, one file each.
package joblist
