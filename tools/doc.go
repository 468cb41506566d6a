// Package tools describes a tool once, and decodes, checks and runs calls of it.
//
// A tool is one [Def] literal: the struct of its arguments carries the names,
// documentation, defaults, limits, choices and aliases as tags, and from these
// come the JSON schema for the model, the decoder, the range and enum checks and
// the help in errors, so that they cannot disagree. A schema
// takes 8 µs and is made on first use, never at start.
//
// The kit is in this folder; the tools are in one folder per category, which
// never import one another. What categories share is under internal: box (files
// inside one directory), proc (child processes), web (HTTP).
//
// Decided against: registration by init (the list in cmd/marvin/catalog.go is the
// table of contents), tools returning opaque errors (the worker formats every
// error as advice to the model), a validator of our own (google/jsonschema-go
// validates and applies defaults).
package tools
