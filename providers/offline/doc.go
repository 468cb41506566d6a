// Package offline answers without a model, a key or a network: it reads a plain
// request as a call of one tool, or says honestly that it cannot.
//
// It is what a fresh checkout starts with. A request is laid over the example
// requests that every tool carries ("convert {12|value} {km|from_unit} to
// {miles|to_unit}"); the words outside the slots decide which tool is meant, the
// slots and the tool's schema decide with what. Nothing is learned and nothing is
// guessed: below a fixed score the answer is what can be asked instead, and tools
// that write are used only when every word of an example was said.
//
// Decided against: a list of synonyms (the examples are the list, and live beside
// the tool they are about), and answers of its own beyond what tools return.
package offline
