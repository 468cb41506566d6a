// Package toolbox holds the tools that a conversation has and finds them.
//
// A Registry is Marvin's own tools, a Shelf adds those of others. Search and offers choose the tools
// that a request names; names and arguments of other agents' tools mean ours.
package toolbox
