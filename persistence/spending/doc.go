// Package spending adds up tokens, cost and calls since the first start.
//
// Many processes add at the same time. Each process appends to a journal, and one process merges
// the journal into usage.json.
package spending
