// Package yamltext reads YAML that a user wrote and changes single values in it.
//
// Writing YAML through a library rewrites quotes, white space and comments. So the library only
// locates the value; this package replaces the bytes of the value and keeps every other byte.
// Rejected alternative: goccy's tree with comments. Reading a config.yaml with comments and writing
// it again changed 4 of 20 lines and dropped 2 blank lines.
package yamltext
