// Package yamltext reads YAML that a user wrote and changes single values in it.
//
// The library only says where a value is. The text is cut there, and every other byte stays.
package yamltext
