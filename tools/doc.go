// Package tools defines tools, and decodes, checks and runs tool calls.
//
// A tool is one [Def] literal. The tags of its argument struct contain names, documentation,
// defaults, limits, choices and aliases. These tags determine the JSON schema for the model, the
// decoder, the range and enum checks, and the help in error messages. A schema is generated on
// first use; generating it takes 8 µs.
//
// Each category of tools has its own directory. Categories never import one another, but share
// the packages in tools/internal, such as box (files inside one directory), proc (child processes)
// and web (HTTP).
//
// Three designs were rejected:
//   - Tools that register themselves in init functions. Instead,
//     cmd/marvin/internal/extensions/catalog.go lists all tools.
//   - Errors that hide their causes. Instead, the worker formats every error as advice for the
//     model.
//   - A custom validator. Instead, google/jsonschema-go validates the arguments and fills in
//     defaults.
package tools
