// Package spending adds up tokens, cost and calls since the first start.
//
// Many processes add at the same time. Each appends to a journal, and one of them merges it into
// usage.json.
package spending
