// Package tools defines tools, and decodes, checks and runs their calls.
//
// A tool is one [Def] literal. The tags of its argument struct contain names, documentation,
// defaults, limits, choices and aliases. The JSON schema for the model, the decoder, the range and
// enum checks and the help in errors are all derived from these tags, so they cannot disagree. A
// schema is generated on first use, which takes 8 µs.
//
// The tools themselves are in one directory per category, and categories never import one another.
// They share packages in internal, such as box (files inside one directory), proc (child processes)
// and web (HTTP).
//
// Three designs were rejected. Tools do not register themselves in init functions. Instead,
// cmd/marvin/internal/extensions/catalog.go lists all tools. Tools do not hide the causes of their
// errors, because the worker formats every error as advice for the model. The package has no
// validator of its own, because google/jsonschema-go validates the arguments and fills in defaults.
package tools
