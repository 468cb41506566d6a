// Package yamltext reads YAML that a user wrote and changes single values in it.
//
// YAML libraries rewrite quotes, white space and comments. This package uses a library only to
// locate a value, and changes only the bytes of that value. Even goccy/go-yaml, which supports
// comments, changed 4 of 20 lines of a config.yaml and dropped 2 blank lines.
package yamltext
