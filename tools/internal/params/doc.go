// Package params makes the JSON schema of a tool's arguments, checks and mends arguments against it, and says what
// is wrong with them.
package params
