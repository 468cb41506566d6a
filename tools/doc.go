// Package tools describes a tool once, and decodes, checks and runs its calls.
//
// A tool is one [Def] literal. The struct of its arguments carries names, documentation, defaults,
// limits, choices and aliases as tags. The JSON schema for the model, the decoder, the range and
// enum checks and the help in errors come from these, so they cannot disagree. A schema takes 8 µs
// and is made on first use.
//
// The kit is in this folder; tools are in one folder per category, and categories never import one
// another. They share packages under internal: box (files inside one directory), proc (child
// processes), web (HTTP).
//
// Decided against: registration by init (the list in cmd/marvin/internal/extensions/catalog.go is the table of
// contents), opaque errors of tools (the worker formats every error as advice to the model), and
// our own validator (google/jsonschema-go validates and applies defaults).
package tools
