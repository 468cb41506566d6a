// Package spending keeps the lifetime totals of tokens, costs and calls.
//
// Many processes can add to the totals at the same time. Each process appends to a journal, and one
// process at a time merges the journal into usage.json.
package spending
