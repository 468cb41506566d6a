// Package tools defines tools, and decodes, checks and runs their calls.
//
// A tool is one [Def] literal. The tags of its argument struct contain names, documentation,
// defaults, limits, choices and aliases. The JSON schema for the model, the decoder, the range and
// enum checks and the help in errors are all derived from these tags, so they cannot disagree. A
// schema takes 8 µs and is generated on first use.
//
// This directory contains the kit. The tools themselves are in one directory per category, and
// categories never import one another. They share packages in internal: box (files inside one
// directory), proc (child processes), web (HTTP).
//
// Rejected designs: registration by init (cmd/marvin/internal/extensions/catalog.go lists all
// tools), opaque errors of tools (the worker formats every error as advice for the model), and
// a validator of our own (google/jsonschema-go validates and applies defaults).
package tools
